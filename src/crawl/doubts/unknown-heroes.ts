import { truncate } from "../../base/words.ts";
import type { StoredSlice } from "../../journal/journal.ts";
import type { Run } from "../run.ts";
import type { DoubtCheck } from "./check.ts";

/**
 * Lists with heroes who are not in the roster: one who came under way, or a hero of the publisher's own tests, who was seen in the rank
 * lists without a single appearance. Two lists are asked again for all of them.
 */
export const unknownHeroes: DoubtCheck = {
  name: "unknown-heroes",
  looks: 2,
  probes: 1,
  ifItStays: "accept",
  find({ answered, run }) {
    const unknownIn = unknownTo(run);
    const lists = answered.flatMap((stored) => {
      const unknown = unknownIn(stored);
      return unknown.length > 0 ? [{ stored, seen: truncate(unknown.join(", ")) }] : [];
    });
    return [...Map.groupBy(lists, ({ seen }) => seen)].map(([seen, suspects]) => ({
      name: seen,
      why: truncate(`${suspects.length} lists have heroes who are not in the roster: ${seen}`),
      suspects,
    }));
  },
};

/** Lists the heroes of an answer who are not in the roster. */
export function unknownTo({ journal }: Pick<Run, "journal">): (stored: StoredSlice) => number[] {
  const roster = new Set(journal.getState("roster"));
  return ({ facts }) => (facts.keys ?? []).filter((hero) => !roster.has(hero)).sort((a, b) => a - b);
}
