import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import SQLite from "better-sqlite3";
import { sliceKey } from "../api/endpoint.ts";
import { endpointOf } from "../api/endpoints.ts";
import { RECORDS_AT } from "../api/envelope.ts";
import { BASE_LANG } from "../api/languages.ts";
import type { Journal, StoredSlice } from "../journal/journal.ts";
import { createTables, deriveTables } from "./derive.ts";
import { hashContent, hashSlice } from "./hash.ts";
import { ATTRIBUTION, LICENCE } from "./licence.ts";
import { sortBySlice } from "./order.ts";
import { createQuality } from "./quality.ts";
import { createShapes } from "./shape.ts";
import { type Coverage, SCHEMA_VERSION, SNAPSHOT_APPLICATION_ID, USER_VERSION } from "./tables.ts";

/**
 * Makes the snapshot file of a journal: the same journal gives the same bytes. Nothing here looks at the clock, the
 * network or the order in which answers came. `file` must not exist; it is there whole, or not at all.
 */
export function buildSnapshot(journal: Journal, file: string): void {
  const draft = `${file}.draft`;
  mkdirSync(dirname(file), { recursive: true });
  rmSync(draft, { force: true });
  const db = createDraft(draft);
  try {
    db.transaction(() => {
      const coverage = fillArchive(db, journal);
      writeHead(db, journal, coverage);
      deriveTables(db);
    })();
    db.prepare("VACUUM INTO ?").run(file);
  } finally {
    db.close();
    rmSync(draft, { force: true });
  }
}

function createDraft(draft: string): SQLite.Database {
  const db = new SQLite(draft);
  // The draft is thrown away when anything goes wrong: it needs neither a journal nor a sync.
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -8000");
  db.pragma(`application_id = ${SNAPSHOT_APPLICATION_ID}`);
  db.pragma(`user_version = ${USER_VERSION}`);
  createTables(db);
  return db;
}

function fillArchive(db: SQLite.Database, journal: Journal): Coverage[] {
  const insertCoverage = insertInto(db, "coverage");
  const insertRecord = db.prepare("INSERT INTO record VALUES (?, ?, ?, ?)");
  const split = createSplitter(db);
  const shapes = createShapes();
  const quality = createQuality();
  const coverage: Coverage[] = [];
  for (const stored of sortStored(journal.slices())) {
    const texts = stored.state === "captured" ? split(stored, journal.pages(stored.id)) : [];
    const records = texts.map((text): unknown => JSON.parse(text));
    const row = coverSlice(stored, records);
    insertCoverage(row);
    for (const [position, text] of texts.entries()) insertRecord.run(row.dataset, row.slice, position, text);
    for (const record of records) {
      shapes.add(row.dataset, record);
      quality.add(
        row.dataset,
        row.lang,
        `${row.hero_id} ${row.subject} ${endpointOf(row.dataset).key(record)}`,
        record,
      );
    }
    coverage.push(row);
  }
  insertAll(db, "shape", shapes.rows());
  insertAll(db, "text_quality", quality.rows());
  insertAll(db, "language_proof", (journal.recall("proof") ?? []) as object[]);
  return coverage;
}

function insertAll(db: SQLite.Database, table: string, rows: readonly object[]) {
  const insert = insertInto(db, table);
  for (const row of rows) insert(row);
}

/** Inserts objects whose keys are the columns of the table. */
function insertInto(db: SQLite.Database, table: string): (row: object) => void {
  const columns = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
  const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map((column) => `:${column}`).join(", ")})`);
  return (row) => void insert.run(row);
}

/** SQLite takes the records out of a body without reading its numbers, so that each keeps the digits it was sent with. */
function createSplitter(db: SQLite.Database) {
  const elements = db.prepare<[string, string], string>("SELECT value FROM json_each(?, ?) ORDER BY key").pluck();
  const single = db.prepare<[string, string], string>("SELECT ? -> ?").pluck();
  return ({ slice }: StoredSlice, pages: readonly Buffer[]): string[] => {
    const { wrapping = "pages" } = endpointOf(slice.dataset);
    const split = wrapping === "pages" ? elements : single;
    return pages.flatMap((page) => split.all(page.toString("utf8"), RECORDS_AT[wrapping]));
  };
}

function coverSlice({ slice, state, reason }: StoredSlice, records: readonly unknown[]): Coverage {
  return {
    dataset: slice.dataset,
    slice: sliceKey(slice),
    hero_id: slice.hero ?? null,
    subject: slice.subject ?? null,
    lane: slice.lane ?? null,
    rank: slice.rank ?? null,
    days: slice.days === undefined ? null : Number(slice.days),
    lang: slice.lang,
    status: state !== "captured" ? "failed" : records.length > 0 ? "captured" : "empty",
    reason: state === "captured" ? null : (reason ?? "not-asked"),
    records: records.length,
    sha256: state === "captured" ? hashSlice(records) : null,
  };
}

function sortStored(slices: readonly StoredSlice[]): StoredSlice[] {
  return sortBySlice(slices, ({ slice: { dataset, lang, lane, rank, days, hero, subject } }) => ({
    dataset,
    lang,
    lane: lane ?? null,
    rank: rank ?? null,
    days: days === undefined ? null : Number(days),
    hero: hero ?? null,
    subject: subject ?? null,
  }));
}

function writeHead(db: SQLite.Database, journal: Journal, coverage: readonly Coverage[]) {
  const startedAt = journal.header().started_at;
  const contentHash = hashContent(coverage);
  const heroes = coverage.find((row) => row.dataset === "heroes" && row.lang === BASE_LANG)?.records ?? 0;
  const gameVersion = db
    .prepare<[], string>(
      `SELECT json ->> '$.data.game_version' FROM record WHERE dataset = 'versions'
       ORDER BY json ->> '$.createdAt' DESC, json ->> '$.id' DESC LIMIT 1`,
    )
    .pluck()
    .get();
  db.prepare("INSERT INTO snapshot VALUES (?, ?, ?, ?, ?, ?, ?, ?)").run(
    nameVersion(startedAt, contentHash),
    contentHash,
    SCHEMA_VERSION,
    startedAt,
    gameVersion ?? null,
    heroes,
    LICENCE,
    ATTRIBUTION,
  );
}

/** `20261121T030000Z-1a2b3c4d`: start of the crawl and content, in an order that sorts by time. */
function nameVersion(startedAt: string, contentHash: string): string {
  return `${startedAt.replaceAll(/[-:]|\.\d+/g, "")}-${contentHash.slice(0, 8)}`;
}
