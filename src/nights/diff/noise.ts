/**
 * What is noise: rates are shares of a number of matches that nobody publishes, so that no error bar can be computed.
 * Instead each change is held against all changes of the same kind in the same rank and window: their median is what
 * moved everybody and is taken off, their median absolute deviation is how much they differ anyway, and one that lies far
 * outside is news, also one that stayed where it was while all others moved.
 */
export interface Measured {
  change: number;
  /** How large the chance error of this one is beside that of the others, by each law that may hold. */
  errors: readonly number[];
}

/** How far changes of an error of 1 lie from their median, by each law, and over how many pairs of nights it was seen. */
export interface Usual {
  factors: readonly number[];
  nights: number;
}

export interface Noise extends Usual {
  /** How many changes were seen. */
  count: number;
  /** What moved everybody; 0 where there are too few to tell. */
  median: number;
  learned: boolean;
}

export interface Spread {
  count: number;
  median: number;
  /** The standard deviation of a change whose chance error is that of the middle of the roster. */
  deviation: number;
  /** What the deviation was told from: these two nights, the history, the last digit of the rates, or too few changes. */
  basis: "nights" | "history" | "rounding" | "few";
  /** Over how many pairs of nights. */
  nights: number;
}

/** So many deviations from the median: by chance about 1 in 16 000. */
export const FAR = 4;

/** With fewer changes there is no spread to speak of, and no telling what moved everybody. */
const FEWEST = 8;

/** 1.4826 × the median absolute deviation is the standard deviation, were the changes normal, without the outliers' pull. */
const NORMAL = 1.4826;

/**
 * The deviation of a few is itself a guess. Widened so, `FAR` is as rare with 8 changes as with a hundred; found by drawing
 * millions of normal changes.
 */
const widen = (count: number) => 1 + 13 / (count - 4);

/** Sums of decimal fractions are not exact; no rate has so many digits. */
const EXACT = 1e-9;

export function measureNoise(changes: readonly Measured[], usual?: Usual): Noise {
  const few = changes.length < FEWEST;
  const median = few ? 0 : medianOf(changes.map(({ change }) => change));
  const { factors, nights } = usual ?? { factors: factorsOf(distancesOf(changes, median)), nights: 1 };
  return { count: changes.length, median, factors, nights, learned: usual !== undefined };
}

/** How far each change is from the median, in its own chance errors, by each law. */
export const distancesOf = (changes: readonly Measured[], median: number): number[][] =>
  (changes[0]?.errors ?? []).map((_, law) =>
    changes.map(({ change, errors }) => Math.abs(change - median) / (errors[law] ?? 1)),
  );

export const factorsOf = (distances: readonly (readonly number[])[]): number[] =>
  distances.map((ofLaw) => NORMAL * medianOf(ofLaw));

/**
 * How far a change is beyond what moved everybody, and how many deviations that is; null where nothing says so. Which law
 * holds is not known: a change is far when it is by all of them. Nothing is written finer than by `step`.
 */
export function judge(noise: Noise, { change, errors }: Measured, step: number) {
  const apart = change - noise.median;
  if (!noise.learned && noise.count < FEWEST) return { apart, score: null };
  const guess = noise.learned ? 1 : widen(noise.count);
  return { apart, score: apart / (guess * deviationOf(noise, errors, step)) };
}

const deviationOf = ({ factors }: Usual, errors: readonly number[], step: number) =>
  Math.max(step, ...factors.map((factor, law) => factor * (errors[law] ?? 1)));

/** Whether a change is news: far from what the others did, and far enough to matter. */
export const isNews = ({ apart, score }: { apart: number; score: number | null }, smallest: number): boolean =>
  Math.abs(apart) > smallest - EXACT && (score === null || Math.abs(score) >= FAR);

export function toSpread(noise: Noise, changes: readonly Measured[], step: number): Spread {
  const { count, median, learned, nights } = noise;
  const middle = noise.factors.map((_, law) => medianOf(changes.map(({ errors }) => errors[law] ?? 1)));
  const deviation = deviationOf(noise, middle, step);
  const few = !learned && count < FEWEST;
  const basis = few ? "few" : deviation === step ? "rounding" : learned ? "history" : "nights";
  return { count, median, deviation, basis, nights };
}

/** The step in which values are written: one of their last digit, of six at most. */
export function stepOf(values: readonly number[]): number {
  for (let digits = 0; digits < DIGITS; digits++) {
    const scale = 10 ** digits;
    if (values.every((value) => Math.abs(value - Math.round(value * scale) / scale) < EXACT)) return 1 / scale;
  }
  return 10 ** -DIGITS;
}

const DIGITS = 6;

export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  const median = sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
  // A list of 0 and -0 has one median, whichever of them lies in the middle.
  return median + 0;
}
