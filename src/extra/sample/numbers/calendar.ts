import { hash } from "./hash.ts";

/** Everything the generated data depend on: `day` counts roll-overs, `heroes` is the size of the roster. */
export interface World {
  readonly seed: number;
  readonly day: number;
  readonly heroes: number;
}

const DAY_MS = 86_400_000;
const FIRST_DATE_MS = Date.UTC(2026, 6, 24);

/** ISO date of a day. */
export function dateOf(day: number): string {
  return new Date(FIRST_DATE_MS + day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns the time when a batch was computed, in milliseconds since 1970: some time after its newest date, different for each kind of
 * batch.
 */
export function batchTimestamp(day: number, ...kind: readonly number[]): number {
  return FIRST_DATE_MS + (day + 1) * DAY_MS + 3_600_000 + (hash(...kind) % 7_200_000);
}
