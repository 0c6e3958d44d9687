import { truncate } from "../../../base/words.ts";
import type { DoubtCheck } from "../check.ts";
import { batchOf, findPassed, ofRank, stampedTables, suspectOf } from "./batches.ts";

/**
 * Answers of a batch that other answers were seen to leave: the upstream's numbers roll over during the crawl, which takes a while. A
 * table that goes on moving is taken as it is, and `doubt` lists it.
 */
export const passingBatch: DoubtCheck = {
  name: "passing-batch",
  looks: 3,
  ifItStays: "carry",
  isOfTables: true,
  find({ answered, memory }) {
    const passed = findPassed(answered, memory);
    if (passed.size === 0) return [];
    return [...stampedTables(answered)].flatMap(([group, members]) => {
      const late = members.filter((stored) => passed.has(ofRank(stored, batchOf(stored))));
      if (late.length === 0) return [];
      const stamps = [...new Set(late.map(batchOf))].sort();
      const why = truncate(`${group}: a newer batch has come, and ${late.length} slices are of ${stamps.join(", ")}`);
      return [{ name: group, why, suspects: late.map(suspectOf) }];
    });
  },
};
