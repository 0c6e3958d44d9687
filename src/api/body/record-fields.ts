import type { Endpoint, Filter, Identity } from "../endpoint.ts";
import { LANES, RANKS } from "../enumerations.ts";
import type { WordParameter } from "../request/path-parameter.ts";
import { MAX_NAME_CHARS } from "./bounds.ts";
import { readPath, valuesAt } from "./path.ts";
import { readId, readNumber, readWord } from "./scalars.ts";

/** Returns the id of a record in its slice; the whole record as JSON if it has none. */
export function recordKey({ key }: Endpoint, record: unknown): string {
  if (key.length === 0) return "";
  for (const path of key) {
    const id = readWord(readPath(record, path));
    if (id !== undefined) return id;
  }
  return JSON.stringify(record);
}

/** The values that the upstream is known to use. Another value is not compared with what was asked. */
const KNOWN_MARKS: Partial<Record<keyof Identity, readonly string[]>> = {
  road: LANES.map(({ id }) => id),
  bigrank: RANKS.map(({ bigrank }) => bigrank),
  match_type: ["0", "1"],
};

/** Reads what a record says it is about; fields that it lacks are left out. */
export function readIdentity(identity: Identity, record: unknown): Partial<Record<keyof Identity, string>> {
  const marks: Partial<Record<keyof Identity, string>> = {};
  for (const name of Object.keys(identity) as (keyof Identity)[]) {
    const mark = readWord(readPath(record, identity[name] ?? ""));
    if (mark !== undefined && (KNOWN_MARKS[name]?.includes(mark) ?? true)) marks[name] = mark;
  }
  return marks;
}

const isDay = (value: unknown): value is string =>
  typeof value === "string" && value.length <= MAX_NAME_CHARS && /^\d{4}-\d\d-\d\d/.test(value);

/** A smaller number counts seconds instead of milliseconds, so it is not a stamp. */
const EARLIEST_STAMP_MS = Date.UTC(2000, 0);

/**
 * Reads the batch of a record: epoch milliseconds, or a text if only its day is known; undefined if it has no stamp. Stamps are compared with
 * each other, so a number that is not in milliseconds is not a stamp, and neither is a day that is not YYYY-MM-DD. A text longer than a name is
 * not one either, because the file keeps the stamp with each slice.
 */
export function readStamp({ stamp }: Endpoint, record: unknown): number | string | undefined {
  if (!stamp) return undefined;
  const value = readPath(record, stamp.at);
  if (stamp.as === "date") return isDay(value) ? value : undefined;
  const time = readId(value);
  if (time === undefined || time < EARLIEST_STAMP_MS) return undefined;
  if (stamp.as === "batch") return time;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : `batch of ${date.toISOString().slice(0, 10)}`;
}

/** The rates in the order of `Endpoint.rates`; null for one that is no number. */
export interface HeroRates {
  hero: number;
  rates: (number | null)[];
}

export function readRates({ rates }: Endpoint, record: unknown): HeroRates[] {
  const hero = rates && readId(readPath(record, rates.hero));
  if (!rates || hero === undefined) return [];
  return [{ hero, rates: rates.rates.map((path) => readNumber(readPath(record, path)) ?? null) }];
}

/** Returns the codes of a filter that a record matches. */
export function readFilter({ at, codes }: Filter, record: unknown): string[] {
  const ids = new Set(valuesAt(record, at).map(readWord));
  return codes.filter(({ id }) => ids.has(id)).map(({ code }) => code);
}

/** Returns the words that a record of the list allows in the path. */
export const readWords = ({ at }: WordParameter, record: unknown): string[] =>
  valuesAt(record, at).flatMap((value) => readWord(value) ?? []);

/** Returns the first and last number that a record is about; undefined if it has no range. */
export function readRange({ range }: Endpoint, record: unknown): readonly [number, number] | undefined {
  if (!range) return undefined;
  const [first, last] = [readId(readPath(record, range.first)), readId(readPath(record, range.last))];
  return first === undefined || last === undefined ? undefined : [first, last];
}
