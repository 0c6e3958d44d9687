import { type Slice, sliceId, sliceKey } from "../../api/endpoint.ts";
import { collect } from "../ask/collect.ts";
import { doubtsOf, languages } from "../doubts/languages.ts";
import { readMemory } from "../doubts/memory.ts";
import { settleDoubts } from "../doubts/settle.ts";
import { widen } from "../plan.ts";
import type { Run } from "../run.ts";
import { type ComparedAnswer, compareLanguages, inEnglish } from "./compare.ts";
import { answeredLanguages, baseSlicesOf, listSamples, planSamples } from "./samples.ts";
import { findTextMismatches, slicesOf } from "./text-mismatches.ts";

/** The number of heroes for whom numbers must differ by language before all of an endpoint is asked in all languages: one may be odd. */
const ENOUGH_HEROES = 3;

/**
 * Checks that answers in English hold for all languages: some slices of each endpoint are asked in every other language and compared. If
 * they still differ when asked again, all of the endpoint is asked in all of them; a single slice that differs, or shows a text that its
 * list has not, is asked for itself. A slice for which a day has no room is not answered in that language. Returns the datasets whose
 * numbers differ.
 */
export async function captureTranslations(run: Run): Promise<string[]> {
  const samples = planSamples(run);
  await compareSamples(run, samples);
  let differences = await findDifferences(run);
  const more = differences.flatMap((found) => moreSamples(run, found));
  if (more.length > 0) {
    await compareSamples(run, [...samples, ...more]);
    differences = await findDifferences(run);
  }
  const [differing, single] = partition(differences, (found) => isOfEnoughHeroes(run, found));
  const datasets = differing.flatMap(([first]) => first?.slice.dataset ?? []);
  const widened = widen(
    baseSlicesOf(run).filter(({ dataset }) => datasets.includes(dataset)),
    answeredLanguages(run),
  );
  for (const found of differing) tellWidened(run, found, widened);
  const ofThemselves = [...tellMismatches(run), ...single.flat().map(({ slice }) => slice)];
  const { budget, journal } = run;
  journal.addSlices(budget ? ofThemselves.slice(0, budget.left()) : [...ofThemselves, ...widened], "answer");
  await collect(run, "answer");
  return datasets;
}

async function compareSamples(run: Run, samples: readonly Slice[]) {
  run.journal.setState("samples", [...new Set(samples.map(sliceId))]);
  run.journal.addSlices(samples, "proof");
  await collect(run, "proof");
  // Also asks for the slices to compare with, if they were requeued.
  await collect(run, "answer");
  await settleDoubts(run);
}

/** Returns the lasting differences, by dataset. The result of the check is kept for the file. */
async function findDifferences(run: Run): Promise<ComparedAnswer[][]> {
  const { journal, options } = run;
  const compared = await compareLanguages(run, listSamples(run));
  const memory = readMemory(journal, options.base);
  const open = new Set(
    doubtsOf(compared).flatMap((doubt) => memory.openIn(languages, doubt).map(({ stored }) => stored.id)),
  );
  // An answer that a day left no room to ask again, or that is of another batch, says nothing about the language.
  const sure = compared.filter(({ asked, isOfTwoBatches }) => !isOfTwoBatches && !open.has(asked.id));
  journal.setState(
    "proof",
    sure.map(({ slice, difference }) => ({
      dataset: slice.dataset,
      slice: sliceKey(slice),
      lang: slice.lang,
      difference,
    })),
  );
  const differing = sure.filter(({ difference }) => difference !== null);
  return [...Map.groupBy(differing, ({ slice }) => slice.dataset).values()];
}

const subjectOf = (slice: Slice) => slice.hero ?? sliceKey(inEnglish(slice));

/** Tells whether a difference was seen with three heroes, or with all whom the endpoint has. */
function isOfEnoughHeroes(run: Run, found: readonly ComparedAnswer[]): boolean {
  const seen = new Set(found.map(({ slice }) => subjectOf(slice)));
  return seen.size >= Math.min(ENOUGH_HEROES, slicesBySubject(run, found).size);
}

/** Returns slices of other heroes in the language of the first difference, if too few have shown one. */
function moreSamples(run: Run, found: readonly ComparedAnswer[]): Slice[] {
  const [first] = found;
  if (!first || isOfEnoughHeroes(run, found)) return [];
  const seen = new Set(found.map(({ slice }) => subjectOf(slice)));
  const others = [...slicesBySubject(run, found)].filter(([subject]) => !seen.has(subject));
  return others.slice(0, ENOUGH_HEROES).map(([, slice]) => ({ ...slice, lang: first.slice.lang }));
}

function slicesBySubject(run: Run, [first]: readonly ComparedAnswer[]): Map<number | string, Slice> {
  const slices = baseSlicesOf(run).filter(({ dataset }) => dataset === first?.slice.dataset);
  return new Map(slices.map((slice) => [subjectOf(slice), slice]));
}

function tellWidened({ log }: Run, found: readonly ComparedAnswer[], widened: readonly Slice[]) {
  const [{ slice, difference } = {}] = found;
  const requests = widened.filter(({ dataset }) => dataset === slice?.dataset).length;
  const example = `${slice && sliceKey(slice)}: ${difference}`;
  log("widened", { dataset: slice?.dataset, differences: found.length, requests, example });
}

function tellMismatches(run: Run): Slice[] {
  const mismatches = findTextMismatches(run);
  for (const [dataset, found] of Map.groupBy(mismatches, ({ stored }) => stored.slice.dataset))
    run.log("unlisted", { dataset, slices: found.length });
  return mismatches.flatMap(slicesOf);
}

function partition<T>(values: readonly T[], isFirst: (value: T) => boolean): [T[], T[]] {
  return [values.filter(isFirst), values.filter((value) => !isFirst(value))];
}
