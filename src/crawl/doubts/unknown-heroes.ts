import { truncate } from "../../base/words.ts";
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
    const roster = new Set(run.journal.getState("roster"));
    const lists = answered.flatMap((stored) => {
      const unknown = (stored.facts.keys ?? []).filter((hero) => !roster.has(hero)).sort((a, b) => a - b);
      return unknown.length > 0 ? [{ stored, seen: truncate(unknown.join(", ")) }] : [];
    });
    return [...Map.groupBy(lists, ({ seen }) => seen)].map(([seen, suspects]) => ({
      name: seen,
      why: truncate(`${suspects.length} lists have heroes who are not in the roster: ${seen}`),
      suspects,
    }));
  },
};
