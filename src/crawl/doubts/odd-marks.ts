import type { DoubtCheck } from "./check.ts";

/**
 * An answer without the marks that nearly all of its endpoint carry: a field was left out, or it is the answer of another endpoint. Seen
 * when connections are shared in front of the upstream. Twenty of those without the same marks are looked at: a rank may lack them for good.
 */
export const oddMarks: DoubtCheck = {
  name: "odd-marks",
  looks: 1,
  probes: 20,
  ifItStays: "accept",
  find({ answered }) {
    const byDataset = Map.groupBy(
      answered.filter(({ facts }) => facts.face !== undefined),
      ({ slice }) => slice.dataset,
    );
    return [...byDataset].flatMap(([dataset, members]) => {
      const marks = [...Map.groupBy(members, ({ facts }) => facts.face ?? "")];
      marks.sort(([, a], [, b]) => b.length - a.length);
      return marks.slice(1).map(([seen, odd]) => ({
        name: `${dataset} ${seen}`,
        why: `${dataset}: ${odd.length} slices with ${seen}, unlike the others`,
        suspects: odd.map((stored) => ({ stored, seen })),
      }));
    });
  },
};
