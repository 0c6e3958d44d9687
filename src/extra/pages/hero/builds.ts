import { LANES } from "../../../api/enumerations.ts";
import { selectBuilds } from "../../../snapshot/schema/views/builds.ts";
import { alongNames, lineChart } from "../charts/lines.ts";
import { nameIn, table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

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

const BUILDS = `${selectBuilds("@lang")}
  WHERE hero_id = @id AND rank = @rank ORDER BY lane, position`;

const laneName = ({ facts }: PageContext, code: string) =>
  facts.lanes.find(({ value }) => value === code)?.label ?? code;

const byLane = <T extends { lane: string }>(rows: readonly T[]) => {
  const lanes = Map.groupBy(rows, ({ lane }) => lane);
  return LANES.flatMap(({ code }) => (lanes.has(code) ? [{ lane: code, rows: lanes.get(code) ?? [] }] : []));
};

/** What the hero is played with, by lane. */
export function builds(context: PageContext, id: number): Html | undefined {
  const { snapshot, values, lang, messages, figures } = context;
  const { percent } = figures;
  const { builds: words } = messages.heroes;
  const { rank = "" } = values;
  const listed = snapshot.select<Build>(BUILDS, { id, rank, lang });
  if (listed.length === 0) return undefined;
  const named = (text: string | null) => (text === null ? "–" : nameIn(lang, text));
  return html`${byLane(listed).map(({ lane, rows }) => {
    const query = new URLSearchParams({ lane, rank, lang });
    const shown = table(
      laneName(context, lane),
      [
        { head: words.items, names: true },
        { head: words.emblem },
        { head: words.talents },
        { head: words.spell },
        { head: messages.frame.rates.winRate, number: true },
        { head: messages.frame.rates.pickRate, number: true },
      ],
      rows.map((build) => [
        ...[build.items, build.emblem, build.talents, build.spell].map(named),
        percent(build.win_rate),
        percent(build.pick_rate),
      ]),
    );
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
  const { snapshot, values, messages, figures } = context;
  const { percent, points } = figures;
  const { rank = "" } = values;
  const { builds: words } = messages.heroes;
  const minutes = snapshot.select<Minutes>(MINUTES, { id, rank });
  if (minutes.length === 0) return undefined;
  return html`${minuteChart(minutes, context)}<div class="pair">${byLane(minutes).map(({ lane, rows }) => {
    const [{ whole = null } = {}] = rows;
    const query = new URLSearchParams({ lane, rank });
    return html`<div>${table(
      words.byMinutes({ lane: laneName(context, lane) }),
      [
        { head: words.minutes },
        { head: messages.frame.rates.winRate, number: true },
        { head: words.pointsFromMean, number: true },
      ],
      [
        [words.allMatches, percent(whole), points(0)],
        ...rows.map(({ from_minute, to_minute, win_rate }) => [
          to_minute === null
            ? words.minutesFrom({ from: from_minute })
            : words.minutesBetween({ from: from_minute, to: to_minute }),
          percent(win_rate),
          whole === null ? "–" : points(win_rate - whole),
        ]),
      ],
    )}<p><a href="/api/academy/heroes/${id}/win-rate/timeline?${query.toString()}">${words.minutesAsJson}</a></p></div>`;
  })}</div>`;
}

const spanOf = ({ from_minute, to_minute }: Minutes) =>
  to_minute === null ? `${from_minute}+` : `${from_minute}–${to_minute}`;

/** Each lane as a line. */
function minuteChart(minutes: readonly Minutes[], context: PageContext): Html | undefined {
  const spans = [...new Set(minutes.toSorted((a, b) => a.from_minute - b.from_minute).map(spanOf))];
  const lines = byLane(minutes).map(({ lane, rows }) => ({
    name: laneName(context, lane),
    values: spans.map((span) => rows.find((rate) => spanOf(rate) === span)?.win_rate ?? null),
  }));
  return lineChart({
    words: context.messages.heroes.charts,
    figures: context.figures,
    title: context.messages.heroes.builds.chart,
    steps: alongNames(spans),
    lines,
  });
}
