import { ENVELOPES, type RecordsPage } from "../../api/body/envelope.ts";
import { readPath } from "../../api/body/path.ts";
import { recordKey } from "../../api/body/record-fields.ts";
import { readNumber } from "../../api/body/scalars.ts";
import type { Endpoint, Ordering } from "../../api/endpoint.ts";
import { type ParameterValues, parseQuery } from "../../api/request/parameters.ts";
import { shapeOf } from "../../api/shapes.ts";
import type { Query } from "./random-query.ts";

export interface Difference {
  path: string;
  /** True if a later batch of the same data explains it. All other differences are wrong. */
  newer: boolean;
}

type Node = Record<string, unknown>;

/** A hero's best and worst pairings: the batch's numbers determine the heroes there and their order. */
const PAIRINGS = ["sub_hero", "sub_hero_last"];
const DATE = /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/;

const wrongAt = (path: string): Difference => ({ path, newer: false });

/**
 * Finds the first wrong difference between our page and the upstream's answer, or else the first newer one. These count as newer, and only
 * if shape and number of records agree:
 * - a number that is no id, and a date;
 * - the heroes in the best and worst pairings, with their portraits and channels, and their order;
 * - the contents of a build with another win rate;
 * - everything in data that people vote on, if it still has its shape;
 * - the heroes on a page of a list ordered by rates, and their order. Each is compared with its own record from our complete list, and both
 *   pages must be in the order that was asked for.
 * The same heroes with the same numbers in another order are wrong.
 */
export function firstDifference(
  { endpoint, search }: Query,
  ours: RecordsPage,
  answer: unknown,
  wholeList: () => unknown[],
): Difference | undefined {
  const parsed = ENVELOPES[endpoint.wrapping ?? "pages"].safeParse(answer);
  if (!parsed.success) return wrongAt(join("", parsed.error.issues[0]?.path ?? []));
  const theirs = parsed.data;
  if (theirs.total !== ours.total) return wrongAt("data.total");
  const inPlace = [...compare(ours.records, theirs.records, "data.records")];
  if (endpoint.moving && inPlace.length > 0) return compareShapes(endpoint, theirs);
  const byRates = endpoint.rates && endpoint.ordering;
  const sameLength = ours.records.length === theirs.records.length;
  const differences =
    byRates && sameLength && inPlace.length > 0
      ? compareByRates(endpoint, byRates, parseQuery(endpoint.parameters, search).values, ours, theirs, wholeList())
      : inPlace;
  return differences.find(({ newer }) => !newer) ?? differences[0];
}

/** Compares shapes only: while people vote, everything that still has its shape is newer. */
function compareShapes(endpoint: Endpoint, { records }: RecordsPage): Difference {
  const shape = shapeOf(endpoint);
  const broken = records.map((record) => shape.safeParse(record)).find(({ success }) => !success);
  const path = "data";
  return broken?.error ? wrongAt(join(path, broken.error.issues[0]?.path ?? [])) : { path, newer: true };
}

/** `key` is the name of the value; `replaced` says that it belongs to another hero than ours. */
function* compare(ours: unknown, theirs: unknown, path: string, key = "", replaced = false): Generator<Difference> {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    if (ours.length !== theirs.length) yield wrongAt(path);
    else if (PAIRINGS.includes(key)) yield* comparePairings(ours, theirs, path);
    else {
      for (const [index, element] of ours.entries()) {
        const other = replaced || isAnotherBuild(element, theirs[index]);
        yield* compare(element, theirs[index], `${path}[${index}]`, key, other);
      }
    }
  } else if (isNode(ours) && isNode(theirs)) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      const below = join(path, [name]);
      if (!Object.hasOwn(ours, name) || !Object.hasOwn(theirs, name)) yield wrongAt(below);
      else yield* compare(ours[name], theirs[name], below, name, replaced);
    }
  } else if (ours !== theirs) {
    const number = typeof ours === "number" && typeof theirs === "number" && (replaced || !/id$/i.test(key));
    const text = typeof ours === "string" && typeof theirs === "string";
    yield { path, newer: number || (text && (replaced || (DATE.test(ours) && DATE.test(theirs)))) };
  }
}

/** Tells whether a build is another one, by its win rate: the batch's numbers determine the best builds. */
const isAnotherBuild = (ours: unknown, theirs: unknown) =>
  isNode(ours) && isNode(theirs) && ours.build_win_rate !== theirs.build_win_rate;

/** Compares pairings: a hero that is on both sides with itself, a new one with the hero in whose place it is. */
function comparePairings(ours: unknown[], theirs: unknown[], path: string): Difference[] {
  const heroOf = (pairing: unknown) => (isNode(pairing) ? pairing.heroid : undefined);
  const oursByHero = new Map(ours.map((pairing) => [heroOf(pairing), pairing]));
  const differences = theirs.flatMap((pairing, index) => {
    const stays = oursByHero.has(heroOf(pairing));
    return [
      ...compare(stays ? oursByHero.get(heroOf(pairing)) : ours[index], pairing, `${path}[${index}]`, "", !stays),
    ];
  });
  const moved = ours.some((pairing, index) => heroOf(pairing) !== heroOf(theirs[index]));
  const twice = new Set(theirs.map(heroOf)).size < new Set(ours.map(heroOf)).size;
  return twice || (moved && differences.length === 0) ? [...differences, wrongAt(path)] : differences;
}

function compareByRates(
  endpoint: Endpoint,
  ordering: Ordering,
  values: ParameterValues,
  ours: RecordsPage,
  theirs: RecordsPage,
  wholeList: unknown[],
): Difference[] {
  const path = "data.records";
  for (const [index, record] of theirs.records.entries()) {
    const shape = shapeOf(endpoint).safeParse(record);
    if (!shape.success) return [wrongAt(join(`${path}[${index}]`, shape.error.issues[0]?.path ?? []))];
  }
  const key = (record: unknown) => recordKey(endpoint, record);
  const listed = new Map(wholeList.map((record) => [key(record), record]));
  const differences = theirs.records.flatMap((record, index) => {
    const recordPath = `${path}[${index}]`;
    const counterpart = listed.get(key(record));
    // A record that comes twice has no counterpart the second time.
    listed.delete(key(record));
    return counterpart === undefined ? wrongAt(recordPath) : [...compare(counterpart, record, recordPath)];
  });
  if (ours.records.every((record, index) => key(record) === key(theirs.records[index]))) return differences;
  const inOrder = [ours, theirs].every(({ records }) => isOrdered(records, ordering, values));
  const here = new Set(ours.records.map(key));
  const others = theirs.records.some((record) => !here.has(key(record)));
  return [...differences, { path, newer: inOrder && (others || differences.length > 0) }];
}

function isOrdered(records: unknown[], { fields, field = "", direction }: Ordering, values: ParameterValues): boolean {
  const path = fields[String(values[field])] ?? "";
  const rateOf = (record: unknown) => readNumber(readPath(record, path)) ?? 0;
  const sign = values[direction] === "asc" ? 1 : -1;
  const rates = records.map((record) => sign * rateOf(record));
  return rates.every((rate, index) => rate >= (rates[index - 1] ?? Number.NEGATIVE_INFINITY));
}

const isNode = (value: unknown): value is Node => value !== null && typeof value === "object" && !Array.isArray(value);

const join = (path: string, steps: readonly PropertyKey[]) =>
  steps.reduce<string>((path, step) => {
    if (typeof step === "number") return `${path}[${step}]`;
    return path === "" ? String(step) : `${path}.${String(step)}`;
  }, path);
