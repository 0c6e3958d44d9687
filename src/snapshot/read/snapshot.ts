import type SQLite from "better-sqlite3";
import { MAX_LINE_CHARS, MAX_NAME_CHARS } from "../../api/body/bounds.ts";
import { readPath } from "../../api/body/path.ts";
import { readWords } from "../../api/body/record-fields.ts";
import { readId } from "../../api/body/scalars.ts";
import { sliceKey } from "../../api/endpoint.ts";
import { BASE_LANG, type Lang } from "../../api/enumerations.ts";
import { createListLookup, type HeroName, type NamesByLang } from "../../api/localise.ts";
import { HERO_IDENTIFIER, type WordParameter } from "../../api/request/path-parameter.ts";
import type { ClosedPartRow, EndpointStateRow, SnapshotTable } from "../schema/row-types.ts";
import { createListedTexts, createLocaliser, type Localise } from "../texts/localiser.ts";
import { notedDatasets } from "../texts/note.ts";
import { type AskedTimes, readAskedTimes } from "./ages.ts";
import { openSnapshotFile } from "./open.ts";
import { createSelect, type Select } from "./select.ts";
import { createSlices, type Slices } from "./slices.ts";
import { readClosedParts, readEndpointStates } from "./standing.ts";
import { prepareStatements } from "./statements.ts";
import { countSliceStates, type SliceStates } from "./summary.ts";

/** Path of the portrait in the hero list. */
const PORTRAIT = "data.hero.data.head";

/** Enough for the inner pages of the file, without which a record costs a dozen reads. */
const DEFAULT_CACHE_BYTES = 4 * 1024 * 1024;

export interface OpenOptions {
  /** Opens the file; by default `openSnapshotFile`, which reads all of it. */
  open?: (file: string) => SQLite.Database;
  /** The size of SQLite's cache for the file. */
  cacheBytes?: number;
}

/** A published snapshot, open for reading. Records are JSON as it was sent. After `close` every method throws. */
export interface Snapshot extends Slices {
  file: string;
  /** The row of the table `snapshot`. */
  head: SnapshotTable;
  /** The names of heroes by language, then by hero id; no entry for a language that is not in the snapshot. */
  names: NamesByLang;
  /** Returns the parts that were closed in its night. */
  closedParts(): readonly ClosedPartRow[];
  /** Returns the state of each endpoint, by dataset. */
  endpointStates(): ReadonlyMap<string, EndpointStateRow>;
  /** Returns when the answers of each endpoint were asked. */
  askedTimes(): AskedTimes[];
  /** Counts its slices by state. */
  sliceStates(): SliceStates;
  /** Localises a record of the base language; undefined if the lists of the other language lack one of its texts. */
  localise: Localise;
  /** Returns the words that a path may name; undefined if the list of them is not in the file. */
  words(parameter: WordParameter): string[] | undefined;
  /** Counts the values that did not fit the tables. */
  misfits(): number;
  /** Returns the datasets of endpoints that the upstream marks as deprecated. */
  deprecated(): ReadonlySet<string>;
  /** Selects rows for pages, which show the typed tables. */
  select: Select;
  close(): void;
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

const DEPRECATED = "SELECT dataset FROM endpoint_state WHERE deprecated = 1";

/** Opens a snapshot. Throws a Failure for usage if the file is not one. */
export function openSnapshot(
  file: string,
  { open = openSnapshotFile, cacheBytes = DEFAULT_CACHE_BYTES }: OpenOptions = {},
): Snapshot {
  const db = open(file);
  // One shared lock until the file is closed: without it each statement locks, looks for a journal and unlocks, which takes longer than
  // reading a record. It keeps no reader out, and nobody writes to a published file.
  db.pragma("locking_mode = EXCLUSIVE");
  // A negative size is in KiB.
  db.pragma(`cache_size = -${Math.ceil(cacheBytes / 1024)}`);
  const statements = prepareStatements(db);
  const head = statements.head.get({}) as SnapshotTable;
  const slices = createSlices(db, {
    withNotes: notedDatasets(statements.textRules()),
    // The text of the file goes into a header.
    toAskedAt: (time) => (time !== null && ISO_TIME.test(time) ? time : head.started_at),
  });
  const readList = (dataset: string, lang: Lang): unknown[] | undefined => {
    const records = slices.records(dataset, sliceKey({ dataset, lang }));
    return records.length > 0 ? records.map((json): unknown => JSON.parse(json)) : undefined;
  };
  const names = createNamesByLang(
    statements.languages.all({ dataset: HERO_IDENTIFIER.list }).map(({ lang }) => lang),
    (lang) => readList(HERO_IDENTIFIER.list, lang),
  );
  const select = createSelect(db);
  const words = new Map<WordParameter, string[] | undefined>();
  let times: AskedTimes[] | undefined;
  let sliceStates: SliceStates | undefined;
  let closed: ClosedPartRow[] | undefined;
  let states: ReadonlyMap<string, EndpointStateRow> | undefined;

  return {
    file,
    head,
    names,
    ...slices,

    closedParts() {
      closed ??= readClosedParts(db);
      return closed;
    },

    endpointStates() {
      states ??= new Map(readEndpointStates(db).map((row) => [row.dataset, row]));
      return states;
    },

    askedTimes() {
      times ??= readAskedTimes(db);
      return times;
    },

    sliceStates() {
      sliceStates ??= countSliceStates(db);
      return sliceStates;
    },

    localise: createLocaliser(createListedTexts(statements.listedTexts(), readList), createListLookup(readList)),

    words(parameter) {
      const list = () => readList(parameter.list, BASE_LANG)?.flatMap((record) => readWords(parameter, record));
      if (!words.has(parameter)) words.set(parameter, list());
      return words.get(parameter);
    },

    misfits: () => statements.misfits(),
    deprecated: () => new Set(select<{ dataset: string }>(DEPRECATED).map(({ dataset }) => dataset)),
    select,
    close: () => void db.close(),
  };
}

/** Makes the names of heroes. Each language is read when it is first asked for. */
function createNamesByLang(
  langs: readonly string[],
  readList: (lang: Lang) => readonly unknown[] | undefined,
): NamesByLang {
  const listed = new Set(langs);
  const nameMaps = new Map<string, ReadonlyMap<number, HeroName> | undefined>();

  function get(lang: string) {
    if (!listed.has(lang)) return undefined;
    if (!nameMaps.has(lang)) nameMaps.set(lang, nameAll(readList(lang as Lang)));
    return nameMaps.get(lang);
  }
  return { get, has: (lang) => get(lang) !== undefined };
}

function nameAll(records: readonly unknown[] | undefined): ReadonlyMap<number, HeroName> | undefined {
  const named = records?.flatMap((record): [number, HeroName][] => {
    const [id, name, head] = [HERO_IDENTIFIER.id, HERO_IDENTIFIER.called, PORTRAIT].map((path) =>
      readPath(record, path),
    );
    const hero = readId(id);
    if (hero === undefined || typeof name !== "string") return [];
    const isAddress = typeof head === "string" && head.length <= MAX_LINE_CHARS;
    // A text that is too long is no name: its hero is called by the id.
    return [[hero, { name: name.length > MAX_NAME_CHARS ? String(hero) : name, head: isAddress ? head : null }]];
  });
  // The first of two heroes with one id counts, as everywhere.
  return named && new Map(named.filter(([hero], index) => named.findIndex(([id]) => id === hero) === index));
}
