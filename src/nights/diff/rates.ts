import { RANK_CODES } from "../../api/enumerations.ts";
import { errorsOf, RATE_NAMES, RATES, type Rate } from "./chance.ts";
import type { Labels } from "./labels.ts";
import { isNews, judge, type Measured, measureNoise, type Spread, stepOf, toSpread } from "./noise.ts";
import type { Pair } from "./pair.ts";
import type { Scope } from "./scope.ts";
import { createExplain, type Through } from "./through.ts";
import type { UsualChanges } from "./usual.ts";

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
  /** The change beyond that of all heroes of the rank and window. */
  apart: number;
  /** How many deviations that is; null with too few heroes to tell. */
  score: number | null;
  through: Through;
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
 * Heroes whose rates moved otherwise than those of the others. A window of N days shares N − k of them with that of k days
 * before, so all of its change comes from k days of N: a change that matters is k / N of one that matters for a single
 * day, and noise is measured in each window for itself.
 */
export function compareRates(pair: Pair, labels: Labels, scope: Scope, nights: number, usual?: UsualChanges) {
  const movers: Mover[] = [];
  const spread: RateChanges["spread"] = [];
  const explain = createExplain(pair);
  for (const rate of RATE_NAMES) {
    for (const changes of readChanges(pair, rate)) {
      const { rank, days } = changes[0] as Change;
      const group = { rank, days, rate };
      if (!scope.shows("hero_rate", group)) continue;
      const smallest = RATES[rate] * Math.min(1, nights / days);
      const step = stepOf(changes.flatMap(({ before, after }) => [before, after]));
      const measured = changes.map((change) => measure(change, rate));
      const noise = measureNoise(measured, usual?.of(group));
      spread.push({ ...group, ...toSpread(noise, measured, step), smallest });
      for (const [index, change] of changes.entries()) {
        const one = measured[index] as Measured;
        const verdict = judge(noise, one, step);
        const { hero_id, before, after } = change;
        if (!isNews(verdict, smallest) || !scope.has(hero_id)) continue;
        const name = labels("hero_id", hero_id);
        const through = explain(change, rate);
        movers.push({ ...group, hero_id, name, before, after, change: one.change, ...verdict, through });
      }
    }
  }
  return { movers: movers.sort(byNews), spread };
}

const measure = ({ before, after, played }: Change, rate: Rate): Measured => ({
  change: after - before,
  errors: errorsOf(rate, before, after, played),
});

/** The farthest from the others first; where nobody can tell how far, the largest. */
const byNews = (a: Mover, b: Mover) =>
  Math.abs(b.score ?? 0) - Math.abs(a.score ?? 0) || Math.abs(b.apart) - Math.abs(a.apart) || a.hero_id - b.hero_id;

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
