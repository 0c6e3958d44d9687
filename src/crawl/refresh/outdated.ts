import { isDeepStrictEqual } from "node:util";
import { unwrapPictures } from "../../api/body/pictures.ts";
import type { Reference, Slice } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG } from "../../api/enumerations.ts";
import { createListLookup, findShownTexts, type ListLookup } from "../../api/localise.ts";
import { yieldOrAbort } from "../../base/processes.ts";
import type { Run } from "../run.ts";
import { heldOf } from "./base.ts";
import { listsInHand } from "./in-hand.ts";
import { refreshKindOf } from "./kinds.ts";

/** Slices that are looked at in one turn of the event loop. */
const SLICES_PER_TURN = 64;

/**
 * Numbers in hand that show texts which their lists have changed since: no other language can be answered from them until they are
 * asked again.
 */
export async function findOutdated(run: Run, wanted: readonly Slice[]): Promise<Slice[]> {
  const base = run.options.refresh?.base;
  if (!base) return [];
  const now = listsInHand(run);
  const before = createListLookup((dataset, lang) =>
    heldOf(base, { dataset, lang }) ? base.records({ dataset, lang }) : undefined,
  );
  const datasets = new Set(wanted.map(({ dataset }) => dataset));
  const touched = [...datasets].filter((dataset) => {
    const { text } = endpointOf(dataset);
    return typeof text !== "string" && text.some((reference) => hasChanged(reference, before, now));
  });
  const slices = wanted.filter(
    (slice) =>
      touched.includes(slice.dataset) && slice.lang === BASE_LANG && heldOf(base, slice)?.status === "captured",
  );
  const found: Slice[] = [];
  for (const [place, slice] of slices.entries()) {
    if (place % SLICES_PER_TURN === 0) await yieldOrAbort(run.stop);
    const { text } = endpointOf(slice.dataset);
    if (typeof text === "string" || refreshKindOf(slice) !== "turn") continue;
    if (base.records(slice).some((record) => !findShownTexts(text, record, now))) found.push(slice);
  }
  return found;
}

/** Whether an entry that was listed has other texts now, or is gone. */
function hasChanged(reference: Reference, before: ListLookup, now: ListLookup): boolean {
  const [listed, lists] = [before(reference, BASE_LANG), now(reference, BASE_LANG)];
  return [...(listed ?? [])].some(
    ([id, texts]) => !isDeepStrictEqual(unwrapPictures(texts), unwrapPictures(lists?.get(id))),
  );
}
