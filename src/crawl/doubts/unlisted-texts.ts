import { truncate } from "../../base/words.ts";
import { findTextMismatches } from "../languages/text-mismatches.ts";
import type { DoubtCheck } from "./check.ts";
import { unknownTo } from "./unknown-heroes.ts";

/**
 * Answers that show a text otherwise than its list does, as after a hero was renamed: an old answer of a cache, or damaged on its way. One of
 * each endpoint is asked again; what stays is asked for itself in each language. What a hero is called whom the roster does not know, no list
 * can say.
 */
export const unlistedTexts: DoubtCheck = {
  name: "unlisted-texts",
  looks: 1,
  probes: 1,
  ifItStays: "accept",
  find({ run }) {
    const unknownIn = unknownTo(run);
    const unlisted = findTextMismatches(run).filter(
      ({ stored, unlisted }) => unlisted.length > 0 && unknownIn(stored).length === 0,
    );
    return [...Map.groupBy(unlisted, ({ stored }) => stored.slice.dataset)].map(([dataset, found]) => ({
      name: dataset,
      why: `${dataset}: ${found.length} answers with texts that are not in a list`,
      suspects: found.map(({ stored, unlisted: texts }) => ({ stored, seen: truncate(texts.join(", ")) })),
    }));
  },
};
