import type { DoubtCheck } from "./check.ts";

/**
 * Records that are not as documented. Damage on the way heals by asking once more, an odd value at the upstream does not: what has stayed
 * in three slices of an endpoint is how it sends it, and is told by drift.
 */
export const oddRecords: DoubtCheck = {
  name: "odd-records",
  looks: 1,
  probes: 3,
  fault: "odd",
  ifItStays: "believe",
  find({ answered }) {
    const odd = answered.flatMap((stored) =>
      stored.facts.odd === undefined ? [] : [{ stored, seen: stored.facts.odd }],
    );
    const byOddity = Map.groupBy(odd, ({ stored, seen }) => `${stored.slice.dataset} ${seen}`);
    return [...byOddity].map(([name, suspects]) => ({
      name,
      why: `${name}: ${suspects.length} slices are not as documented`,
      suspects,
    }));
  },
};
