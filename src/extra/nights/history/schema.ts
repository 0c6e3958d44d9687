import type SQLite from "better-sqlite3";
import { listNames, quoteName } from "../../../snapshot/schema/sql.ts";
import { CARRIED_INDEX, CARRIED_SLICES } from "./carried.ts";
import { writeDocs } from "./docs.ts";
import { HISTORY_TABLES, type HistoryTable, isTermColumn } from "./tables.ts";
import { HISTORY_VIEWS } from "./views.ts";

export const HISTORY_APPLICATION_ID = 0x4d53_6831; // "MSh1"

/** A history with another number has to be built anew. */
export const HISTORY_VERSION = 1;

const OWN_TABLES = `
CREATE TABLE IF NOT EXISTS night (
  night_id INTEGER PRIMARY KEY,
  version TEXT NOT NULL UNIQUE,
  date TEXT NOT NULL,
  started_at TEXT NOT NULL,
  game_version TEXT,
  content_hash TEXT NOT NULL,
  schema_version TEXT NOT NULL,
  heroes INTEGER NOT NULL,
  sequence INTEGER,
  withdrawn INTEGER NOT NULL DEFAULT 0,
  failed_slices INTEGER NOT NULL DEFAULT 0,
  rolling INTEGER NOT NULL DEFAULT 0,
  carried_slices INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS slice (
  slice_id INTEGER PRIMARY KEY,
  dataset TEXT NOT NULL,
  slice TEXT NOT NULL,
  hero_id INTEGER,
  subject TEXT,
  lane TEXT,
  rank TEXT,
  days INTEGER,
  lang TEXT NOT NULL,
  UNIQUE (dataset, slice)
) STRICT;
CREATE TABLE IF NOT EXISTS failed_slice_fact (
  night_id INTEGER NOT NULL,
  slice_id INTEGER NOT NULL,
  PRIMARY KEY (night_id, slice_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS word (
  word_id INTEGER PRIMARY KEY,
  column_name TEXT NOT NULL,
  word TEXT NOT NULL,
  UNIQUE (column_name, word)
) STRICT;
CREATE TABLE IF NOT EXISTS table_doc (table_name TEXT PRIMARY KEY, description TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS column_doc (
  table_name TEXT NOT NULL, column_name TEXT NOT NULL, description TEXT NOT NULL, unit TEXT, source TEXT,
  PRIMARY KEY (table_name, column_name)
) STRICT, WITHOUT ROWID;`;

/** Creates what is missing: everything in a new file, tables and columns of a newer schema in an old one. */
export function createSchema(db: SQLite.Database): void {
  db.exec(OWN_TABLES);
  for (const table of [CARRIED_SLICES, ...HISTORY_TABLES]) {
    db.exec(toDdl(table));
    addColumns(db, table);
  }
  db.exec(CARRIED_INDEX);
  for (const { name, select } of HISTORY_VIEWS)
    db.exec(`DROP VIEW IF EXISTS ${name}; CREATE VIEW ${name} AS\n${select}`);
  writeDocs(db);
}

/**
 * Makes the DDL of a table. It is ordered by night, so that a night is appended instead of written all over the table. A partial index
 * finds the versions without an end by their key.
 */
function toDdl(table: HistoryTable): string {
  const { versionTable, key, values, slices, columns, withoutRowid } = table;
  const keys = key.map(
    (column) => `${quoteName(column)} ${isTermColumn(table, column) ? "INTEGER" : columns[column]?.type} NOT NULL`,
  );
  const others = [...values, ...slices].map((column) => `${quoteName(column)} ${columns[column]?.type ?? "INTEGER"}`);
  return `CREATE TABLE IF NOT EXISTS ${versionTable} (
  from_night INTEGER NOT NULL, ${keys.join(", ")}, to_night INTEGER, gap INTEGER, ${[...others, `PRIMARY KEY (from_night, ${listNames(key)})`].join(", ")}
) STRICT${withoutRowid ? ", WITHOUT ROWID" : ""};
CREATE UNIQUE INDEX IF NOT EXISTS ${versionTable}_open ON ${versionTable} (${listNames(key)}) WHERE to_night IS NULL;`;
}

function addColumns(db: SQLite.Database, { versionTable, values, slices, columns }: HistoryTable) {
  const there = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(versionTable);
  for (const column of [...values, ...slices].filter((name) => !there.includes(name)))
    db.exec(`ALTER TABLE ${versionTable} ADD COLUMN ${quoteName(column)} ${columns[column]?.type ?? "INTEGER"}`);
}
