import { LANES } from "../../api/enumerations.ts";
import { alongNames, lineChart } from "../charts/lines.ts";
import { nameIn, percent, points, table } from "../format.ts";
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

const BUILDS = `
  SELECT lane, position, win_rate, pick_rate, items, emblem, talents, spell FROM build_translation
  WHERE hero_id = @id AND rank = @rank AND lang = @lang ORDER BY lane, position`;

const laneName = (code: string) => `${code.charAt(0).toUpperCase()}${code.slice(1)} lane`;

const byLane = <T extends { lane: string }>(rows: readonly T[]) => {
  const lanes = Map.groupBy(rows, ({ lane }) => lane);
  return LANES.flatMap(({ code }) => (lanes.has(code) ? [{ lane: code, rows: lanes.get(code) ?? [] }] : []));
};

/** What the hero is played with, by lane. */
export function builds({ snapshot, values, lang }: PageContext, id: number): Html | undefined {
  const { rank = "" } = values;
  const listed = snapshot.select<Build>(BUILDS, { id, rank, lang });
  if (listed.length === 0) return undefined;
  const words = (text: string | null) => (text === null ? "–" : nameIn(lang, text));
  return html`${byLane(listed).map(({ lane, rows }) => {
    const query = new URLSearchParams({ lane, rank, lang });
    const shown = table(
      laneName(lane),
      [
        { head: "Items", names: true },
        { head: "Emblem" },
        { head: "Talents" },
        { head: "Spell" },
        { head: "Win rate", number: true },
        { head: "Pick rate", number: true },
      ],
      rows.map((build) => [
        words(build.items),
        words(build.emblem),
        words(build.talents),
        words(build.spell),
        percent(build.win_rate),
        percent(build.pick_rate),
      ]),
    );
    return html`${shown}<p><a href="/api/academy/heroes/${id}/builds?${query.toString()}">These builds as JSON</a></p>`;
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
export function laneRates({ snapshot, values: { rank = "" } }: PageContext, id: number): Html | undefined {
  const minutes = snapshot.select<Minutes>(MINUTES, { id, rank });
  if (minutes.length === 0) return undefined;
  return html`${minuteChart(minutes)}<div class="pair">${byLane(minutes).map(({ lane, rows }) => {
    const [{ whole = null } = {}] = rows;
    const query = new URLSearchParams({ lane, rank });
    return html`<div>${table(
      `${laneName(lane)} by minutes`,
      [{ head: "Minutes" }, { head: "Win rate", number: true }, { head: "Points from its mean", number: true }],
      [
        ["All matches", percent(whole), points(0)],
        ...rows.map(({ from_minute, to_minute, win_rate }) => [
          to_minute === null ? `${from_minute} and more` : `${from_minute} to ${to_minute}`,
          percent(win_rate),
          whole === null ? "–" : points(win_rate - whole),
        ]),
      ],
    )}<p><a href="/api/academy/heroes/${id}/win-rate/timeline?${query.toString()}">These minutes as JSON</a></p></div>`;
  })}</div>`;
}

const spanOf = ({ from_minute, to_minute }: Minutes) =>
  to_minute === null ? `${from_minute}+` : `${from_minute}–${to_minute}`;

/** Each lane as a line. */
function minuteChart(minutes: readonly Minutes[]): Html | undefined {
  const spans = [...new Set(minutes.toSorted((a, b) => a.from_minute - b.from_minute).map(spanOf))];
  const lines = byLane(minutes).map(({ lane, rows }) => ({
    name: laneName(lane),
    values: spans.map((span) => rows.find((rate) => spanOf(rate) === span)?.win_rate ?? null),
  }));
  return lineChart({ title: "Win rate by minutes of the match", steps: alongNames(spans), lines });
}
