import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { unwrapPictures } from "../../api/body/pictures.ts";
import { type Endpoint, type Slice, sliceId, sliceKey } from "../../api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { type ListLookup, localisedTexts, writeTexts } from "../../api/localise.ts";
import { yieldOrAbort } from "../../base/processes.ts";
import { truncate } from "../../base/words.ts";
import { capturedSlices, findCaptured } from "../../journal/journal.ts";
import type { LanguageComparison } from "../../journal/schema.ts";
import { collect } from "../ask/collect.ts";
import { widen } from "../plan.ts";
import { listsInHand } from "../refresh/base.ts";
import type { Run } from "../run.ts";

/** Comparisons in one turn of the event loop. */
const COMPARISONS_PER_TURN = 16;
/** Slices of each endpoint that are also asked in each other language. */
const SAMPLES_PER_LANGUAGE = 2;
/** Times that a difference is looked at before it is believed. */
const MAX_LOOKS = 3;

/** With the ids of the slices that were compared. */
type Compared = LanguageComparison & { asked: number; base: number };

/**
 * The slices that show whether an endpoint's numbers are the same in all languages: some of each, in every other language.
 * Which ones changes from night to night, but not when a crawl is resumed.
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

/** A few different slices, picked by the seed. */
function draw(slices: readonly Slice[], seed: string, samples: number): Slice[] {
  const count = Math.min(samples, slices.length);
  const first = createHash("sha256").update(seed).digest().readUInt32BE();
  const stride = Math.max(1, Math.floor(slices.length / count));
  return Array.from({ length: count }, (_, n) => slices[(first + n * stride) % slices.length] as Slice);
}

/** Compares what was asked in other languages with what would be served in its place. */
async function compareLanguages(run: Run, check: readonly Slice[]): Promise<Compared[]> {
  const { journal, options, stop } = run;
  const ids = new Set(check.flatMap((slice) => [sliceId(slice), sliceId({ ...slice, lang: BASE_LANG })]));
  const captured = findCaptured(journal, (slice) => ids.has(sliceId(slice)));
  const lists = listsInHand(journal, options.base);
  const comparisons: Compared[] = [];
  for (const [index, slice] of check.entries()) {
    if (index % COMPARISONS_PER_TURN === 0) await yieldOrAbort(stop);
    const base = captured.get(sliceId({ ...slice, lang: BASE_LANG }));
    const asked = captured.get(sliceId(slice));
    if (!base || !asked) continue;
    const [ours, theirs] = [journal.records(base), journal.records(asked)];
    const difference = compareRecords(endpointOf(slice.dataset), slice.lang, lists, ours, theirs);
    comparisons.push({
      dataset: slice.dataset,
      slice: sliceKey(slice),
      lang: slice.lang,
      difference: difference === null ? null : truncate(difference),
      asked: asked.id,
      base: base.id,
    });
  }
  return comparisons;
}

function compareRecords(
  { text }: Endpoint,
  lang: Lang,
  lists: ListLookup,
  base: unknown[],
  asked: unknown[],
): string | null {
  const localised = base.map((record) => {
    if (typeof text === "string") return record;
    return writeTexts(record, localisedTexts(text, record, lang, lists) ?? []);
  });
  return firstDifference(unwrapPictures(localised), unwrapPictures(asked), "");
}

function firstDifference(a: unknown, b: unknown, path: string): string | null {
  if (isDeepStrictEqual(a, b)) return null;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return path;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    const difference = firstDifference(
      (a as Record<string, unknown>)[key],
      (b as Record<string, unknown>)[key],
      `${path}.${key}`,
    );
    if (difference !== null) return difference;
  }
  return path;
}

/**
 * Checks that what is asked in one language holds for all: some slices of each endpoint, but none with a text mismatch, are
 * asked in every language and compared. A difference is looked at again, because the numbers may have moved between the two
 * answers, or one of them may have been damaged in a way that nothing else shows. Returns the datasets with one that stays.
 */
