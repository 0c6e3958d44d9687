import { truncate } from "../../../base/words.ts";
import type { DoubtCheck } from "../check.ts";
import { batchOf, findMixed, suspectOf } from "./batches.ts";

/**
 * A table in which some answers are newer than most: a newer batch may be on its way. Some of the others are asked, to see whether
 * they come of it too.
 */
export const newerBatch: DoubtCheck = {
  name: "newer-batch",
  looks: 2,
  probes: 2,
  ifItStays: "believe",
  isOfTables: true,
  find({ answered, memory }) {
    const isKnown = (stored: (typeof answered)[number]) => memory.isKnown({ name: "other-batch" }, suspectOf(stored));
    return findMixed(answered).flatMap(({ group, why, most, members }) => {
      if (!members.some((stored) => batchOf(stored) > most && !isKnown(stored))) return [];
      const common = members.filter((stored) => batchOf(stored) === most);
      return [{ name: group, why: truncate(why), suspects: common.map(suspectOf) }];
    });
  },
};
