import type { Endpoint, Reference, Slice } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { absentText, fingerprintLacking, fingerprintListed, type ListLookup } from "../../api/localise.ts";
import { capturedSlices, type StoredSlice } from "../../journal/journal.ts";
import { listsInHand } from "../refresh/base.ts";
import type { Run } from "../run.ts";

/** So many slices of a dataset leave a text out, at least, if that is how the upstream sends it. */
const COMMON = { share: 0.05, slices: 10 };

/**
 * What cannot be told from the lists, and is asked for itself: slices that show a text of a list otherwise than the list
 * does, in all languages; slices that show one which a language's list lacks, in that language.
 */
export function findTextMismatches(run: Run): Slice[] {
  const { journal, options } = run;
  const { languages } = options.selection;
  const captured = capturedSlices(journal);
  const lists = listsInHand(journal, options.base);
  const base = captured.filter(({ slice }) => slice.lang === BASE_LANG);
  const byDataset = Map.groupBy(base, ({ slice }) => slice.dataset);
  return ENDPOINTS.flatMap((endpoint) => {
    const slices = byDataset.get(endpoint.dataset) ?? [];
    return findMismatches(endpoint, slices, languages, lists).map(({ of, lang }) => ({ ...of.slice, lang }));
  });
}

function findMismatches(
  { text }: Endpoint,
  slices: readonly StoredSlice[],
  languages: readonly Lang[],
  lists: ListLookup,
) {
  // Without a list there is nothing to serve other languages from, and nothing to compare with.
  if (typeof text === "string" || !text.every((reference) => lists(reference, BASE_LANG))) return [];
  const listed = new Set([...fingerprintListed(text, lists), ...commonlyAbsent(text, slices)]);
  const lacking = new Map(
    languages
      .filter((lang) => text.every((reference) => lists(reference, lang)))
      .map((lang) => [lang, new Set(fingerprintLacking(text, lang, lists))] as const)
      .filter(([, texts]) => texts.size > 0),
  );
  return slices.flatMap((of) => {
    const shown = of.facts.shown ?? [];
    const isKnown = shown.every((print) => listed.has(print));
    const asked = languages.filter((lang) => !isKnown || shown.some((print) => lacking.get(lang)?.has(print)));
    return asked.map((lang) => ({ of, lang }));
  });
}

/** Whether a text that is often left out is left out in all languages is for the language check to see. */
function commonlyAbsent(rule: readonly Reference[], slices: readonly StoredSlice[]): string[] {
  const marks = rule.flatMap((reference) =>
    Object.values(reference.texts).map((source) => absentText(reference, source)),
  );
  return marks.filter((mark) => {
    const without = slices.filter(({ facts }) => facts.shown?.includes(mark)).length;
    return without > Math.max(COMMON.slices, COMMON.share * slices.length);
  });
}