export async function checkLanguageInvariance(run: Run, mismatches: readonly Slice[]): Promise<string[]> {
  const { journal, log } = run;
  const odd = new Set(mismatches.map((slice) => sliceId({ ...slice, lang: BASE_LANG })));
  const shared = baseSlicesOf(run).filter((slice) => !odd.has(sliceId(slice)));
  const seed = checkSeed(run);
  const lists = listsInHand(journal, run.options.base);
  const check = planNightlyCheck(run, shared, seed).filter((slice) => canBeTold(slice, lists));
  journal.addSlices(check, "proof");
  await collectLanguageCheck(run);
  let compared = await compareLanguages(run, check);
  for (let look = 2; look <= MAX_LOOKS; look += 1) {
    const doubtful = compared.filter(({ difference }) => difference !== null);
    if (doubtful.length === 0) break;
    const again = new Set(doubtful.flatMap(({ asked, base }) => [asked, base]));
    if (run.budget && run.budget.left() < again.size) {
      // Numbers that roll over under a check look the same: it says nothing until a night has a second look left.
      compared = compared.filter(({ difference }) => difference === null);
      break;
    }
    log("asking-again", { what: `${doubtful.length} answers differ by language`, slices: again.size });
    journal.requeue([...again]);
    await collectLanguageCheck(run);
    compared = await compareLanguages(run, check);
  }
  journal.setState(
    "proof",
    compared.map(({ dataset, slice, lang, difference }): LanguageComparison => ({ dataset, slice, lang, difference })),
  );
  const differing = Map.groupBy(
    compared.filter(({ difference }) => difference !== null),
    ({ dataset }) => dataset,
  );
  for (const [dataset, differences] of differing) {
    const [{ slice, difference } = {}] = differences;
    log("widened", { dataset, differences: differences.length, example: `${slice}: ${difference}` });
  }
  return [...differing.keys()];
}

/** Whether all lists are there whose texts it shows: without one nobody can tell whether the rest is the same. */
function canBeTold({ dataset, lang }: Slice, lists: ListLookup): boolean {
  const { text } = endpointOf(dataset);
  return typeof text === "string" || text.every((reference) => lists(reference, lang));
}

/**
 * Asks for what cannot be localised: these slices, and those of these datasets in all languages; as many as a budget has left. What
 * is not asked is not answered in that language.
 */
export async function captureTranslations(run: Run, mismatches: readonly Slice[], datasets: readonly string[]) {
  const widened = baseSlicesOf(run).filter(({ dataset }) => datasets.includes(dataset));
  const all = [...mismatches, ...widen(widened, answeredLanguages(run))];
  run.journal.addSlices(run.budget ? mismatches.slice(0, run.budget.left()) : all, "answer");
  await collect(run, "answer");
}

/** The same in all languages; with a budget one slice of each endpoint in one language, another one each night. */
export function planNightlyCheck(run: Run, plan: readonly Slice[], seed: string): Slice[] {
  const { budget } = run;
  const languages = answeredLanguages(run);
  if (!budget) return planLanguageCheck(plan, languages, seed);
  const others = languages.filter((lang) => lang !== BASE_LANG);
  const lang = others[createHash("sha256").update(seed).digest().readUInt32BE() % others.length];
  return lang ? planLanguageCheck(plan, [lang], seed, 1) : [];
}

/** Those in which something was answered, or nothing asked for. */
function answeredLanguages({ journal, options }: Run): Lang[] {
  const asked = Map.groupBy([...journal.slices(), ...journal.slices("closed")], ({ slice }) => slice.lang);
  const isAnswered = (lang: Lang) => asked.get(lang)?.some(({ state }) => state === "captured") ?? true;
  return options.selection.languages.filter(isAnswered);
}

const baseSlicesOf = ({ journal }: Run): Slice[] =>
  capturedSlices(journal).flatMap(({ slice }) => (slice.lang === BASE_LANG ? [slice] : []));

/** Also the slices to compare with, if they were asked for again. */
async function collectLanguageCheck(run: Run) {
  await collect(run, "proof");
  await collect(run, "answer");
}

/** The same samples again when the crawl goes on, also on another day. */
function checkSeed({ journal }: Run): string {
  const seed = journal.getState("proof_seed") ?? journal.header().began_at;
  journal.setState("proof_seed", seed);
  return seed;
}
