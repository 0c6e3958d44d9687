import { type Slice, sliceId } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import { isOf, type Slices } from "../../../src/extra/sample/service/slice.ts";
import type { Coverage } from "../../../src/snapshot/schema/row-types.ts";
import type { Event } from "./kinds.ts";

/** What a file says of a part, in the words of this oracle: `counters`, `rank glory`, `hero 5 in counters`. */
export interface Before {
  /** By slice. */
  rows: ReadonlyMap<string, Pick<Coverage, "status" | "reason" | "part_id">>;
  parts: readonly string[];
  /** Endpoints that it has open. */
  open: readonly string[];
}

const DIMENSIONS = ["lang", "rank", "days", "lane", "hero"] as const;
const SINGLE = ["rank", "days", "lane", "lang"] as const;

/** A slice as the sample knows it. */
export const toAsked = ({ dataset, hero, subject, rank, days, lane, lang }: Slice): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ endpoint: endpointOf(dataset).path, hero, subject, rank, days, lane, lang }).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, String(value)]]),
    ),
  );

const meets = (events: readonly Event[], slice: Slice): boolean =>
  events.some(({ troubles }) => troubles.some(({ of }: { of: Slices }) => isOf(toAsked(slice), of)));

const isNaming = ({ dataset, lang }: Slice) => lang === "en" && (dataset === "heroes" || dataset === "ratings");

/** Names of all parts of a slice, the widest first. */
function namesOf(slice: Slice): string[] {
  if (isNaming(slice)) return [];
  const values = DIMENSIONS.flatMap((name) => (slice[name] === undefined ? [] : [`${name} ${slice[name]}`]));
  const wide = values.filter((value) => value !== "lang en");
  return [slice.dataset, ...wide, ...values.map((value) => `${value} in ${slice.dataset}`)];
}

/** Whether a part lies within another. */
export function isInside(part: string, outer: string): boolean {
  if (part === outer) return true;
  const [value, dataset] = part.split(" in ");
  return dataset !== undefined && (outer === dataset || outer === value);
}

/** The rule about parts, told by sets: those that lack nine tenths, the largest first, then endpoints that lack a tenth. */
export function findParts(
  planned: readonly Slice[],
  missing: ReadonlySet<string>,
  before: readonly string[],
): { parts: string[]; singles: string[] } {
  const members = new Map<string, string[]>();
  for (const slice of planned)
    for (const name of namesOf(slice)) members.set(name, [...(members.get(name) ?? []), sliceId(slice)]);
  const lackingOf = (name: string, set: ReadonlySet<string>) => (members.get(name) ?? []).filter((id) => set.has(id));
  const closable = [...members].flatMap(([name, ids]) => {
    const { length } = lackingOf(name, missing);
    return length >= 3 && length >= 0.9 * ids.length ? [name] : [];
  });
  const left = new Set(missing);
  const parts: string[] = [];
  const take = (name: string) => {
    parts.push(name);
    for (const id of members.get(name) ?? []) left.delete(id);
  };
  const rank = (name: string): [number, number, number] => [
    -lackingOf(name, left).length,
    before.includes(name) ? 0 : 1,
    members.get(name)?.length ?? 0,
  ];
  for (;;) {
    const [best] = closable
      .filter((name) => lackingOf(name, left).length >= 3)
      .sort((a, b) => compare(rank(a), rank(b)) || closable.indexOf(a) - closable.indexOf(b));
    if (best === undefined) break;
    take(best);
  }
  for (const [name, ids] of members) {
    const { length } = lackingOf(name, left);
    if (!name.includes(" ") && length >= 3 && length > 0.1 * ids.length) take(name);
  }
  const endpoints = parts.filter((name) => !name.includes(" "));
  const singles = planned.filter((slice) => left.has(sliceId(slice)));
  return {
    parts,
    singles: singles.filter((slice) => !isNaming(slice) || !endpoints.includes(slice.dataset)).map(sliceId),
  };
}

const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

