import type { Slice } from "../../api/endpoint.ts";
import { describeRefusal, type GroupPart, partsOf, type Refusal } from "../../api/refusals.ts";
import type { RefusedAttempt, StoredSlice } from "../../journal/journal.ts";
import { sliceGroup } from "../../journal/stale.ts";

/** Slices of a block that must be refused alike before the rest of it is not asked. */
export const ENOUGH = 3;

/** What a slice came to that was refused at least once and has no answer. */
export interface RefusedSlice {
  slice: Slice;
  /** Requests that were refused. */
  asks: number;
  /** Epoch milliseconds of the first and of the last of them. */
  firstAt: number;
  lastAt: number;
  refusal: Refusal;
  /** Something else came in between, or another refusal: then it is a failure like others. */
  isMixed: boolean;
}

/**
 * What this crawl has heard of each block: slices of one dataset that have some parameters in common, from a single slice group to all of
 * the endpoint. A block is closed if none of it was captured and enough of it was refused alike, in slices that differ in every
 * dimension in which the block has several values.
 */
export interface Evidence {
  /** The slices that a whole file has. Which values a dimension has follows from them. */
  expect(slices: readonly Slice[]): void;
  noteCaptured(stored: Pick<StoredSlice, "id" | "slice">): void;
  /** An attempt that failed, whatever the reason; what is known of the slice then, if it was ever refused. */
  noteAttempt(stored: Pick<StoredSlice, "id" | "slice">, attempt: Omit<RefusedAttempt, "id">): RefusedSlice | undefined;
  refusedOf(id: number): RefusedSlice | undefined;
  isClosed(slice: Slice): boolean;
  /** Whether it has a hero, language, rank, window or lane of which nothing was captured in any endpoint, and enough was refused alike. */
  isSuspect(slice: Slice): boolean;
  isPartClosed(part: GroupPart): boolean;
  capturedIn(part: GroupPart): number;
  /** Whether anything of its slice group, or of its endpoint, was captured. */
  isProven(slice: Slice): { group: boolean; endpoint: boolean };
  /** Refused slices of an endpoint. */
  refusedIn(dataset: string): readonly Slice[];
}

/** The parameters that select data. */
export const SELECTING = ["lang", "rank", "days", "lane", "hero", "subject"] as const;

const partKey = ({ dataset, dimension, value }: GroupPart) =>
  dimension === "endpoint" ? dataset : `${dataset} ${dimension}=${value}`;

const blocksOf = (slice: Slice): string[] => [slice.dataset, ...partsOf(slice).map(partKey), sliceGroup({ slice })];

/** The same over all endpoints. */
const valuesOf = (slice: Slice): string[] => partsOf(slice).map(({ dimension, value }) => `* ${dimension}=${value}`);

const keysOf = (slice: Slice): string[] => [...blocksOf(slice), ...valuesOf(slice)];

export function createEvidence(): Evidence {
  const captured = new Map<string, number>();
  const refusedIds = new Map<string, Set<number>>();
  const refused = new Map<number, RefusedSlice>();
  const closed = new Set<string>();
  const expected = new Map<string, Slice[]>();
  /** By block: the dimensions in which it has several values. */
  const spread = new Map<string, readonly (typeof SELECTING)[number][]>();

  function spreadOf(block: string, dataset: string) {
    const cached = spread.get(block);
    if (cached) return cached;
    const members = (expected.get(dataset) ?? []).filter((slice) => blocksOf(slice).includes(block));
    const dimensions = SELECTING.filter((name) => new Set(members.map((slice) => slice[name])).size > 1);
    spread.set(block, dimensions);
    return dimensions;
  }

  /** What was refused under a key, if nothing was captured there and it is enough and alike. */
  function findAlike(key: string): RefusedSlice[] | undefined {
    if ((captured.get(key) ?? 0) > 0) return undefined;
    const slices = [...(refusedIds.get(key) ?? [])].flatMap((id) => refused.get(id) ?? []);
    const clean = slices.filter(({ isMixed }) => !isMixed);
    const isAlike = new Set(clean.map(({ refusal }) => describeRefusal(refusal))).size === 1;
    return isAlike && clean.length >= ENOUGH ? clean : undefined;
  }

  function judge(block: string, dataset: string) {
    const alike = findAlike(block);
    const differs = (name: (typeof SELECTING)[number]) => new Set(alike?.map(({ slice }) => slice[name])).size > 1;
    if (alike && spreadOf(block, dataset).every(differs)) closed.add(block);
    else closed.delete(block);
  }

  const judgeAll = ({ slice }: { slice: Slice }) => {
    for (const block of blocksOf(slice)) if (refusedIds.has(block)) judge(block, slice.dataset);
  };

  return {
    expect(slices) {
      expected.clear();
      spread.clear();
      for (const [dataset, members] of Map.groupBy(slices, ({ dataset }) => dataset)) expected.set(dataset, members);
      for (const refusedSlice of refused.values()) judgeAll(refusedSlice);
    },

    noteCaptured({ id, slice }) {
      refused.delete(id);
      for (const key of keysOf(slice)) {
        captured.set(key, (captured.get(key) ?? 0) + 1);
        refusedIds.get(key)?.delete(id);
        closed.delete(key);
      }
    },

    noteAttempt({ id, slice }, { at, refusal }) {
      const before = refused.get(id);
      if (!before && !refusal) return undefined;
      const isOther = before && (!refusal || describeRefusal(refusal) !== describeRefusal(before.refusal));
      const now: RefusedSlice = {
        slice,
        asks: (before?.asks ?? 0) + Number(refusal !== undefined),
        firstAt: before?.firstAt ?? at,
        lastAt: at,
        refusal: before?.refusal ?? (refusal as Refusal),
        isMixed: (before?.isMixed ?? false) || (isOther ?? false),
      };
      refused.set(id, now);
      for (const key of keysOf(slice)) refusedIds.set(key, (refusedIds.get(key) ?? new Set()).add(id));
      judgeAll(now);
      return now;
    },

    refusedOf: (id) => refused.get(id),
    isClosed: (slice) => closed.size > 0 && blocksOf(slice).some((block) => closed.has(block)),
    isSuspect: (slice) => refused.size >= ENOUGH && valuesOf(slice).some(findAlike),
    isPartClosed: (part) => closed.has(partKey(part)),
    capturedIn: (part) => captured.get(partKey(part)) ?? 0,
    isProven: (slice) => ({
      group: (captured.get(sliceGroup({ slice })) ?? 0) > 0,
      endpoint: (captured.get(slice.dataset) ?? 0) > 0,
    }),
    refusedIn: (dataset) => [...(refusedIds.get(dataset) ?? [])].flatMap((id) => refused.get(id)?.slice ?? []),
  };
}
