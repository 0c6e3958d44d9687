import { hash } from "./hash.ts";

/** What the made-up data depend on. `day` counts roll-overs. */
export interface World {
  readonly seed: number;
  readonly day: number;
  readonly heroes: number;
}

const DAY_MS = 86_400_000;
const NEWEST_DATE = Date.UTC(2026, 6, 24);

export function dateOf(day: number): string {
  return new Date(NEWEST_DATE + day * DAY_MS).toISOString().slice(0, 10);
}

/** When a batch was computed: a while after the end of its newest date, at another minute for each kind of batch. */
export function batchStamp(day: number, ...kind: readonly number[]): number {
  return NEWEST_DATE + (day + 1) * DAY_MS + 3_600_000 + (hash(...kind) % 7_200_000);
}
