import type { Slice } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { BASE_LANG } from "../api/languages.ts";
import { createLists, listedTexts } from "../api/localise.ts";
import type { Journal } from "../journal/journal.ts";
import { heldRecords } from "./held.ts";
import type { Log } from "./progress.ts";

/**
 * Slices in the base language whose records show a text of a list otherwise than the list does: what they show in another
 * language cannot be told from the list. They are asked in all languages, each for itself.
 */
export function findUnlisted(journal: Journal, log: Log): Slice[] {
  const captured = journal.slices().filter(({ state, slice }) => state === "captured" && slice.lang === BASE_LANG);
  const lists = createLists((dataset) => {
    const list = captured.find(({ slice }) => slice.dataset === dataset);
    return list && heldRecords(journal, list);
  });
  const byDataset = Map.groupBy(captured, ({ slice }) => slice.dataset);
  return ENDPOINTS.flatMap(({ dataset, text }) => {
    const slices = byDataset.get(dataset) ?? [];
    // Without a list there is nothing to serve other languages from, and nothing to compare with.
    if (typeof text === "string" || !text.every((reference) => lists(reference, BASE_LANG))) return [];
    const listed = new Set(listedTexts(text, lists));
    const unlisted = slices.filter(({ facts }) => !(facts.shown ?? []).every((print) => listed.has(print)));
    if (unlisted.length > 0) log("unlisted", { dataset, slices: unlisted.length, of: slices.length });
    return unlisted.map(({ slice }) => slice);
  });
}
