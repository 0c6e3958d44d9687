/**
 * News and chance in the changes of a night. The upstream publishes no number of matches, so a change has no standard error of its own. It
 * is held against all others of its kind, rank and window:
 *
 * 1. All changes count, none is chosen by its size. Matchups are those of the whole matrix: a list of the five best keeps those that moved
 *    little, and gains and loses those that chance has moved.
 * 2. A patch moves everybody, so the median change is subtracted.
 * 3. A distance from the median is divided by its relative error: a rarely played hero moves more by chance.
 * 4. The standard deviation is 1.4826 × the median of these distances, which a few real changes hardly touch.
 * 5. Which model of the errors holds is unknown: the one with the larger deviation counts, at least the last digit.
 * 6. Few changes give an uncertain deviation, which is raised; fewer than 8 give none, and no news.
 * 7. A change is news if it is 5 deviations away and as much as a player would notice, in every window the same.
 *
 * In twenty nights less than one item is chance, whatever the size of the roster: `test/nights/noise.proof.ts` tries it.
 */
export interface MeasuredChange {
  change: number;
  /** Its standard error relative to the others', by each error model. */
  relativeErrors: readonly number[];
}

/** The scatter of the changes of one group. */
export interface Spread {
  count: number;
  median: number;
  /** Standard deviation of a change with the median relative error. */
  deviation: number;
  /**
   * The basis of the deviation: the changes, or the last digit of the rates. If it is `few`, there are too few changes, and none is news.
   */
  basis: "changes" | "rounding" | "few";
}

/** The distance of a change from the median, and how many standard deviations that is. */
interface Scored {
  apart: number;
  score: number;
}

/** The least score of news in standard deviations: chance alone goes so far once in 1.7 million changes. */
export const MIN_SCORE = 5;

const MIN_CHANGES = 8;

/** For a normal distribution, 1.4826 × the median absolute deviation is the standard deviation. */
const MAD_TO_DEVIATION = 1.4826;

/** Raises the deviation of so few changes: with it, chance reaches `MIN_SCORE` in a night of any roster as rarely as said above. */
const smallSampleFactor = (count: number) => 1 + 13 / (count - 4);

/** Tolerance for sums of decimal fractions; no rate has so many digits. */
const EPSILON = 1e-9;

/** Finds the changes of a group that are news. `least` is the smallest that matters, `step` the rounding of the rates. */
export function findNews<Change extends MeasuredChange>(
  changes: readonly Change[],
  least: number,
  step: number,
): { spread: Spread; news: (Change & Scored)[] } {
  const count = changes.length;
  const few = count < MIN_CHANGES;
  const median = few ? 0 : medianOf(changes.map(({ change }) => change));
  const models = (changes[0]?.relativeErrors ?? []).map((_, model) => {
    const errors = changes.map(({ relativeErrors }) => relativeErrors[model] ?? 1);
    const distances = changes.map(({ change }, index) => Math.abs(change - median) / (errors[index] ?? 1));
    return { scale: MAD_TO_DEVIATION * medianOf(distances), middle: medianOf(errors) };
  });
  const deviation = Math.max(step, ...models.map(({ scale, middle }) => scale * middle));
  const spread: Spread = { count, median, deviation, basis: few ? "few" : deviation === step ? "rounding" : "changes" };
  if (few) return { spread, news: [] };
  const factor = smallSampleFactor(count);
  const news = changes.flatMap((entry) => {
    const apart = entry.change - median;
    if (Math.abs(apart) <= least - EPSILON) return [];
    const own = models.map(({ scale }, model) => factor * scale * (entry.relativeErrors[model] ?? 1));
    const score = apart / Math.max(step, ...own);
    return Math.abs(score) >= MIN_SCORE ? [{ ...entry, apart, score }] : [];
  });
  return { spread, news };
}

/** Returns the rounding of the values: one unit of their last decimal digit, six digits at most. */
export function roundingStep(values: readonly number[]): number {
  for (let digits = 0; digits < MAX_DIGITS; digits++) {
    const scale = 10 ** digits;
    if (values.every((value) => Math.abs(value - Math.round(value * scale) / scale) < EPSILON)) return 1 / scale;
  }
  return 10 ** -MAX_DIGITS;
}

const MAX_DIGITS = 6;

export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  const median = sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
  // "+ 0" turns -0 into 0, so that the order of 0 and -0 does not matter.
  return median + 0;
}
