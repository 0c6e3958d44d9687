/**
 * Outlier detection for rates. The number of matches behind a rate is not published, so no standard error can be
 * computed. Instead each change is compared with all changes of the same kind in the same rank and window: their
 * median, a shift that is common to all, is subtracted; their median absolute deviation is the noise. A change far
 * outside is reported, also one that is zero while all others moved.
 */
export interface MeasuredChange {
  change: number;
  /** Its standard error relative to the others', by each error model. */
  relativeErrors: readonly number[];
}

/** How widely changes usually scatter. */
export interface Baseline {
  /** Standard deviation of a change whose relative error is 1, by each error model. */
  scales: readonly number[];
  /** Over how many pairs of nights it was measured. */
  nights: number;
}

export interface NoiseEstimate extends Baseline {
  /** Number of changes. */
  count: number;
  /** The shift common to all; 0 with too few changes to tell. */
  median: number;
  /** Whether the scales are those of the history, not of these two nights. */
  fromHistory: boolean;
}

export interface Spread {
  count: number;
  median: number;
  /** Standard deviation of a change with the median relative error. */
  deviation: number;
  /** What the deviation comes from: these two nights, the history, the last digit of the rates, or too few changes. */
  basis: "nights" | "history" | "rounding" | "few";
  /** Over how many pairs of nights it was measured. */
  nights: number;
}

/** Standard deviations from the median; exceeded by chance about once in 16 000. */
export const MIN_SCORE = 4;

/** Fewer changes give neither a deviation nor a median. */
const MIN_CHANGES = 8;

/**
 * For a normal distribution, 1.4826 × the median absolute deviation is the standard deviation; outliers hardly affect
 * it.
 */
const MAD_TO_DEVIATION = 1.4826;

/**
 * A deviation estimated from few changes is uncertain. With this factor `MIN_SCORE` is exceeded as rarely with 8
 * changes as with a hundred; found by simulating millions of normal changes.
 */
const smallSampleFactor = (count: number) => 1 + 13 / (count - 4);

/** Tolerance for sums of decimal fractions; no rate has so many digits. */
const EPSILON = 1e-9;

export function estimateNoise(changes: readonly MeasuredChange[], baseline?: Baseline): NoiseEstimate {
  const few = changes.length < MIN_CHANGES;
  const median = few ? 0 : medianOf(changes.map(({ change }) => change));
  const { scales, nights } = baseline ?? { scales: scalesOf(scaledDistances(changes, median)), nights: 1 };
  return { count: changes.length, median, scales, nights, fromHistory: baseline !== undefined };
}

/** Distance of each change from the median in units of its relative error, by each error model. */
export const scaledDistances = (changes: readonly MeasuredChange[], median: number): number[][] =>
  (changes[0]?.relativeErrors ?? []).map((_, model) =>
    changes.map(({ change, relativeErrors }) => Math.abs(change - median) / (relativeErrors[model] ?? 1)),
  );

export const scalesOf = (distances: readonly (readonly number[])[]): number[] =>
  distances.map((ofModel) => MAD_TO_DEVIATION * medianOf(ofModel));

/**
 * How far a change is from the median (`apart`), and how many standard deviations that is (`score`; null when it cannot
 * be told). Which error model holds is unknown, so the one that gives the largest deviation counts. No deviation is
 * smaller than `step`, the rounding of the rates.
 */
export function scoreChange(noise: NoiseEstimate, { change, relativeErrors }: MeasuredChange, step: number) {
  const apart = change - noise.median;
  if (!noise.fromHistory && noise.count < MIN_CHANGES) return { apart, score: null };
  const factor = noise.fromHistory ? 1 : smallSampleFactor(noise.count);
  return { apart, score: apart / (factor * deviationOf(noise, relativeErrors, step)) };
}

const deviationOf = ({ scales }: Baseline, errors: readonly number[], step: number) =>
  Math.max(step, ...scales.map((scale, model) => scale * (errors[model] ?? 1)));

/** Whether a change is far from the others, and large enough to matter. */
export const isOutlier = ({ apart, score }: { apart: number; score: number | null }, smallest: number): boolean =>
  Math.abs(apart) > smallest - EPSILON && (score === null || Math.abs(score) >= MIN_SCORE);

export function summariseNoise(noise: NoiseEstimate, changes: readonly MeasuredChange[], step: number): Spread {
  const { count, median, fromHistory, nights } = noise;
  const medianErrors = noise.scales.map((_, model) =>
    medianOf(changes.map(({ relativeErrors }) => relativeErrors[model] ?? 1)),
  );
  const deviation = deviationOf(noise, medianErrors, step);
  const few = !fromHistory && count < MIN_CHANGES;
  const basis = few ? "few" : deviation === step ? "rounding" : fromHistory ? "history" : "nights";
  return { count, median, deviation, basis, nights };
}

/** The rounding of the values: one unit of their last decimal digit, six digits at most. */
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
