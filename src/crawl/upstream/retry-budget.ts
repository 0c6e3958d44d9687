import type { Reason } from "../../api/faults.ts";

/** How often a run may ask again. */
export interface RetryBudget {
  /** Attempts that a slice of this dataset may take. */
  attemptsFor(dataset: string): number;
  /** A slice was given up. */
  recordFailure(dataset: string, reason: Reason): void;
  /** A slice was captured. */
  recordSuccess(dataset: string): void;
  /** The reason of the last failure, once the whole run has failed too often in a row to go on. */
  exhausted(): Reason | undefined;
}

const MAX_DATASET_FAILURES = 3;
const MAX_CONSECUTIVE_FAILURES = 50;

/**
 * An endpoint that failed for several slices in a row gets a single attempt for each of its others
 * until one succeeds; a run in which nothing succeeds any more is ended, to be continued when the upstream is back.
 */
export function createRetryBudget(attempts: number): RetryBudget {
  const failures = new Map<string, number>();
  let failuresInRow = 0;
  let last: Reason | undefined;
  return {
    attemptsFor: (dataset) => ((failures.get(dataset) ?? 0) >= MAX_DATASET_FAILURES ? 1 : attempts),
    recordFailure(dataset, reason) {
      failures.set(dataset, (failures.get(dataset) ?? 0) + 1);
      failuresInRow += 1;
      last = reason;
    },
    recordSuccess(dataset) {
      failures.delete(dataset);
      failuresInRow = 0;
    },
    exhausted: () => (failuresInRow >= MAX_CONSECUTIVE_FAILURES ? last : undefined),
  };
}
