import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Endpoint, keyOf, type Slice, sliceKey } from "../../api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { createLists, type Lists, localisedTexts, writeTexts } from "../../api/localise.ts";
import { quote } from "../../api/quote.ts";
import { listen } from "../../journal/listen.ts";
import { collect, collectAll } from "../collect.ts";
import { refuseIncomplete } from "../endings.ts";
import { widen } from "../plan.ts";
import type { Run } from "../run.ts";
import { heldRecords } from "./stored-records.ts";

/** Comparisons in one turn of the event loop. */
const TURN = 16;
/** Slices of each endpoint that are also asked in each other language. */
const SAMPLES = 2;

export interface Comparison {
  dataset: string;
  slice: string;
  lang: Lang;
  /** Path of the first difference after localisation; null when there is none. */
  difference: string | null;
}

/** With the slices that were compared. */
type Compared = Comparison & { asked: number; base: number };

/**
 * The slices that prove the claim that an endpoint's numbers do not depend on the language: some of each, in every other
 * language. Which ones changes from night to night, but not when a crawl is resumed.
 */
export function planProof(plan: readonly Slice[], languages: readonly Lang[], seed: string): Slice[] {
  const byDataset = Map.groupBy(plan, ({ dataset }) => dataset);
  return ENDPOINTS.filter(({ text }) => text !== "all").flatMap(({ dataset }) => {
    const slices = byDataset.get(dataset) ?? [];
    return languages
      .filter((lang) => lang !== BASE_LANG)
      .flatMap((lang) => draw(slices, `${seed} ${dataset} ${lang}`).map((slice): Slice => ({ ...slice, lang })));
  });
}

/** A few different slices, picked by the seed. */
function draw(slices: readonly Slice[], seed: string): Slice[] {
  const count = Math.min(SAMPLES, slices.length);
  const first = createHash("sha256").update(seed).digest().readUInt32BE();
  const stride = Math.max(1, Math.floor(slices.length / count));
  return Array.from({ length: count }, (_, n) => slices[(first + n * stride) % slices.length] as Slice);
}

/** Compares what was asked in other languages with what would be served in its place. */
async function compareProof({ journal, stop }: Run, proof: readonly Slice[]): Promise<Compared[]> {
  const stored = [...journal.slices(), ...journal.slices("proof")];
  const captured = new Map(stored.filter(({ state }) => state === "captured").map((one) => [keyOf(one.slice), one]));
  const lists = createLists((dataset, lang) => {
    const list = captured.get(keyOf({ dataset, lang }));
    return list && heldRecords(journal, list);
  });
  const found: Compared[] = [];
  for (const [place, slice] of proof.entries()) {
    if (place % TURN === 0) await listen(stop);
    const base = captured.get(keyOf({ ...slice, lang: BASE_LANG }));
    const asked = captured.get(keyOf(slice));
    if (!base || !asked) continue;
    const [ours, theirs] = [heldRecords(journal, base), heldRecords(journal, asked)];
    const difference = compareRecords(endpointOf(slice.dataset), slice.lang, lists, ours, theirs);
    found.push({
      dataset: slice.dataset,
      slice: sliceKey(slice),
      lang: slice.lang,
      difference: difference === null ? null : quote(difference),
      asked: asked.id,
      base: base.id,
    });
  }
  return found;
}

function compareRecords(
  { text }: Endpoint,
  lang: Lang,
  lists: Lists,
  base: unknown[],
  asked: unknown[],
): string | null {
  const localised = base.map((record) => {
    if (typeof text === "string") return record;
    return writeTexts(record, localisedTexts(text, record, lang, lists) ?? []);
  });
  return firstDifference(localised, asked, "");
}

function firstDifference(a: unknown, b: unknown, path: string): string | null {
  if (isDeepStrictEqual(a, b)) return null;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return path;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) {
    const found = firstDifference(
      (a as Record<string, unknown>)[key],
      (b as Record<string, unknown>)[key],
      `${path}.${key}`,
    );
    if (found !== null) return found;
  }
  return path;
}

/**
 * Checks that what is asked in one language holds for all: some slices of each endpoint are asked in every language and
 * compared, but for those whose texts are known to differ. A difference is looked at twice, because the numbers may have
 * moved between the two answers. Returns the datasets of those that stay.
 */
export async function checkLanguageInvariance(run: Run, unlisted: readonly Slice[]): Promise<string[]> {
  const { journal, options, log } = run;
  const odd = new Set(unlisted.map((slice) => keyOf({ ...slice, lang: BASE_LANG })));
  const shared = baseSlices(run).filter((slice) => !odd.has(keyOf(slice)));
  const proof = planProof(shared, options.selection.languages, proofSeed(run));
  journal.expect(proof, "proof");
  await collectProof(run);
  let compared = await compareProof(run, proof);
  const doubtful = compared.filter(({ difference }) => difference !== null);
  if (doubtful.length > 0) {
    log("asking-again", { what: `${doubtful.length} answers differ by language`, slices: doubtful.length * 2 });
    journal.reset(doubtful.flatMap(({ asked, base }) => [asked, base]));
    await collectProof(run);
    compared = await compareProof(run, proof);
  }
  journal.remember(
    "proof",
    compared.map(({ dataset, slice, lang, difference }): Comparison => ({ dataset, slice, lang, difference })),
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

/** Asks for what cannot be localised: these slices, and those of these datasets in all languages. */
export async function captureTranslations(run: Run, unlisted: readonly Slice[], datasets: readonly string[]) {
  const widened = baseSlices(run).filter(({ dataset }) => datasets.includes(dataset));
  run.journal.expect([...unlisted, ...widen(widened, run.options.selection.languages)], "answer");
  await collectAll(run, "answer");
}

const baseSlices = ({ journal }: Run): Slice[] =>
  journal
    .slices()
    .map(({ slice }) => slice)
    .filter(({ lang }) => lang === BASE_LANG);

/** Also the slices to compare with, where they were asked for again. */
async function collectProof(run: Run) {
  await collect(run, "proof");
  await collectAll(run, "answer");
  refuseIncomplete(run, "proof");
}

/** The same samples again when the crawl goes on, also on another day. */
function proofSeed({ journal }: Run): string {
  const seed = (journal.recall("proof_seed") ?? journal.header().started_at) as string;
  journal.remember("proof_seed", seed);
  return seed;
}
