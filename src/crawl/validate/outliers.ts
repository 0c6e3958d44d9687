import { quote } from "../../api/quote.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import type { Disagreement } from "../consistency/compare.ts";

/** Slices without the marks that nearly all of their endpoint carry: a field left out, or the answer of another endpoint. */
export function findOddFaces(slices: readonly StoredSlice[]): Disagreement[] {
  const byDataset = Map.groupBy(
    slices.filter(({ facts }) => facts.face !== undefined),
    ({ slice }) => slice.dataset,
  );
  return [...byDataset].flatMap(([dataset, members]) => {
    const faces = [...Map.groupBy(members, ({ facts }) => facts.face ?? "")].sort(
      ([, a], [, b]) => b.length - a.length,
    );
    return faces.slice(1).map(([face, odd]) => ({
      key: `${dataset} ${face}`,
      what: `${dataset}: ${odd.length} slices with ${face}, unlike the others`,
      older: odd.map(({ id }) => id),
      fatal: false,
    }));
  });
}

/** Lists with heroes who are not in the roster. */
export function findStrangers(slices: readonly StoredSlice[], roster: readonly number[]): Disagreement[] {
  const known = new Set(roster);
  return slices.flatMap(({ id, slice, facts }) => {
    const strangers = (facts.keys ?? []).filter((hero) => !known.has(hero));
    if (strangers.length === 0) return [];
    const table = [slice.dataset, slice.rank, slice.days, slice.lang].filter(Boolean).join(" ");
    return [
      {
        key: `${table} strangers`,
        what: quote(`${table}: ${strangers.length} heroes are not in the roster: ${strangers.join(", ")}`),
        older: [id],
        fatal: false,
      },
    ];
  });
}
