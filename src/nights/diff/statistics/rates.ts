import { RANK_CODES } from "../../../api/enumerations.ts";
import type { Moments } from "../asked.ts";
import type { LabelLookup } from "../labels.ts";
import type { Pair } from "../pair.ts";
import type { Scope } from "../scope.ts";
import type { Baselines } from "./baseline.ts";
import { MIN_DAILY_CHANGE, RATE_NAMES, type Rate, relativeErrors } from "./error-models.ts";
import {
  estimateNoise,
  isOutlier,
  type MeasuredChange,
  roundingStep,
  type Spread,
  scoreChange,
  summariseNoise,
} from "./noise.ts";
import { createTiming } from "./timing.ts";
import { createWindowExplainer, type WindowCause } from "./window-cause.ts";

interface Group {
  rank: string;
  days: number;
  rate: Rate;
}

export interface RateMover extends Group, Partial<Moments> {
  hero_id: number;
  name: string;
  before: number;
  after: number;
  change: number;
  /** The change minus the median of all heroes of the rank and window. */
  apart: number;
  /** `apart` in standard deviations; null with too few heroes to estimate one. */
  score: number | null;
  through: WindowCause;
}

export interface RateChanges {
  movers: RateMover[];
  /** The noise of each group: the changes of all its heroes together. */
  spread: (Group & Spread & { smallest: number } & Partial<Moments>)[];
}

/** How rates move in so many nights, where a history knows. */
export type NoiseOver = (nights: number) => Baselines | undefined;

interface RateChange {
  rank: string;
  days: number;
  hero_id: number;
  before: number;
  after: number;
  /** Share of all picks, averaged over both snapshots. */
  pickShare: number;
}

/**
 * Heroes whose rates changed differently from the others'. Two windows of N days that are k days apart share N − k
 * days, so the whole change comes from k of N days: the smallest change that matters is k / N of that of a single day,
 * and noise is estimated for each window on its own. A list that was carried over has not moved, and is left out.
 */
export function findMovers(pair: Pair, labels: LabelLookup, scope: Scope, noiseOver: NoiseOver) {
  const movers: RateMover[] = [];
  const spread: RateChanges["spread"] = [];
  const explain = createWindowExplainer(pair);
  const timeOf = createTiming(pair, "hero_rate");
  for (const rate of RATE_NAMES) {
    for (const changes of readRateChanges(pair, rate)) {
      const { rank, days } = changes[0] as RateChange;
      const group = { rank, days, rate };
      const timing = timeOf(group);
      if (!timing || !scope.includesStatistic("hero_rate", group)) continue;
      const { nights, moments } = timing;
      const smallest = MIN_DAILY_CHANGE[rate] * Math.min(1, nights / days);
      const step = roundingStep(changes.flatMap(({ before, after }) => [before, after]));
      const measured = changes.map((change) => toMeasured(change, rate));
      const noise = estimateNoise(measured, noiseOver(nights)?.of(group));
      spread.push({ ...group, ...summariseNoise(noise, measured, step), smallest, ...moments });
      for (const [index, change] of changes.entries()) {
        const measuredChange = measured[index] as MeasuredChange;
        const scored = scoreChange(noise, measuredChange, step);
        const { hero_id, before, after } = change;
        if (!isOutlier(scored, smallest) || !scope.includesHero(hero_id)) continue;
        const name = labels("hero_id", hero_id);
        const through = explain(change, rate, moments);
        movers.push({
          ...group,
          hero_id,
          name,
          before,
          after,
          change: measuredChange.change,
          ...scored,
          through,
          ...moments,
        });
      }
    }
  }
  return { movers: movers.sort(byScore), spread };
}

const toMeasured = ({ before, after, pickShare }: RateChange, rate: Rate): MeasuredChange => ({
  change: after - before,
  relativeErrors: relativeErrors(rate, before, after, pickShare),
});

/** Highest score first; without scores, the largest change first. */
const byScore = (a: RateMover, b: RateMover) =>
  Math.abs(b.score ?? 0) - Math.abs(a.score ?? 0) || Math.abs(b.apart) - Math.abs(a.apart) || a.hero_id - b.hero_id;

function readRateChanges({ db }: Pair, rate: Rate): RateChange[][] {
  const rows = db
    .prepare<[], RateChange>(
      `SELECT rank, days, hero_id, was.${rate} AS before, now.${rate} AS after,
         (was.appearance_rate + now.appearance_rate) / 2 AS pickShare
       FROM main.hero_rate AS now JOIN was.hero_rate AS was USING (rank, days, hero_id) ORDER BY rank, days, hero_id`,
    )
    .all();
  const ranks: readonly string[] = RANK_CODES;
  return [...Map.groupBy(rows, ({ rank, days }) => `${rank} ${days}`).values()].sort(
    ([a], [b]) => ranks.indexOf(a?.rank ?? "") - ranks.indexOf(b?.rank ?? "") || (a?.days ?? 0) - (b?.days ?? 0),
  );
}
