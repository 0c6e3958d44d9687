import type { Reason } from "../../journal/reasons.ts";

export interface Patience {
  /** Attempts that a slice of this dataset may take. */
  attempts(dataset: string): number;
  /** A slice was given up. */
  spend(dataset: string, reason: Reason): void;
  /** A slice was captured. */
  restore(dataset: string): void;
  /** The reason of the last failure, once the whole run has failed too often on end to go on. */
  exhausted(): Reason | undefined;
}

const DATASET_LIMIT = 3;
const RUN_LIMIT = 50;

/**
 * How often to ask again. An endpoint that failed for several slices on end gets a single attempt for each of its others
 * until one succeeds; a run in which nothing succeeds any more is ended, to be continued when the upstream is back.
 */
export function createPatience(attempts: number): Patience {
  const failures = new Map<string, number>();
  let onEnd = 0;
  let last: Reason | undefined;
  return {
    attempts: (dataset) => ((failures.get(dataset) ?? 0) >= DATASET_LIMIT ? 1 : attempts),
    spend(dataset, reason) {
      failures.set(dataset, (failures.get(dataset) ?? 0) + 1);
      onEnd += 1;
      last = reason;
    },
    restore(dataset) {
      failures.delete(dataset);
      onEnd = 0;
    },
    exhausted: () => (onEnd >= RUN_LIMIT ? last : undefined),
  };
}
