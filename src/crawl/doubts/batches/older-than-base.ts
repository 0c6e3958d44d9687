import { sliceId } from "../../../api/endpoint.ts";
import { UNKNOWN_TIME } from "../../../api/slice-facts.ts";
import type { StoredSlice } from "../../../journal/journal.ts";
import { batchName, sliceGroup } from "../../../journal/slice-group.ts";
import type { CrawlBase } from "../../refresh/base.ts";
import type { DoubtCheck } from "../check.ts";
import { suspectOf } from "./batches.ts";

/** A batch is made after the day that it is of, and never dated after its night by more than this, in milliseconds. */
const MAX_AHEAD_MS = 86_400_000;

/**
 * Answers of an older batch than the base has: those of a day before, out of a cache in between. What stays is missing, so that the newer
 * answer of the base holds. A batch that the base itself doubts, that its night could not know yet, or of a night whose time nobody knows, is
 * nothing to go by.
 */
export const olderThanBase: DoubtCheck = {
  name: "older-than-base",
  looks: 2,
  probes: 2,
  ifItStays: "missing",
  find({ answered, run }) {
    const { base } = run.options;
    const isOlder = (stored: StoredSlice) => isOlderThan(base, stored);
    return [...Map.groupBy(answered.filter(isOlder), sliceGroup)].map(([group, older]) => ({
      name: group,
      why: `${group}: ${older.length} slices are of an older batch than before`,
      suspects: older.map(suspectOf),
    }));
  },
};

/** Tells whether an answer is of an older batch than the one that the base has of its slice. */
export function isOlderThan(base: CrawlBase | undefined, { slice, facts }: StoredSlice): boolean {
  const held = base?.rows.get(sliceId(slice));
  if (!base || !held || held.stale === 1 || held.asked_at === UNKNOWN_TIME) return false;
  const batch = batchName(facts.stamp);
  if (batch === null || held.batch === null || held.batch.length !== batch.length) return false;
  return batch < held.batch && Date.parse(held.batch) <= Date.parse(base.startedAt) + MAX_AHEAD_MS;
}
