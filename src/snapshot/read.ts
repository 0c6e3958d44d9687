import type SQLite from "better-sqlite3";
import { type Reference, sliceKey } from "../api/endpoint.ts";
import { BASE_LANG, type Lang } from "../api/languages.ts";
import { createLists, type HeroName, type Names } from "../api/localise.ts";
import { readPath } from "../api/path.ts";
import { HERO, type WordParameter } from "../api/path-parameter.ts";
import { readWords } from "../api/read-record.ts";
import { readId } from "../api/reading.ts";
import { createLocaliser } from "./localiser.ts";
import { openSnapshotFile } from "./open.ts";
import { SQL } from "./queries.ts";
import type { Coverage, SnapshotTable } from "./tables.ts";

export interface StoredRecord {
  json: string;
  texts: string | null;
}

export type Held = Pick<Coverage, "status" | "records">;

/** In the hero list. */
const PORTRAIT = "data.hero.data.head";

/** KiB of the file that SQLite keeps in memory: enough for the inner pages, without which a record costs a dozen reads. */
const PAGE_CACHE = 8192;

export type Snapshot = ReturnType<typeof openSnapshot>;

/** A published snapshot, open for reading. Records are handed through as the text they were sent as. */
export function openSnapshot(file: string, open: (file: string) => SQLite.Database = openSnapshotFile) {
  const db = open(file);
  db.pragma(`cache_size = -${PAGE_CACHE}`);
  const head = db.prepare<[], SnapshotTable>(SQL.head).get() as SnapshotTable;
  const names = createNames(db, (lang) => readList(HERO.list, lang));
  const coverage = db.prepare<[string, string], Held>(SQL.coverage);
  const records = db.prepare<[string, string], string>(SQL.records).pluck();
  const page = db.prepare<[string, string, number, number], string>(SQL.page).pluck();
  const localiser = createLocaliser(
    db,
    createLists((dataset, lang) => readList(dataset, lang)),
  );
  const begin = db.prepare("BEGIN");
  const commit = db.prepare("COMMIT");
  const held = new Map<string, boolean>();
  const holdsAny = db
    .prepare<[string, string], number>("SELECT 1 FROM coverage WHERE dataset = ? AND lang = ? LIMIT 1")
    .pluck();
  const readList = (dataset: string, lang: Lang): unknown[] | undefined => {
    const texts = records.all(dataset, sliceKey({ dataset, lang }));
    return texts.length > 0 ? texts.map((json): unknown => JSON.parse(json)) : undefined;
  };
  const words = new Map<WordParameter, string[] | undefined>();

  return {
    file,
    head,
    /** Names by language and hero id; a language that is not in the snapshot has no entry. */
    names,

    coverage: (dataset: string, slice: string): Held | undefined => coverage.get(dataset, slice),

    read<T>(make: () => T): T {
      begin.run();
      try {
        return make();
      } finally {
        commit.run();
      }
    },
    holds(dataset: string, lang: string): boolean {
      const key = `${dataset} ${lang}`;
      const known = held.get(key) ?? holdsAny.get(dataset, lang) === 1;
      held.set(key, known);
      return known;
    },

    /** All records of a slice, in the upstream's order. */
    records: (dataset: string, slice: string): string[] => records.all(dataset, slice),

    /** The records from one position to before another. */
    page(dataset: string, slice: string, start: number, end: number): StoredRecord[] {
      return page.all(dataset, slice, start, end).map((json) => ({ json, texts: null }));
    },
    at(dataset: string, slice: string, positions: readonly number[]): StoredRecord[] {
      return positions.flatMap((position) =>
        page.all(dataset, slice, position, position + 1).map((json) => ({ json, texts: null })),
      );
    },

    localise: ({ json }: StoredRecord, rule: readonly Reference[], lang: Lang) => localiser(json, rule, lang),

    /** The words that a path may name; nothing when the list that says so is not there. */
    words(parameter: WordParameter): string[] | undefined {
      const list = () => readList(parameter.list, BASE_LANG)?.flatMap((record) => readWords(parameter, record));
      if (!words.has(parameter)) words.set(parameter, list());
      return words.get(parameter);
    },

    /** How many values did not fit the tables; snapshots of schema 1.2 and older do not say. */
    misfits(): number {
      const tables = db.prepare<[string], string>(SQL.tables).pluck().all("table");
      return tables.includes("misfit") ? (db.prepare<[], number>(SQL.misfits).pluck().get() ?? 0) : 0;
    },

    close: () => void db.close(),
  };
}

/**
 * Read when a language is first asked for. A list that was asked for and has no record is a language without names; who
 * has no name in a language is found by the English one.
 */
function createNames(db: SQLite.Database, readList: (lang: Lang) => readonly unknown[] | undefined): Names {
  const listed = new Set(
    db
      .prepare<[string], { lang: string }>(SQL.languages)
      .all(HERO.list)
      .map(({ lang }) => lang),
  );
  const known = new Map<string, ReadonlyMap<number, HeroName> | undefined>();

  function get(lang: string) {
    if (!listed.has(lang)) return undefined;
    if (!known.has(lang)) known.set(lang, nameAll(readList(lang as Lang)));
    return known.get(lang);
  }
  return { get, has: (lang) => get(lang) !== undefined };
}

function nameAll(records: readonly unknown[] | undefined): ReadonlyMap<number, HeroName> | undefined {
  const named = records?.flatMap((record): [number, HeroName][] => {
    const [id, name, head] = [HERO.id, HERO.called, PORTRAIT].map((path) => readPath(record, path));
    const hero = readId(id);
    if (hero === undefined || typeof name !== "string") return [];
    return [[hero, { name, head: typeof head === "string" ? head : null }]];
  });
  // Of two heroes with one id the first counts, as everywhere.
  return named && new Map(named.filter(([hero], place) => named.findIndex(([id]) => id === hero) === place));
}
