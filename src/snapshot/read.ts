import type SQLite from "better-sqlite3";
import type { TextRule } from "../api/endpoint.ts";
import { BASE_LANG } from "../api/languages.ts";
import { type HeroName, localisedTexts, type Names } from "../api/localise.ts";
import { openSnapshotFile } from "./open.ts";
import { type Place, placeKey, readPlaces } from "./places.ts";
import { SQL } from "./queries.ts";
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
  let places: ReadonlyMap<string, Place> = new Map();
  const some = db.prepare<[string, string, string], [number, string]>(SQL.some).raw();
  const someRows = db.prepare<[string], [number, string]>(SQL.someRows).raw();
  const localise = createLocaliser(db, names);

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

    /** The record with the hero's name and portrait in another language; nothing when that language lacks the hero. */
    localise,

    close: () => void db.close(),
  };
}

function createLocaliser(db: SQLite.Database, names: Names) {
  const hero = db.prepare<[string, string, string], { hero: number; head: string | null }>(SQL.hero);
  const oneText = db.prepare<string[], string>(SQL.oneText).pluck();
  const twoTexts = db.prepare<string[], string>(SQL.twoTexts).pluck();

  return (json: string, rule: Exclude<TextRule, string>, lang: string): string | undefined => {
    const found = hero.get(`$.${rule.hero}`, `$.${rule.head ?? rule.name}`, json);
    const both = { base: names.get(BASE_LANG), own: names.get(lang) };
    const texts = found && localisedTexts(rule, found.hero, found.head, both);
    if (!texts) return undefined;
    const statement = texts.length === 1 ? oneText : twoTexts;
    return statement.get(json, ...texts.flatMap(([path, text]) => [`$.${path}`, text]));
  };
}

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
