import { isDeepStrictEqual } from "node:util";
import { withoutBookkeeping } from "../../api/body/bookkeeping.ts";
import { unwrapPictures } from "../../api/body/pictures.ts";
import { type Endpoint, type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { type ListLookup, localisedTexts, writeTexts } from "../../api/localise.ts";
import { yieldOrAbort } from "../../base/processes.ts";
import { truncate } from "../../base/words.ts";
import { findCaptured, type StoredSlice } from "../../journal/journal.ts";
import { listsInHand } from "../refresh/base.ts";
import type { Run } from "../run.ts";

/** Comparisons in one turn of the event loop. */
const COMPARISONS_PER_TURN = 16;

/** An answer in another language, and the English one that is served in its place. */
export interface ComparedAnswer {
  slice: Slice;
  asked: StoredSlice;
  base: StoredSlice;
  /** Path of the first member that differs once texts are in one language; null if both answers are the same. */
  difference: string | null;
  /** True if the two are of different batches: that their numbers differ says nothing about the language. */
  isOfTwoBatches: boolean;
}

/** Compares what was asked in other languages with what would be served in its place, but for what is new with each batch. */
export async function compareLanguages(run: Run, samples: readonly Slice[]): Promise<ComparedAnswer[]> {
  const { journal, options, stop } = run;
  const ids = new Set(samples.flatMap((slice) => [sliceId(slice), sliceId(inEnglish(slice))]));
  const captured = findCaptured(journal, (slice) => ids.has(sliceId(slice)));
  const lists = listsInHand(journal, options.base);
  const comparisons: ComparedAnswer[] = [];
  for (const [index, slice] of samples.entries()) {
    if (index % COMPARISONS_PER_TURN === 0) await yieldOrAbort(stop);
    const base = captured.get(sliceId(inEnglish(slice)));
    const asked = captured.get(sliceId(slice));
    if (!base || !asked) continue;
    const [ours, theirs] = [journal.records(base), journal.records(asked)];
    const difference = compareRecords(endpointOf(slice.dataset), slice.lang, lists, ours, theirs);
    const isOfTwoBatches = difference !== null && base.facts.stamp !== asked.facts.stamp;
    comparisons.push({
      slice,
      asked,
      base,
      difference: difference === null ? null : truncate(difference),
      isOfTwoBatches,
    });
  }
  return comparisons;
}

export const inEnglish = (slice: Slice): Slice => ({ ...slice, lang: BASE_LANG });

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
  const toCompare = (records: unknown[]) => withoutBookkeeping(unwrapPictures(records));
  return firstDifference(toCompare(localised), toCompare(asked), "");
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
