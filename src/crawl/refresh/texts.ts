import { type Slice, sliceId } from "../../api/endpoint.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { capturedById } from "../../journal/captured.ts";
import { collect } from "../collect.ts";
import type { Run } from "../run.ts";
import { heldOf, knownSuspects, type RefreshOptions, wasEmpty } from "./base.ts";
import { findChanged } from "./changes.ts";
import { isSignal, refreshKindOf } from "./kinds.ts";
import { drawOldest } from "./oldest.ts";
import { findOutdated } from "./outdated.ts";

/** Texts that are asked each night without a sign of change, the oldest first; of a budget, this part of it. */
const AUDITS = { reuse: 34, share: 0.06 };

/** Of what is left of a budget after the lists: texts take no more while tables wait for their turn. */
export const TEXT_SHARE = 0.5;

export const auditsOf = (requestsPerDay: number | undefined) =>
  requestsPerDay === undefined ? AUDITS.reuse : Math.ceil(requestsPerDay * AUDITS.share);

const inEnglish = (slice: Slice): Slice => ({ ...slice, lang: BASE_LANG });

/** What of the texts is asked in one night, and what may have changed and is not. */
export interface Texts {
  /** Ids of slices that may have changed: texts, numbers that show such, and those without records after a new version of the game. */
  suspects: Set<string>;
  slices: readonly Slice[];
}

/**
 * Asks for the texts that are due, at most `limit` (and always for those lists that others take their texts from): after a sign of
 * change first what is in English, then what has changed there in all other languages. Without a sign some are asked all the same,
 * and a change that is found in one makes others like it due.
 */
export async function refreshTexts(
  run: Run,
  options: RefreshOptions,
  wanted: readonly Slice[],
  limit: number,
): Promise<Texts> {
  const { base } = options;
  const slices = wanted.filter((slice) => refreshKindOf(slice) === "text");
  const texts: Texts = { slices, suspects: knownSuspects(base) };
  const before = capturedById(run.journal).size;
  const left = () => Math.max(0, limit - (capturedById(run.journal).size - before));
  await ask(run, await findChangedLists(run, wanted, texts));
  await audit(run, options, texts, left());
  const isDue = (slice: Slice) => texts.suspects.has(sliceId(slice)) || !heldOf(base, slice);
  const originals = slices.filter((slice) => slice.lang === BASE_LANG && isDue(slice));
  await ask(run, originals.slice(0, left()));
  compareEnglish(run, texts, originals);
  const [have, refused] = [capturedById(run.journal), refusedNow(run)];
  // In another language nothing is sure to be due before the English text has been looked at.
  const translations = slices.filter((slice) => {
    const english = inEnglish(slice);
    const isSettled = have.has(sliceId(english)) || !isDue(english) || refused.has(sliceId(english));
    return slice.lang !== BASE_LANG && isDue(slice) && isSettled && !have.has(sliceId(slice));
  });
  await ask(run, translations.slice(0, left()));
  const asked = capturedById(run.journal);
  for (const id of asked.keys()) texts.suspects.delete(id);
  run.log("texts", { asked: asked.size - before, suspect: texts.suspects.size });
  return texts;
}

/** Ids of slices that the upstream has refused in this crawl. */
const refusedNow = ({ journal, refusals }: Run): Set<string> =>
  new Set(journal.slices().flatMap((stored) => (refusals.isWaiting(stored) ? [sliceId(stored.slice)] : [])));

/** Asks for slices that may be in the plan already. */
export async function ask(run: Run, slices: readonly Slice[]) {
  if (slices.length === 0) return;
  run.journal.addSlices(slices, "answer");
  await collect(run, "answer");
}

/**
 * A list in English that has changed is a sign: of the game, so that all texts and all that was empty may have changed, of the
 * numbers that show its texts, and of the same list in the other languages, which are due at once, as are those that were never asked.
 */
async function findChangedLists(run: Run, wanted: readonly Slice[], { slices, suspects }: Texts): Promise<Slice[]> {
  const base = run.options.refresh?.base;
  const changed = findChanged(run, wanted.filter(isSignal));
  if (changed.length > 0) {
    run.log("changed-lists", { datasets: changed.map(({ dataset }) => dataset) });
    for (const slice of [...slices, ...wanted.filter((one) => wasEmpty(base, one))])
      if (heldOf(base, slice)) suspects.add(sliceId(slice));
    for (const slice of await findOutdated(run, wanted)) suspects.add(sliceId(slice));
  }
  const lists = new Set(wanted.filter(isSignal).map(({ dataset }) => dataset));
  const moved = new Set(changed.map(({ dataset }) => dataset));
  return slices.filter(
    ({ dataset, ...rest }) => lists.has(dataset) && (moved.has(dataset) || !heldOf(base, { dataset, ...rest })),
  );
}

/** Texts that nothing is known to have happened to, the oldest of them. */
export function drawAudits(
  { journal }: Run,
  { base, requestsPerDay }: RefreshOptions,
  slices: readonly Slice[],
  suspects: ReadonlySet<string> = new Set(),
): Slice[] {
  const texts = slices.filter((slice) => refreshKindOf(slice) === "text");
  const calm = texts.filter((slice) => heldOf(base, slice) && !suspects.has(sliceId(slice)));
  return drawOldest(calm, auditsOf(requestsPerDay), base, journal.header().began_at);
}

/** Looks at some texts although nothing is known to have happened to them. */
async function audit(run: Run, options: RefreshOptions, { slices, suspects }: Texts, left: number) {
  const { base } = options;
  const chosen = drawAudits(run, options, slices, suspects).slice(0, left);
  await ask(run, chosen);
  for (const slice of findChanged(run, chosen)) {
    run.log("changed-text", { ...slice });
    // In English it may be a new version of the game; in another language it may be a new translation.
    for (const other of slices)
      if (other.dataset === slice.dataset && (slice.lang === BASE_LANG || other.lang === slice.lang))
        if (heldOf(base, other)) suspects.add(sliceId(other));
  }
}

/** An English text that stayed the same clears those of all languages, one that has changed makes them due. */
function compareEnglish(run: Run, { slices, suspects }: Texts, english: readonly Slice[]) {
  const have = capturedById(run.journal);
  const changed = new Set(findChanged(run, english));
  const byEnglish = Map.groupBy(slices, (slice) => sliceId(inEnglish(slice)));
  for (const slice of english.filter((one) => have.has(sliceId(one))))
    for (const other of byEnglish.get(sliceId(slice)) ?? [])
      if (changed.has(slice)) suspects.add(sliceId(other));
      else suspects.delete(sliceId(other));
}
