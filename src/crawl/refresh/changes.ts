import { isDeepStrictEqual } from "node:util";
import { withoutBookkeeping } from "../../api/body/bookkeeping.ts";
import { canonical, hashSlice } from "../../api/body/canonical.ts";
import { unwrapPictures } from "../../api/body/pictures.ts";
import { type Reference, type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { createListLookup, findShownTexts, type ListLookup } from "../../api/localise.ts";
import { capturedById } from "../../journal/journal.ts";
import { heldOf, listsInHand, recordsIn } from "./base.ts";
import type { Night } from "./decision.ts";
import { refreshKindOf } from "./kinds.ts";

/** Slices that are looked at in one turn of the event loop. */
const SLICES_PER_TURN = 64;

/** Finds those of these slices whose answers differ from the base. */
export function findChanged({ base, journal }: Night, slices: readonly Slice[]): Slice[] {
  const captured = capturedById(journal);
  return slices.filter((slice) => {
    const [stored, held] = [captured.get(sliceId(slice)), heldOf(base, slice)];
    if (!stored || !held || !base) return false;
    const records = journal.records(stored);
    return hashSlice(records) !== held.sha256 && toWords(records) !== toWords(base.records(slice));
  });
}

const toWords = (records: readonly unknown[]): string => canonical(withoutBookkeeping(unwrapPictures(records)));

/**
 * Finds slices of numbers in the base that show texts which their lists have changed since: no other language can be answered from them
 * until they are asked again.
 */
export async function findOutdated({ base, journal, wanted, pause }: Night): Promise<Slice[]> {
  if (!base) return [];
  const now = listsInHand(journal, base);
  const before = createListLookup((dataset, lang) => recordsIn(base, { dataset, lang }));
  const datasets = new Set(wanted.map(({ dataset }) => dataset));
  const touched = [...datasets].filter((dataset) => {
    const { text } = endpointOf(dataset);
    return typeof text !== "string" && text.some((reference) => hasChanged(reference, before, now));
  });
  const slices = wanted.filter(
    (slice) =>
      touched.includes(slice.dataset) && slice.lang === BASE_LANG && heldOf(base, slice)?.status === "captured",
  );
  const outdated: Slice[] = [];
  for (const [index, slice] of slices.entries()) {
    if (index % SLICES_PER_TURN === 0) await pause();
    const { text } = endpointOf(slice.dataset);
    if (typeof text === "string" || refreshKindOf(slice) !== "turn") continue;
    if (base.records(slice).some((record) => !findShownTexts(text, record, now))) outdated.push(slice);
  }
  return outdated;
}

/** Tells whether an entry that was listed has other texts now, or is gone. */
function hasChanged(reference: Reference, before: ListLookup, now: ListLookup): boolean {
  const [listed, lists] = [before(reference, BASE_LANG), now(reference, BASE_LANG)];
  return [...(listed ?? [])].some(
    ([id, texts]) => !isDeepStrictEqual(unwrapPictures(texts), unwrapPictures(lists?.get(id))),
  );
}