/** What meets a slice tonight. */
export interface Weather {
  /** Nothing can be had of it. */
  isGone: (slice: Slice) => boolean;
  /** It has no records. */
  isEmpty: (slice: Slice) => boolean;
}

/** `newcomers`: heroes whom only the list of heroes knows. */
export function weatherOf(events: readonly Event[], newcomers: ReadonlySet<number>): Weather {
  const gone = events.filter(({ fate }) => fate === "gone");
  const empty = events.filter(({ fate }) => fate === "empty");
  return {
    isGone: (slice) => meets(gone, slice) || newcomers.has(slice.hero ?? 0),
    isEmpty: (slice) => meets(empty, slice),
  };
}

/**
 * What is missing: what is gone, and the empty answers of a whole endpoint, or of a table that had records. `kept`: slices that have an
 * answer already.
 */
export function findMissing(
  planned: readonly Slice[],
  { isGone, isEmpty }: Weather,
  before: Before | undefined,
  kept: ReadonlySet<string> = new Set(),
): Set<string> {
  const isKept = (slice: Slice) => kept.has(sliceId(slice));
  const answered = planned.filter((slice) => isKept(slice) || !isGone(slice));
  const had = (slice: Slice) => before?.rows.get(sliceId(slice))?.status === "captured";
  const tableOf = (slice: Slice) => [slice.dataset, ...SINGLE.map((name) => slice[name])].join(" ");
  const isHollow = (slices: readonly Slice[], isEndpoint: boolean) =>
    slices.every((slice) => isEmpty(slice) && !isKept(slice)) &&
    (slices.some(had) || (isEndpoint && slices.length >= 20));
  const endpoints = [...Map.groupBy(answered, ({ dataset }) => dataset).values()];
  const tables = [...Map.groupBy(answered, tableOf).values()];
  return new Set(
    [
      ...planned.filter((slice) => isGone(slice) && !isKept(slice)),
      ...endpoints.filter((slices) => isHollow(slices, true)).flat(),
      ...tables.filter((slices) => isHollow(slices, false)).flat(),
    ].map(sliceId),
  );
}

interface Judged {
  planned: readonly Slice[];
  /** Of those what is to be asked for; the rest counts as there. */
  wanted: readonly Slice[];
  missing: ReadonlySet<string>;
  before: Before | undefined;
  maxMissing: number;
  hasBudget: boolean;
}

/** Why the rule refuses a night of which this is missing; undefined if it is to be published. */
export function findReason({ planned, wanted, missing, before, maxMissing, hasBudget }: Judged): string | undefined {
  if (missing.has("heroes?lang=en")) return "no list of heroes";
  if (maxMissing === 100) return undefined;
  const { parts, singles } = findParts(planned, missing, before?.parts ?? []);
  const isNew = (part: string) => !(before?.parts ?? []).some((outer) => isInside(part, outer));
  const newly = parts.filter(isNew);
  const datasets = [...new Set(planned.map(({ dataset }) => dataset))];
  const open = before ? before.open.filter((dataset) => datasets.includes(dataset)) : datasets;
  const lost = newly.filter((part) => open.includes(part));
  if (lost.length > 0 && 2 * lost.length >= open.length) return "half of the endpoints";
  if (hasBudget) return undefined;
  if (maxMissing === 0 && newly.length > 0) return "something is closed, and nothing may be missing";
  const wasMissing = (id: string) => isLacking(before?.rows.get(id));
  const due = wanted.filter((slice) => !missing.has(sliceId(slice)) || !wasMissing(sliceId(slice))).length;
  const fresh = [...missing].filter((id) => !wasMissing(id)).length;
  if (3 * fresh > due) return "a third is newly missing";
  const most = maxMissing === 0 ? 0 : Math.max(3, (maxMissing / 100) * due);
  return singles.length > most ? "too many single slices" : undefined;
}

/** Whether a slice could not be had in the night of a file. */
export const isLacking = (row: Pick<Coverage, "reason"> | undefined): boolean =>
  row?.reason != null && !["left-out", "not-asked", "unsettled"].includes(row.reason);
