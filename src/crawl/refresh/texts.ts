import { type Slice, sliceId } from "../../api/endpoint.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { capturedById } from "../../journal/journal.ts";
import { type CrawlBase, drawOldest, heldOf, knownSuspects, wasEmpty } from "./base.ts";
import { findChanged, findOutdated } from "./changes.ts";
import type { Night, Note, StepOutcome } from "./decision.ts";
import { isSignal, refreshKindOf } from "./kinds.ts";

/** The number of texts that are asked each night without a sign of change, the oldest first; with a budget, this share of it. */
const AUDITS = { reuse: 34, share: 0.06 };

/** The share that texts may take of the budget left after the lists, while slice groups wait for their turn. */
export const TEXT_SHARE = 0.5;

export const auditsOf = (requestsPerDay: number | undefined) =>
  requestsPerDay === undefined ? AUDITS.reuse : Math.ceil(requestsPerDay * AUDITS.share);

type Suspects = ReadonlySet<string>;

const datasetsOf = (slices: readonly Slice[]) => new Set(slices.map(({ dataset }) => dataset));

const textsOf = (slices: readonly Slice[]) => slices.filter((slice) => refreshKindOf(slice) === "text");

const inEnglish = (slice: Slice): Slice => ({ ...slice, lang: BASE_LANG });

/** Counts the texts that may still be asked for. */
const roomOf = ({ journal, texts: { before, limit } }: Night) =>
  Math.max(0, limit - (capturedById(journal).size - before));

const isDue = ({ base }: Night, slice: Slice, suspect: Suspects) => suspect.has(sliceId(slice)) || !heldOf(base, slice);

const originalsDue = (night: Night, suspect: Suspects) =>
  textsOf(night.wanted).filter((slice) => slice.lang === BASE_LANG && isDue(night, slice, suspect));

/**
 * Decides on lists. An English list that has changed is a sign that the game has changed, so that all texts and all empty slices may have,
 * that the numbers which show its texts have, and the same list in the other languages. Those are due at once, as are lists that were never
 * asked.
 */
export async function decideLists(night: Night): Promise<StepOutcome> {
  const { base, wanted } = night;
  const texts = textsOf(wanted);
  const signals = wanted.filter(isSignal);
  const changed = findChanged(night, signals);
  const [lists, moved] = [datasetsOf(signals), datasetsOf(changed)];
  const ask = texts.filter((slice) => lists.has(slice.dataset) && (moved.has(slice.dataset) || !heldOf(base, slice)));
  const suspect = knownSuspects(base);
  if (changed.length === 0) return { ask, suspect };
  const doubtful = [...texts, ...wanted.filter((slice) => wasEmpty(base, slice))].filter((slice) =>
    heldOf(base, slice),
  );
  for (const slice of [...doubtful, ...(await findOutdated(night))]) suspect.add(sliceId(slice));
  return { ask, suspect, notes: [["changed-lists", { datasets: changed.map(({ dataset }) => dataset) }]] };
}

/** Decides on texts that are asked without a sign of change, the oldest of them. */
export function decideAudits(night: Night, { suspect }: StepOutcome): StepOutcome {
  const { base, journal, requestsPerDay, wanted } = night;
  const drawn = drawAudits(wanted, base, requestsPerDay, journal.header().began_at, suspect);
  return { ask: drawn.slice(0, roomOf(night)), suspect };
}

export function drawAudits(
  slices: readonly Slice[],
  base: CrawlBase | undefined,
  requestsPerDay: number | undefined,
  seed: string,
  suspect: Suspects = new Set(),
): Slice[] {
  const calm = textsOf(slices).filter((slice) => heldOf(base, slice) && !suspect.has(sliceId(slice)));
  return drawOldest(calm, auditsOf(requestsPerDay), base, seed);
}

/** Decides on texts that are due, also because an audit has found a change in one like them. They are asked in English first. */
export function decideOriginals(night: Night, audits: StepOutcome): StepOutcome {
  const suspect = new Set(audits.suspect);
  const changed = findChanged(night, audits.ask);
  // A change in English may be a new version of the game; in another language it may be a new translation.
  for (const slice of changed)
    for (const other of textsOf(night.wanted))
      if (other.dataset === slice.dataset && (slice.lang === BASE_LANG || other.lang === slice.lang))
        if (heldOf(night.base, other)) suspect.add(sliceId(other));
  const notes = changed.map((slice): Note => ["changed-text", { ...slice }]);
  return { ask: originalsDue(night, suspect).slice(0, roomOf(night)), suspect, notes };
}

/**
 * Decides on translations. An English text that stayed the same clears those of all languages; one that has changed makes them due. In
 * another language nothing is sure to be due before the English text has been looked at.
 */
export function decideTranslations(night: Night, originals: StepOutcome): StepOutcome {
  const { journal, wanted } = night;
  const captured = capturedById(journal);
  const suspect = compareEnglish(night, originals.suspect, captured);
  const mayAnswer = new Set(wanted.map(sliceId));
  // A slice that was asked in vain tells nothing, and keeps no other waiting.
  for (const { slice, state } of journal.slices()) if (state === "failed") mayAnswer.delete(sliceId(slice));
  const isSettled = (english: Slice) => {
    const id = sliceId(english);
    return captured.has(id) || !mayAnswer.has(id) || !isDue(night, english, suspect);
  };
  const due = textsOf(wanted).filter(
    (slice) =>
      slice.lang !== BASE_LANG &&
      isDue(night, slice, suspect) &&
      isSettled(inEnglish(slice)) &&
      !captured.has(sliceId(slice)),
  );
  return { ask: due.slice(0, roomOf(night)), suspect };
}

function compareEnglish(night: Night, before: Suspects, captured: Pick<Suspects, "has">): Suspects {
  const suspect = new Set(before);
  const originals = originalsDue(night, before).filter((slice) => captured.has(sliceId(slice)));
  const changed = new Set(findChanged(night, originals));
  const byEnglish = Map.groupBy(textsOf(night.wanted), (slice) => sliceId(inEnglish(slice)));
  for (const original of originals)
    for (const slice of byEnglish.get(sliceId(original)) ?? [])
      if (changed.has(original)) suspect.add(sliceId(slice));
      else suspect.delete(sliceId(slice));
  return suspect;
}
