/**
 * What is noise: rates are shares of a number of matches that nobody publishes, so that no error bar can be computed.
 * Instead each change is held against all changes of the same kind in the same rank and window: their median is what
 * moved everybody, their median absolute deviation is how much they differ anyway, and one that lies far outside is news.
 */
export interface Spread {
  /** How many changes were seen. */
  count: number;
  median: number;
  /** 1.4826 × the median absolute deviation: the standard deviation, were the changes normal, without the outliers' pull. */
  deviation: number;
}

/** So many deviations from the median: about 1 in 16 000 of normal changes. */
export const FAR = 4;

/** With fewer changes there is no spread to speak of, and only the smallest change counts. */
const FEWEST = 8;

const NORMAL = 1.4826;

/** `weights`: what a change is multiplied with to be comparable with the others. */
export function measureSpread(changes: readonly number[], weights: readonly number[] = []): Spread {
  const median = medianOf(changes);
  const distances = changes.map((change, index) => Math.abs(change - median) * (weights[index] ?? 1));
  return { count: changes.length, median, deviation: NORMAL * medianOf(distances) };
}

/** Deviations from the median; null where the spread says nothing. */
export function scoreOf({ count, median, deviation }: Spread, change: number, weight = 1): number | null {
  return count < FEWEST || deviation === 0 ? null : ((change - median) * weight) / deviation;
}

/** Whether a change is news: far from what the others did, and large enough to matter. */
export function isNews(change: number, score: number | null, smallest: number): boolean {
  return Math.abs(change) >= smallest && (score === null || Math.abs(score) >= FAR);
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  const median = sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
  // A sort takes 0 and -0 for equal, so that of a list with both the order would decide which one is the median.
  return median + 0;
}
