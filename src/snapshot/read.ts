import type SQLite from "better-sqlite3";
import { type Reference, sliceKey } from "../api/endpoint.ts";
import { BASE_LANG, type Lang } from "../api/languages.ts";
import { createLists, type HeroName, type Lists, localisedTexts, type Names, type Place } from "../api/localise.ts";
import type { WordParameter } from "../api/path-parameter.ts";
import { openSnapshotFile } from "./open.ts";
import { placeKey, type Place as Rows, readPlaces } from "./places.ts";
import { SQL, setTexts } from "./queries.ts";
import type { Coverage, SnapshotTable } from "./tables.ts";

export type Held = Pick<Coverage, "status" | "records">;

/** KiB of the file that SQLite keeps in memory: enough for the inner pages, without which a record costs a dozen reads. */
const PAGE_CACHE = 8192;

export type Snapshot = ReturnType<typeof openSnapshot>;

/** A published snapshot, open for reading. Records are handed through as the text they were sent as. */
export function openSnapshot(file: string, open: (file: string) => SQLite.Database = openSnapshotFile) {
  const db = open(file);
  db.pragma(`cache_size = -${PAGE_CACHE}`);
  const head = db.prepare<[], SnapshotTable>(SQL.head).get() as SnapshotTable;
  const names = createNames(db);
  const coverage = db.prepare<[string, string], Held>(SQL.coverage);
  const records = db.prepare<[string, string], string>(SQL.records).pluck();
  const page = db.prepare<[string, string, number, number], string>(SQL.page).pluck();
  const rows = db.prepare<[number, number], string>(SQL.rows).pluck();
  let places: ReadonlyMap<string, Rows> = new Map();
  const some = db.prepare<[string, string, string], [number, string]>(SQL.some).raw();
  const someRows = db.prepare<[string], [number, string]>(SQL.someRows).raw();
  const readList = (dataset: string, lang: Lang): unknown[] | undefined => {
    const texts = records.all(dataset, sliceKey({ dataset, lang }));
    return texts.length > 0 ? texts.map((json): unknown => JSON.parse(json)) : undefined;
  };
  const localise = createLocaliser(db, createLists(readList));

  return {
    file,
    head,
    /** Names by language and hero id; a language that is not in the snapshot has no entry. */
    names,

    coverage(dataset: string, slice: string): Held | undefined {
      const place = places.get(placeKey(dataset, slice));
      return place ? { status: "captured", records: place.count } : coverage.get(dataset, slice);
    },

    /** All records of a slice, in the upstream's order. */
    records: (dataset: string, slice: string): string[] => records.all(dataset, slice),

    /** The records from one position to before another. */
    page(dataset: string, slice: string, start: number, end: number): string[] {
      const place = places.get(placeKey(dataset, slice));
      if (!place) return page.all(dataset, slice, start, end);
      return rows.all(place.first + start, place.first + Math.min(end, place.count));
    },

    /** Learns where every slice lies: worth some milliseconds, but not those before the first answer. */
    warm(): void {
      places = readPlaces(db);
    },

    /** The records at these positions, in this order. */
    some(dataset: string, slice: string, positions: readonly number[]): string[] {
      const place = places.get(placeKey(dataset, slice));
      const first = place?.first ?? 0;
      const numbers = positions.map((position) => first + position);
      const wanted = JSON.stringify(numbers);
      const found = new Map(place ? someRows.all(wanted) : some.all(dataset, slice, wanted));
      // A record that is missing must never make a shorter list.
      if (found.size !== positions.length) throw new Error(`${dataset} ${slice} lacks one of ${positions}`);
      return numbers.map((number) => found.get(number) ?? "");
    },

    /** The record with its texts in another language; nothing when they cannot be told from the lists of that language. */
    localise,

    /** The words that a path may name; nothing when the list that says so is not there. */
    words: ({ list, read }: WordParameter): string[] | undefined => readList(list, BASE_LANG)?.flatMap(read),

    close: () => void db.close(),
  };
}

function createLocaliser(db: SQLite.Database, lists: Lists) {
  const statements = new Map<number, SQLite.Statement<string[], string>>();

  return (json: string, rule: readonly Reference[], lang: Lang): string | undefined => {
    const texts = localisedTexts(rule, JSON.parse(json), lang, lists);
    if (!texts || texts.length === 0) return texts && json;
    const statement = statements.get(texts.length) ?? db.prepare<string[], string>(setTexts(texts.length)).pluck();
    statements.set(texts.length, statement);
    return statement.get(json, ...texts.flatMap(([place, text]) => [toJsonPath(place), text]));
  };
}

const toJsonPath = (place: Place) =>
  `$${place.map((key) => (typeof key === "number" ? `[${key}]` : `."${key}"`)).join("")}`;

/** Read when a language is first asked for. A list that was asked for and has no record is a language without names. */
function createNames(db: SQLite.Database): Names {
  const listed = db.prepare<[string], { lang: string; slice: string }>(SQL.languages).all("heroes");
  const slices = new Map(listed.map(({ lang, slice }) => [lang, slice]));
  const heroesOf = db.prepare<[string, string], HeroName & { hero: number }>(SQL.names);
  const known = new Map<string, ReadonlyMap<number, HeroName>>();

  function get(lang: string) {
    const slice = slices.get(lang);
    if (slice === undefined) return undefined;
    const rows = () => heroesOf.all("heroes", slice).map(({ hero, name, head }) => [hero, { name, head }] as const);
    const names = known.get(lang) ?? new Map(rows());
    known.set(lang, names);
    return names.size > 0 ? names : undefined;
  }
  return { get, has: (lang) => get(lang) !== undefined };
}
