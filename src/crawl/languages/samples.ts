import { createHash } from "node:crypto";
import { parseSliceId, type Slice, sliceId } from "../../api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import type { ListLookup } from "../../api/localise.ts";
import { capturedSlices } from "../../journal/journal.ts";
import { listsInHand } from "../refresh/base.ts";
import type { Run } from "../run.ts";
import { findTextMismatches } from "./text-mismatches.ts";

/** Slices of each endpoint that are also asked in each other language. */
const SAMPLES_PER_LANGUAGE = 2;

/**
 * Plans slices that show whether an endpoint's numbers are the same in all languages: some of each, in every other language. The choice
 * changes from night to night, but not when a crawl is resumed.
 */
export function planLanguageCheck(
  plan: readonly Slice[],
  languages: readonly Lang[],
  seed: string,
  samples = SAMPLES_PER_LANGUAGE,
): Slice[] {
  const byDataset = Map.groupBy(plan, ({ dataset }) => dataset);
  return ENDPOINTS.filter(({ text }) => text !== "all").flatMap(({ dataset }) => {
    const slices = byDataset.get(dataset) ?? [];
    return languages
      .filter((lang) => lang !== BASE_LANG)
      .flatMap((lang) =>
        draw(slices, `${seed} ${dataset} ${lang}`, samples).map((slice): Slice => ({ ...slice, lang })),
      );
  });
}

/** Draws a few different slices by the seed. */
function draw(slices: readonly Slice[], seed: string, samples: number): Slice[] {
  const count = Math.min(samples, slices.length);
  const first = createHash("sha256").update(seed).digest().readUInt32BE();
  const stride = Math.max(1, Math.floor(slices.length / count));
  return Array.from({ length: count }, (_, n) => slices[(first + n * stride) % slices.length] as Slice);
}

/**
 * Plans the check of a night: slices of each endpoint in all languages; with a budget one of each in one language, another one each night.
 */
export function planNightlyCheck(run: Run, plan: readonly Slice[], seed: string): Slice[] {
  const { budget } = run;
  const languages = answeredLanguages(run);
  if (!budget) return planLanguageCheck(plan, languages, seed);
  const others = languages.filter((lang) => lang !== BASE_LANG);
  const lang = others[createHash("sha256").update(seed).digest().readUInt32BE() % others.length];
  return lang ? planLanguageCheck(plan, [lang], seed, 1) : [];
}

/**
 * Returns the slices that this night compares with English. Slices with a text mismatch are left out. A crawl that is resumed plans the
 * same slices, also on another day.
 */
export function planSamples(run: Run): Slice[] {
  const { journal, options } = run;
  const odd = new Set(findTextMismatches(run).map(({ stored }) => sliceId(stored.slice)));
  const shared = baseSlicesOf(run).filter((slice) => !odd.has(sliceId(slice)));
  const seed = journal.getState("proof_seed") ?? journal.header().began_at;
  journal.setState("proof_seed", seed);
  const lists = listsInHand(journal, options.base);
  return planNightlyCheck(run, shared, seed).filter((slice) => canBeTold(slice, lists));
}

/** Returns the slices that this night compares, as the journal has them. */
export const listSamples = ({ journal }: Pick<Run, "journal">): Slice[] =>
  (journal.getState("samples") ?? []).map(parseSliceId);

/** Tells whether all lists are there whose texts a slice shows: without one nobody can tell whether the rest is the same. */
function canBeTold({ dataset, lang }: Slice, lists: ListLookup): boolean {
  const { text } = endpointOf(dataset);
  return typeof text === "string" || text.every((reference) => lists(reference, lang));
}

/** Returns the languages in which a slice was answered, or none asked for. */
export function answeredLanguages({ journal, options }: Run): Lang[] {
  const asked = Map.groupBy([...journal.slices(), ...journal.slices("closed")], ({ slice }) => slice.lang);
  const isAnswered = (lang: Lang) => asked.get(lang)?.some(({ state }) => state === "captured") ?? true;
  return options.selection.languages.filter(isAnswered);
}

export const baseSlicesOf = ({ journal }: Pick<Run, "journal">): Slice[] =>
  capturedSlices(journal).flatMap(({ slice }) => (slice.lang === BASE_LANG ? [slice] : []));
