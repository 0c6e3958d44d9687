import { createHash } from "node:crypto";
import { isListEndpoint, type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { createListLookup, type ListLookup } from "../../api/localise.ts";
import { UNKNOWN_TIME } from "../../api/slice-facts.ts";
import type { BaseFacts } from "../../journal/conclusion/base-facts.ts";
import { findCaptured, type Journal } from "../../journal/journal.ts";
import type { Policy } from "../../journal/schema.ts";

/** A slice as a snapshot holds it. */
export interface HeldSlice {
  status: string;
  /** The hash of its canonical records; null if there is no answer. */
  sha256: string | null;
  asked_at: string | null;
  /** Start of the last run that asked for it and accepted nothing; null if its answer was the last. */
  tried_at: string | null;
  suspect: number;
  /** The reason why it is a hole, or is carried over. */
  reason: string | null;
  /** The closed part that explains it. */
  part_id: number | null;
  /** The upstream's batch; null if the answer does not name it. */
  batch: string | null;
  /** 1: of another batch than most of its table, and stays so. */
  stale: number;
}

/** The snapshot that a crawl builds on. */
export interface CrawlBase extends Omit<BaseFacts, "rows"> {
  /** Ids of its heroes. */
  heroes: readonly number[];
  id: { version: string; sha256: string };
  /** Start of its crawl. */
  startedAt: string;
  /** The slices, by `sliceId`. */
  rows: ReadonlyMap<string, HeldSlice>;
  proof: readonly { dataset: string; difference: string | null }[];
  /** Doubts that stayed in its night, by check and `sliceId`. */
  doubts: ReadonlyMap<string, { seen: string }>;
  records(slice: Slice): unknown[];
}

/** Options for what a crawl asks for: everything, or less. */
export interface RefreshOptions {
  policy: Policy;
  /** Undefined before the first snapshot, or if it cannot be read: no answers are carried over then. */
  base: CrawlBase | undefined;
  /** The most requests in one UTC day, if the policy is `budget`. */
  requestsPerDay?: number | undefined;
}

/** Returns the base as of a night that began then: slices that it dates later, or cannot date, are due before all others. */
export function asOf(base: CrawlBase, startedAt: string): CrawlBase {
  const known = (time: string | null) => (time !== null && time > startedAt ? UNKNOWN_TIME : time);
  const due = [...base.rows].flatMap(([id, row]) => {
    const times = { asked_at: known(row.asked_at), tried_at: known(row.tried_at) };
    return Object.values(times).includes(UNKNOWN_TIME) ? [[id, { ...row, ...times, suspect: 1 }] as const] : [];
  });
  if (due.length === 0) return base;
  return { ...base, rows: new Map([...base.rows, ...due]) };
}

/** Returns what the base holds of a slice; undefined if it has no answer. */
export function heldOf(base: CrawlBase | undefined, slice: Slice): (HeldSlice & { asked_at: string }) | undefined {
  const held = base?.rows.get(sliceId(slice));
  return held?.asked_at == null ? undefined : { ...held, asked_at: held.asked_at };
}

/** Returns when a slice was last asked for, whatever came, in epoch milliseconds; undefined if it never was. */
export function lookedAt(base: CrawlBase | undefined, slice: Slice): number | undefined {
  const { asked_at, tried_at } = base?.rows.get(sliceId(slice)) ?? {};
  const last = tried_at ?? asked_at;
  return last == null ? undefined : Date.parse(last);
}

/** Tells whether the upstream had no record when it was last asked. */
export const wasEmpty = (base: CrawlBase | undefined, slice: Slice): boolean => heldOf(base, slice)?.status === "empty";

/** Returns the ids of slices that may have changed since the base was made. */
export const knownSuspects = (base: CrawlBase | undefined): Set<string> =>
  new Set([...(base?.rows ?? [])].flatMap(([id, { suspect }]) => (suspect === 1 ? [id] : [])));

/** Draws so many of the slices, those first that were asked longest ago; `seed` draws among those of one crawl. */
export function drawOldest(
  slices: readonly Slice[],
  count: number,
  base: CrawlBase | undefined,
  seed: string,
): Slice[] {
  const keyed = slices.map((slice) => ({
    slice,
    askedAt: heldOf(base, slice)?.asked_at ?? "",
    draw: createHash("sha256")
      .update(`${seed} ${sliceId(slice)}`)
      .digest("hex"),
  }));
  keyed.sort((a, b) => compare(a.askedAt, b.askedAt) || compare(a.draw, b.draw));
  return keyed.slice(0, count).map(({ slice }) => slice);
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);

/** Returns the lists that a crawl has asked for, or that it carries over. */
export function listsInHand(journal: Pick<Journal, "slices" | "records">, base: CrawlBase | undefined): ListLookup {
  const captured = findCaptured(journal, ({ dataset }) => isListEndpoint(endpointOf(dataset)));
  return createListLookup((dataset, lang) => {
    const slice: Slice = { dataset, lang };
    const list = captured.get(sliceId(slice));
    return list ? journal.records(list) : recordsIn(base, slice);
  });
}

/** Returns the records that the base holds of a slice; undefined if it has no answer. */
export const recordsIn = (base: CrawlBase | undefined, slice: Slice): unknown[] | undefined =>
  heldOf(base, slice) ? base?.records(slice) : undefined;
