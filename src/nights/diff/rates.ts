import type SQLite from "better-sqlite3";
import { RANK_CODES } from "../../api/ranks.ts";
import type { Labels } from "./labels.ts";
import { isNews, measureSpread, medianOf, type Spread, scoreOf } from "./noise.ts";
import type { Pair } from "./pair.ts";

/** The rates of the rank list, with the smallest change of one day that matters. */
export const RATES = { win_rate: 0.005, ban_rate: 0.01, appearance_rate: 0.001 } as const;

type Rate = keyof typeof RATES;

interface Group {
  rank: string;
  days: number;
  rate: Rate;
}

export interface Mover extends Group {
  hero_id: number;
  name: string;
  before: number;
  after: number;
  change: number;
  /** Deviations from the median change of the rank and window, weighed; null with too few heroes to tell. */
  score: number | null;
  /** Why a longer window moved, by the daily series: through the days that came in, or through those that fell out. */
  through: "entered" | "left" | null;
}

export interface RateChanges {
  movers: Mover[];
  /** What all heroes together did in each rank and window: the measure of the noise. */
  spread: (Group & Spread & { smallest: number })[];
}

interface Change {
  rank: string;
  days: number;
  hero_id: number;
  before: number;
  after: number;
  /** Share of all picks, over both. */
  played: number;
}

/**
 * Heroes whose rates moved. A window of N days shares N − k of them with that of k days before, so all of its change
 * comes from k days of N: a change that matters is k / N of one that matters for a single day, and noise is measured in
 * each window for itself.
 */
export function compareRates(pair: Pair, labels: Labels, daysApart: number): RateChanges {
  const movers: Mover[] = [];
  const spread: RateChanges["spread"] = [];
  const explain = createExplain(pair, daysApart);
  for (const rate of Object.keys(RATES) as Rate[]) {
    for (const changes of readChanges(pair, rate)) {
      const { rank, days } = changes[0] as Change;
      const smallest = RATES[rate] * Math.min(1, daysApart / days);
      const weights = weigh(changes, rate);
      const noise = measureSpread(
        changes.map(({ before, after }) => after - before),
        weights,
      );
      spread.push({ rank, days, rate, ...noise, smallest });
      for (const [index, { hero_id, before, after }] of changes.entries()) {
        const change = after - before;
        const score = scoreOf(noise, change, weights[index]);
        if (!isNews(change, score, smallest)) continue;
        const through = explain(changes[index] as Change, rate);
        movers.push({
          rank,
          days,
          rate,
          hero_id,
          name: labels("hero_id", hero_id),
          before,
          after,
          change,
          score,
          through,
        });
      }
    }
  }
  return { movers: movers.sort(byNews), spread };
}

/** The farthest from the others first; where nobody can tell how far, the largest. */
const byNews = (a: Mover, b: Mover) =>
  Math.abs(b.score ?? 0) - Math.abs(a.score ?? 0) || Math.abs(b.change) - Math.abs(a.change) || a.hero_id - b.hero_id;

function readChanges({ db }: Pair, rate: Rate): Change[][] {
  const rows = db
    .prepare<[], Change>(
      `SELECT rank, days, hero_id, was.${rate} AS before, now.${rate} AS after,
         (was.appearance_rate + now.appearance_rate) / 2 AS played
       FROM main.hero_rate AS now JOIN was.hero_rate AS was USING (rank, days, hero_id) ORDER BY rank, days, hero_id`,
    )
    .all();
  const ranks: readonly string[] = RANK_CODES;
  return [...Map.groupBy(rows, ({ rank, days }) => `${rank} ${days}`).values()].sort(
    ([a], [b]) => ranks.indexOf(a?.rank ?? "") - ranks.indexOf(b?.rank ?? "") || (a?.days ?? 0) - (b?.days ?? 0),
  );
}

/**
 * What makes the changes comparable. How many matches there were is unknown, but not how they are shared out: the chance
 * error of a win rate goes with 1 / √(how often the hero is played), that of the other two, shares of all matches and of
 * all picks, with the root of the share itself. 1 is a hero in the middle of the roster.
 */
function weigh(changes: readonly Change[], rate: Rate): number[] {
  const errors = changes.map(({ before, after, played }) =>
    rate === "win_rate" ? 1 / Math.sqrt(Math.max(played, RAREST)) : Math.sqrt(Math.max((before + after) / 2, RAREST)),
  );
  const typical = medianOf(errors);
  return errors.map((error) => typical / error);
}

/** Shares come with six digits. */
const RAREST = 1e-6;

/** By the daily series: were the days that entered the window, or those that left it, farther from what it was? */
function createExplain({ db }: Pair, daysApart: number) {
  const last = lastDay(db, "main");
  const statements = new Map<string, SQLite.Statement<unknown[], number | null>>();
  const prepare = (schema: string, rate: Rate) => {
    const sql = `SELECT CASE WHEN count(*) = ${daysApart} THEN avg(${rate}) END FROM ${schema}.hero_trend
                 WHERE rank = ? AND hero_id = ? AND date > date(?, ?) AND date <= date(?, ?)`;
    const statement = statements.get(sql) ?? db.prepare<unknown[], number | null>(sql).pluck();
    statements.set(sql, statement);
    return statement;
  };
  return ({ rank, days, hero_id, before }: Change, rate: Rate): Mover["through"] => {
    if (days <= daysApart) return null;
    // The days that fell out may be too old for the newer series.
    const mean = (schema: string, from: number, to: number) =>
      prepare(schema, rate).get(rank, hero_id, last, `-${from} days`, last, `-${to} days`) ?? null;
    const [entered, left] = [mean("main", daysApart, 0), mean("was", days + daysApart, days)];
    if (entered === null || left === null) return null;
    return Math.abs(entered - before) >= Math.abs(left - before) ? "entered" : "left";
  };
}

const lastDay = (db: Pair["db"], schema: string) =>
  db.prepare<[], string | null>(`SELECT max(date) FROM ${schema}.hero_trend`).pluck().get() ?? null;

/** Nights between the two, by the newest day of the upstream's own series; by the clock where there is none. */
export function countDays({ db, was, now }: Pair): number {
  const [from, to] = [lastDay(db, "was") ?? was.started_at, lastDay(db, "main") ?? now.started_at];
  return Math.abs(Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000));
}
