import type SQLite from "better-sqlite3";
import { readPath } from "../../api/body/path.ts";
import { readWords } from "../../api/body/record-fields.ts";
import { readId } from "../../api/body/scalars.ts";
import { sliceKey } from "../../api/endpoint.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { createListLookup, type HeroName, type NamesByLang } from "../../api/localise.ts";
import { HERO, type WordParameter } from "../../api/request/path-parameter.ts";
import type { SnapshotTable } from "../schema/row-types.ts";
import { createListedTexts, createLocaliser, type StoredRecord } from "../texts/localiser.ts";
import { notedDatasets } from "../texts/rules.ts";
import { openSnapshotFile } from "./open.ts";
import { prepareStatements } from "./statements.ts";

/** In the hero list. */
const PORTRAIT = "data.hero.data.head";

/** Bytes of the file that SQLite keeps in memory: enough for the inner pages, without which a record costs a dozen reads. */
const DEFAULT_CACHE_BYTES = 4 * 1024 * 1024;

export interface OpenOptions {
  open?: (file: string) => SQLite.Database;
  cacheBytes?: number;
}

export interface StoredPage {
  total: number;
  records: StoredRecord[];
}

/** A slice without records on a page is one row that has none. */
const isRecord = <R extends { json: string | null }>(row: R): row is R & { json: string } => row.json !== null;

export type Snapshot = ReturnType<typeof openSnapshot>;

/**
 * A published snapshot, open for reading. Records are handed through as the text they were sent as. Nothing is locked while
 * nothing is read.
 */
export function openSnapshot(
  file: string,
  { open = openSnapshotFile, cacheBytes = DEFAULT_CACHE_BYTES }: OpenOptions = {},
) {
  const db = open(file);
  // In KiB when negative.
  db.pragma(`cache_size = -${Math.ceil(cacheBytes / 1024)}`);
  const ask = prepareStatements(db);
  const head = ask.head.get({}) as SnapshotTable;
  const readList = (dataset: string, lang: Lang): unknown[] | undefined => {
    const rows = ask.records.all({ dataset, slice: sliceKey({ dataset, lang }) });
    return rows.length > 0 ? rows.map(({ json }): unknown => JSON.parse(json)) : undefined;
  };
  const names = createNamesByLang(
    ask.languages.all({ dataset: HERO.list }).map(({ lang }) => lang),
    (lang) => readList(HERO.list, lang),
  );
  const noted = notedDatasets(ask.textRules());
  const toStored = (dataset: string, rows: StoredRecord[]) =>
    noted.has(dataset) ? rows : rows.map(({ json }) => ({ json, texts: null }));
  const words = new Map<WordParameter, string[] | undefined>();
  const datasets = new Map<Lang, ReadonlySet<string>>();

  return {
    file,
    head,
    /** Names by language and hero id; a language that is not in the snapshot has no entry. */
    names,

    /** How many records a slice has; nothing where it is not in the file. */
    total: (dataset: string, slice: string): number | undefined => ask.total.get({ dataset, slice })?.records,

    /** The datasets of which some slice was asked in a language. */
    datasetsIn(lang: Lang): ReadonlySet<string> {
      const known = datasets.get(lang);
      if (known) return known;
      const found = new Set(ask.datasetsIn.all({ lang }).map(({ dataset }) => dataset));
      datasets.set(lang, found);
      return found;
    },

    /** All records of a slice, in the upstream's order. */
    records: (dataset: string, slice: string): string[] => ask.records.all({ dataset, slice }).map(({ json }) => json),

    /** The records of a slice from one position to before another, and how many it has; nothing where it is not in the file. */
    page(dataset: string, slice: string, start: number, end: number): StoredPage | undefined {
      const rows = ask.page.all({ dataset, slice, start, end });
      const [first] = rows;
      return first && { total: first.total, records: toStored(dataset, rows.filter(isRecord)) };
    },

    /** The records at these positions, in this order. */
    at: (dataset: string, slice: string, positions: readonly number[]): StoredRecord[] =>
      toStored(dataset, ask.at.all({ dataset, slice, positions: JSON.stringify(positions) })),

    /** The record with its texts in another language; nothing when they cannot be told from the lists of that language. */
    localise: createLocaliser(db, createListedTexts(ask.listedTexts(), readList), createListLookup(readList)),

    /** The words that a path may name; nothing when the list that says so is not there. */
    words(parameter: WordParameter): string[] | undefined {
      const list = () => readList(parameter.list, BASE_LANG)?.flatMap((record) => readWords(parameter, record));
      if (!words.has(parameter)) words.set(parameter, list());
      return words.get(parameter);
    },

    /** How many values did not fit the tables; snapshots of schema 1.2 and older do not say. */
    misfits: (): number => ask.misfits(),

    close: () => void db.close(),
  };
}

/**
 * Read when a language is first asked for. A list that was asked for and has no record is a language without names; who
 * has no name in a language is found by the English one.
 */
function createNamesByLang(
  langs: readonly string[],
  readList: (lang: Lang) => readonly unknown[] | undefined,
): NamesByLang {
  const listed = new Set(langs);
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
