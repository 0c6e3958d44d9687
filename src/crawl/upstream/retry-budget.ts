import { isOfHost, type Reason } from "../../api/faults.ts";

/** How often a run may ask again. */
export interface RetryBudget {
  /** Attempts that a slice of this dataset may take. */
  attemptsFor(dataset: string): number;
  /** A slice was given up. */
  recordFailure(dataset: string, reason: Reason): void;
  /** A slice was captured. */
  recordSuccess(dataset: string): void;
  /** Why an endpoint gives nothing: several of its slices failed in a row, and not because of the host. Undefined if it gives something. */
  silenceOf(dataset: string): Reason | undefined;
  /** The reason of the last failure, once the whole run has failed too often in a row to go on. */
  exhausted(): Reason | undefined;
  /** Whether an odd answer is to be asked for once more; `before` is what was odd about those before it. */
  repeatOdd(dataset: string, odd: string, before: ReadonlySet<string>): boolean;
}

const MAX_DATASET_FAILURES = 3;
const MAX_CONSECUTIVE_FAILURES = 50;
/** Slices that must fail before the rest of an endpoint is not asked. */
const MAX_SILENT_FAILURES = 10;

/** Slices in which an oddity must have stayed before others with it are taken at once. */
const MAX_CONFIRMED_ODD = 3;
/** Times that one slice is asked for once more because it is odd. */
const MAX_ODD_REPEATS = 3;

/**
 * An endpoint that failed for several slices in a row gets a single attempt for each of its others until one succeeds; a run
 * in which nothing succeeds any more is ended, to be continued when the upstream is back.
 *
 * Records that are not as documented are taken as they are, if they stay so: damage on the way heals by asking once more, an
 * odd value at the upstream does not. What has stayed in a few slices of a dataset is how the upstream sends it.
 */
export function createRetryBudget(attempts: number): RetryBudget {
  const failures = new Map<string, number>();
  const silent = new Map<string, Reason[]>();
  const confirmedOdd = new Map<string, number>();
  let failuresInRow = 0;
  let last: Reason | undefined;
  return {
    attemptsFor: (dataset) => ((failures.get(dataset) ?? 0) >= MAX_DATASET_FAILURES ? 1 : attempts),
    recordFailure(dataset, reason) {
      failures.set(dataset, (failures.get(dataset) ?? 0) + 1);
      failuresInRow += 1;
      last = reason;
      if (!isOfHost(reason)) silent.set(dataset, [...(silent.get(dataset) ?? []), reason]);
    },
    recordSuccess(dataset) {
      failures.delete(dataset);
      silent.delete(dataset);
      failuresInRow = 0;
    },
    silenceOf(dataset) {
      const reasons = silent.get(dataset) ?? [];
      return reasons.length >= MAX_SILENT_FAILURES ? reasons.at(-1) : undefined;
    },
    exhausted: () => (failuresInRow >= MAX_CONSECUTIVE_FAILURES ? last : undefined),
    repeatOdd(dataset, odd, before) {
      const what = `${dataset} ${odd}`;
      const times = confirmedOdd.get(what) ?? 0;
      if (before.has(odd)) confirmedOdd.set(what, times + 1);
      return !before.has(odd) && before.size < MAX_ODD_REPEATS && times < MAX_CONFIRMED_ODD;
    },
  };
}
