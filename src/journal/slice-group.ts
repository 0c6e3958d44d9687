import { sliceName } from "../api/endpoint.ts";
import type { StoredSlice } from "./journal.ts";

/** The slices of all heroes in one endpoint, rank, window, lane and language. The upstream computes them at once and gives them one stamp. */
export type SliceGroup = string;

/** The name of the group that a slice is in. */
export const sliceGroup = ({ slice: { dataset, rank, days, lane, lang } }: Pick<StoredSlice, "slice">): SliceGroup =>
  sliceName({ dataset, ...(lane && { lane }), ...(rank && { rank }), ...(days && { days }), lang });

/** The stamp that most slices carry; of two that are as common, the newer one. */
export function mostCommonStamp(slices: readonly StoredSlice[]): number | string {
  const stamps = Map.groupBy(slices, ({ facts }) => facts.stamp ?? "");
  const [[most] = [""]] = [...stamps].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? 1 : -1));
  return most;
}

/** The batch as an ISO 8601 time, or as a day if only the day is known; null if the slice does not say which it is of. */
export function batchName(stamp: number | string | undefined): string | null {
  if (typeof stamp !== "number") return stamp?.replace("batch of ", "") ?? null;
  const time = new Date(stamp);
  return Number.isNaN(time.getTime()) ? String(stamp) : time.toISOString();
}

/** The checks whose doubts say that an answer is of another batch than most of its table (crawl/doubts). */
export const BATCH_CHECKS: readonly string[] = ["other-batch", "passing-batch"];
