import { createHash } from "node:crypto";
import { isListEndpoint, type Slice, sliceId } from "../../api/endpoint.ts";
import { endpointOf } from "../../api/endpoints.ts";
import { createListLookup, type ListLookup } from "../../api/localise.ts";
import { isRefused } from "../../api/refusals.ts";
import { UNKNOWN_TIME } from "../../api/slice-facts.ts";
import { findCaptured, type Journal } from "../../journal/journal.ts";
import type { Policy } from "../../journal/schema.ts";

/** What a snapshot holds of a slice. */
export interface HeldSlice {
  status: string;
  /** Over its canonical records; null if there is no answer. */
  sha256: string | null;
  asked_at: string | null;
  suspect: number;
  /** Why it is a hole, or is carried over although its crawl was to ask for it. */
  reason: string | null;
}

/** The snapshot that a crawl goes on from. */
export interface CrawlBase {
  id: { version: string; sha256: string };
  /** Start of its crawl. */
  startedAt: string;
  /** By `sliceId`. */
  rows: ReadonlyMap<string, HeldSlice>;
  proof: readonly { dataset: string; difference: string | null }[];
  records(slice: Slice): unknown[];
}

/** How a crawl asks for less than everything. */
export interface RefreshOptions {
  policy: Policy;
  /** Undefined before the first snapshot: then nothing is carried over. */
  base: CrawlBase | undefined;
  /** Requests in one UTC day at most, if the policy is `budget`. */
  requestsPerDay?: number | undefined;
  /** Milliseconds, by dataset: the operator's own target ages. */
  maxAges: ReadonlyMap<string, number>;
}

/** The base on a night that began then: what it dates later, or cannot date, is due before all else. */
export function asOf(base: CrawlBase, startedAt: string): CrawlBase {
  const isLater = ({ asked_at }: HeldSlice) => asked_at !== null && (asked_at > startedAt || asked_at === UNKNOWN_TIME);
  const later = [...base.rows].filter(([, row]) => isLater(row));
  if (later.length === 0) return base;
  const due = later.map(([id, row]) => [id, { ...row, asked_at: UNKNOWN_TIME, suspect: 1 }] as const);
  return { ...base, rows: new Map([...base.rows, ...due]) };
}

/** What the base holds of a slice; undefined if it has no answer. */
export function heldOf(base: CrawlBase | undefined, slice: Slice): (HeldSlice & { asked_at: string }) | undefined {
  const held = base?.rows.get(sliceId(slice));
  return held?.asked_at == null ? undefined : { ...held, asked_at: held.asked_at };
}

/** Whether the upstream refused it when it was last asked. */
export const isRefusedIn = (base: CrawlBase | undefined, slice: Slice): boolean =>
  isRefused(base?.rows.get(sliceId(slice))?.reason);

/** Whether the upstream had no record when it was last asked. */
export const wasEmpty = (base: CrawlBase | undefined, slice: Slice): boolean => heldOf(base, slice)?.status === "empty";

/** Ids of what may have changed since the base was made. */
export const knownSuspects = (base: CrawlBase | undefined): Set<string> =>
  new Set([...(base?.rows ?? [])].flatMap(([id, { suspect }]) => (suspect === 1 ? [id] : [])));

/** So many of the slices, those first that were asked longest ago; `seed` draws among those of one crawl. */
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

/** The lists that a crawl has asked for, or that it carries over. */
export function listsInHand(journal: Pick<Journal, "slices" | "records">, base: CrawlBase | undefined): ListLookup {
  const captured = findCaptured(journal, ({ dataset }) => isListEndpoint(endpointOf(dataset)));
  return createListLookup((dataset, lang) => {
    const slice: Slice = { dataset, lang };
    const list = captured.get(sliceId(slice));
    return list ? journal.records(list) : recordsIn(base, slice);
  });
}

/** The records that the base holds of a slice; undefined if it has no answer. */
export const recordsIn = (base: CrawlBase | undefined, slice: Slice): unknown[] | undefined =>
  heldOf(base, slice) ? base?.records(slice) : undefined;
