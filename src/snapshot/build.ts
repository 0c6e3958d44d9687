import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import SQLite from "better-sqlite3";
import type { Journal } from "../journal/journal.ts";
import { fillArchive } from "./archive.ts";
import { createDeriver, createTables, finishTables } from "./derive/deriver.ts";
import type { Misfit } from "./derive/misfits.ts";
import { startFinder } from "./finder.ts";
import type { Summary } from "./findings.ts";
import { hashContent } from "./hash.ts";
import { ATTRIBUTION, LICENCE } from "./licence.ts";
import { type Coverage, type ListedText, SCHEMA_VERSION, SNAPSHOT_APPLICATION_ID, USER_VERSION } from "./tables.ts";
import { textRules } from "./texts/rules.ts";

/**
 * Makes the snapshot file of a journal: the same journal gives the same bytes. Nothing here looks at the clock, the
 * network or the order in which answers came. `file` must not exist; it is there whole, or not at all.
 */
export async function buildSnapshot(journal: Journal, file: string): Promise<void> {
  const draft = `${file}.draft`;
  mkdirSync(dirname(file), { recursive: true });
  rmSync(draft, { force: true });
  const db = createDraft(draft);
  const finder = startFinder();
  try {
    db.exec("BEGIN");
    const tables = createDeriver(db);
    const { coverage, texts } = await fillArchive(db, journal, finder, tables.add);
    writeNotes(db, texts);
    writeProof(db, journal, coverage, await finder.summarise(), tables.misfits());
    finishTables(db);
    db.exec("COMMIT");
    // Denser by a fiftieth than pages that were filled out of their order.
    db.prepare("VACUUM INTO ?").run(file);
  } finally {
    await finder.stop();
    db.close();
    rmSync(draft, { force: true });
  }
}

function createDraft(draft: string): SQLite.Database {
  const db = new SQLite(draft);
  // The draft is thrown away when anything goes wrong: it needs neither a journal nor a sync. References are checked
  // once, before it is published.
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("foreign_keys = OFF");
  db.pragma("cache_size = -8000");
  db.pragma(`application_id = ${SNAPSHOT_APPLICATION_ID}`);
  db.pragma(`user_version = ${USER_VERSION}`);
  createTables(db);
  return db;
}

function writeProof(
  db: SQLite.Database,
  journal: Journal,
  coverage: readonly Coverage[],
  { shape, quality }: Summary,
  misfits: readonly Misfit[],
) {
  writeHead(db, journal, coverage);
  insertAll(db, "coverage", coverage);
  insertAll(db, "shape", shape);
  insertAll(db, "text_quality", quality);
  insertAll(
    db,
    "misfit",
    misfits.map((misfit, place) => ({ misfit_id: place + 1, ...misfit })),
  );
  insertAll(db, "language_proof", (journal.recall("proof") ?? []) as object[]);
}

function writeNotes(db: SQLite.Database, texts: readonly ListedText[]) {
  insertAll(db, "listed_text", texts);
  insertAll(db, "text_rule", textRules());
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

function writeHead(db: SQLite.Database, journal: Journal, coverage: readonly Coverage[]) {
  const startedAt = journal.header().started_at;
  const contentHash = hashContent(coverage);
  const heroes = db.prepare<[], number>("SELECT count(*) FROM hero").pluck().get();
  const newest = "SELECT game_version FROM game_version ORDER BY created_at_ms DESC, version_id DESC LIMIT 1";
  const gameVersion = db.prepare<[], string>(newest).pluck().get();
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
