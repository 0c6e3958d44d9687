import type { Endpoint, Reference, Slice } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { absentText, fingerprintLacking, fingerprintListed, type ListLookup } from "../../api/localise.ts";
import { capturedSlices, type StoredSlice } from "../../journal/journal.ts";
import { listsInHand } from "../refresh/base.ts";
import type { Run } from "../run.ts";

/** The least share and number of slices of a dataset that leave a text out if that is how the upstream sends it. */
const COMMON = { share: 0.05, slices: 10 };

/** An English answer whose texts cannot be told from the lists in some languages. */
export interface TextMismatch {
  stored: StoredSlice;
  /** Fingerprints of the texts that differ from the English lists. It is empty if only the list of another language lacks a text. */
  unlisted: readonly string[];
  languages: readonly Lang[];
}

/**
 * Finds answers that show a text of a list otherwise than the list does, in all languages; and those that show one which a language's list
 * lacks, in that language.
 */
export function findTextMismatches({ journal, options }: Run): TextMismatch[] {
  const { languages } = options.selection;
  const lists = listsInHand(journal, options.base);
  const base = capturedSlices(journal).filter(({ slice }) => slice.lang === BASE_LANG);
  const byDataset = Map.groupBy(base, ({ slice }) => slice.dataset);
  return ENDPOINTS.flatMap((endpoint) =>
    findMismatches(endpoint, byDataset.get(endpoint.dataset) ?? [], languages, lists),
  );
}

/** Returns the slices that are asked for themselves, since no list gives their texts. */
export const slicesOf = ({ stored, languages }: TextMismatch): Slice[] =>
  languages.map((lang) => ({ ...stored.slice, lang }));

function findMismatches(
  { text }: Endpoint,
  slices: readonly StoredSlice[],
  languages: readonly Lang[],
  lists: ListLookup,
): TextMismatch[] {
  // Without a list other languages cannot be served, nor compared.
  if (typeof text === "string" || !text.every((reference) => lists(reference, BASE_LANG))) return [];
  const listed = new Set([...fingerprintListed(text, lists), ...commonlyAbsent(text, slices)]);
  const lacking = new Map(
    languages
      .filter((lang) => text.every((reference) => lists(reference, lang)))
      .map((lang) => [lang, new Set(fingerprintLacking(text, lang, lists))] as const)
      .filter(([, texts]) => texts.size > 0),
  );
  return slices.flatMap((stored) => {
    const { shown = [] } = stored.facts;
    const unlisted = shown.filter((print) => !listed.has(print));
    const isLacking = (lang: Lang) => shown.some((print) => lacking.get(lang)?.has(print));
    const asked = unlisted.length > 0 ? languages : languages.filter(isLacking);
    return asked.length > 0 ? [{ stored, unlisted, languages: asked }] : [];
  });
}

/** Returns the marks of texts that are often left out; the language check tells whether they are left out in all languages. */
function commonlyAbsent(rule: readonly Reference[], slices: readonly StoredSlice[]): string[] {
  const marks = rule.flatMap((reference) =>
    Object.values(reference.texts).map((source) => absentText(reference, source)),
  );
  return marks.filter((mark) => {
    const without = slices.filter(({ facts }) => facts.shown?.includes(mark)).length;
    return without > Math.max(COMMON.slices, COMMON.share * slices.length);
  });
}
