import { truncate } from "../../../base/words.ts";
import type { StoredSlice } from "../../../journal/journal.ts";
import type { DoubtCheck } from "../check.ts";
import { batchOf, findMixed, findPassed, ofRank, suspectOf } from "./batches.ts";

/**
 * Answers of another batch than most of their table. What does not move however often it is asked is stale at the upstream, or at a
 * cache in between: `stale` in `coverage`. Those of a batch that has passed are a check of their own.
 */
export const otherBatch: DoubtCheck = {
  name: "other-batch",
  looks: 2,
  ifItStays: "accept",
  isOfTables: true,
  find({ answered, memory }) {
    const passed = findPassed(answered, memory);
    const isOther = (stored: StoredSlice, most: string) =>
      batchOf(stored) !== most && !passed.has(ofRank(stored, batchOf(stored)));
    return findMixed(answered).flatMap(({ group, why, most, members }) => {
      const other = members.filter((stored) => isOther(stored, most));
      return other.length > 0 ? [{ name: group, why: truncate(why), suspects: other.map(suspectOf) }] : [];
    });
  },
};
