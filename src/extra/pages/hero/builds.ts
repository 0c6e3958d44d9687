import { LANES } from "../../../api/enumerations.ts";
import { selectBuilds } from "../../../snapshot/schema/views/builds.ts";
import { alongNames, lineChart } from "../charts/lines.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, showTable } from "../report.ts";
import type { Messages } from "../words/messages.ts";

interface Build {
  lane: string;
  position: number;
  win_rate: number;
  pick_rate: number;
  items: string | null;
  emblem: string | null;
  talents: string | null;
  spell: string | null;
}

const BUILDS = `SELECT * FROM (${selectBuilds("@lang", "@comma")})
  WHERE hero_id = @id AND rank = @rank ORDER BY lane, position`;

const laneName = ({ facts }: PageContext, code: string) =>
  facts.lanes.find(({ value }) => value === code)?.label ?? code;

const byLane = <T extends { lane: string }>(rows: readonly T[]) => {
  const lanes = Map.groupBy(rows, ({ lane }) => lane);
  return LANES.flatMap(({ code }) => (lanes.has(code) ? [{ lane: code, rows: lanes.get(code) ?? [] }] : []));
};

/** Shows the builds of the hero, a table for each lane. */
export function builds(context: PageContext, id: number): Html | undefined {
  const { snapshot, values, lang, messages } = context;
  const { builds: words } = messages.heroes;
  const { winRate, pickRate } = messages.frame.rates;
  const { rank = "" } = values;
  const listed = snapshot.select<Build>(BUILDS, { id, rank, lang, comma: messages.frame.comma });
  if (listed.length === 0) return undefined;
  const columns = [
    column.name("items", words.items),
    column.name("emblem", words.emblem),
    column.name("talents", words.talents),
    column.name("spell", words.spell),
    column.share("win_rate", winRate),
    column.share("pick_rate", pickRate),
  ];
  return html`${byLane(listed).map(({ lane, rows }) => {
    const query = new URLSearchParams({ lane, rank, lang });
    const shown = showTable(context, { caption: laneName(context, lane), columns, rows });
    return html`${shown}<p><a href="/api/academy/heroes/${id}/builds?${query.toString()}">${words.asJson}</a></p>`;
  })}`;
}

interface Minutes {
  lane: string;
  whole: number | null;
  from_minute: number;
  to_minute: number | null;
  win_rate: number;
}

const MINUTES = `
  SELECT part.lane, whole.win_rate AS whole, part.from_minute, part.to_minute, part.win_rate
  FROM hero_minute_rate AS part JOIN hero_lane_rate AS whole USING (hero_id, lane, rank)
  WHERE part.hero_id = @id AND part.rank = @rank ORDER BY part.lane, part.position`;

/** Win rates by the length of the match, in each lane. */
export function laneRates(context: PageContext, id: number): Html | undefined {
  const { snapshot, values, messages } = context;
  const { rank = "" } = values;
  const { builds: words } = messages.heroes;
  const minutes = snapshot.select<Minutes>(MINUTES, { id, rank });
  if (minutes.length === 0) return undefined;
  const columns = [
    column.text("span", words.minutes),
    column.share("win_rate", messages.frame.rates.winRate),
    column.points("difference", words.pointsFromMean),
  ];
  return html`${minuteChart(minutes, context)}<div class="pair">${byLane(minutes).map(({ lane, rows }) => {
    const [{ whole = null } = {}] = rows;
    const query = new URLSearchParams({ lane, rank });
    const all = { span: words.allMatches, win_rate: whole, difference: 0 };
    const parts = rows.map((part) => ({
      span: lengthOf(part, words),
      win_rate: part.win_rate,
      difference: whole === null ? null : part.win_rate - whole,
    }));
    const shown = showTable(context, {
      caption: words.byMinutes({ lane: laneName(context, lane) }),
      columns,
      rows: [all, ...parts],
    });
    return html`<div>${shown}<p><a href="/api/academy/heroes/${id}/win-rate/timeline?${query.toString()}">${words.minutesAsJson}</a></p></div>`;
  })}</div>`;
}

const lengthOf = ({ from_minute: from, to_minute: to }: Minutes, words: Messages["heroes"]["builds"]): string =>
  to === null ? words.minutesFrom({ from }) : words.minutesBetween({ from, to });

const spanOf = ({ from_minute, to_minute }: Minutes) =>
  to_minute === null ? `${from_minute}+` : `${from_minute}–${to_minute}`;

/** Each lane as a line. */
function minuteChart(minutes: readonly Minutes[], context: PageContext): Html | undefined {
  const spans = [...new Set(minutes.toSorted((a, b) => a.from_minute - b.from_minute).map(spanOf))];
  const lines = byLane(minutes).map(({ lane, rows }) => ({
    name: laneName(context, lane),
    values: spans.map((span) => rows.find((rate) => spanOf(rate) === span)?.win_rate ?? null),
  }));
  return lineChart(context, { title: context.messages.heroes.builds.chart, steps: alongNames(spans), lines });
}
