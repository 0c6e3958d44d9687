import { truncate } from "../../base/words.ts";
import { findMixed, stampOf, suspectOf } from "./batches.ts";
import type { DoubtCheck } from "./check.ts";

/**
 * Answers of another batch than most of their table. What does not move however often it is asked is stale at the upstream, or at a
 * cache in between: `stale` in `coverage`.
 */
export const otherBatch: DoubtCheck = {
  name: "other-batch",
  looks: 2,
  ifItStays: "accept",
  find: ({ answered }) =>
    findMixed(answered).map(({ group, why, most, members }) => ({
      name: group,
      why: truncate(why),
      suspects: members.filter((stored) => stampOf(stored) !== most).map(suspectOf),
    })),
};
