import { sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { truncate } from "../../base/words.ts";
import { capturedById } from "../../journal/journal.ts";
import { findTextMismatches } from "../languages/text-mismatches.ts";
import type { DoubtCheck } from "./check.ts";
import { unknownTo } from "./unknown-heroes.ts";

/**
 * Answers that show a text otherwise than its list does, as after a hero was renamed: either is an old answer of a cache, or was damaged on
 * its way. One of each endpoint is asked again beside its lists; what stays is asked for itself in each language. No list can say what a
 * hero is called whom the roster does not know.
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
    const captured = capturedById(run.journal);
    const listsOf = (dataset: string) => {
      const { text } = endpointOf(dataset);
      const lists = typeof text === "string" ? [] : text.map(({ list }) => sliceId({ dataset: list, lang: BASE_LANG }));
      return lists.flatMap((list) => captured.get(list)?.id ?? []);
    };
    return [...Map.groupBy(unlisted, ({ stored }) => stored.slice.dataset)].map(([dataset, found]) => {
      const beside = listsOf(dataset);
      return {
        name: dataset,
        why: `${dataset}: ${found.length} answers with texts that are not in a list`,
        suspects: found.map(({ stored, unlisted: texts }) => ({ stored, seen: truncate(texts.join(", ")), beside })),
      };
    });
  },
};
