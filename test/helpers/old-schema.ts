import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { hashArchive } from "../../src/snapshot/build/hashes.ts";
import { sortBySlice } from "../../src/snapshot/build/sources.ts";
import type { Coverage, SnapshotTable } from "../../src/snapshot/schema/row-types.ts";
import { OLDEST_VERSION } from "../../src/snapshot/schema/version.ts";
import { toSlice } from "../../src/snapshot/verify/rebuild.ts";

/** What files of a schema define. */
export const definitionOf = (version: string): string =>
  readFileSync(join(import.meta.dirname, "schemas", `${version}.sql`), "utf8");

/** Makes a snapshot into one of the oldest schema that is read, as a program of that time would have written it. */
export function toOldestSchema(file: string): void {
  const version = OLDEST_VERSION;
  const old = `${file}.old`;
  const db = new SQLite(old);
  db.pragma("foreign_keys = OFF");
  db.pragma(`application_id = ${0x4d534e50}`);
  db.exec(definitionOf(version));
  db.prepare("ATTACH ? AS now").run(file);
  const tables = db.prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'table'").pluck().all();
  for (const table of tables) {
    const columns = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?, 'main')").pluck().all(table);
    const names = columns.map((column) => `"${column}"`).join(", ");
    db.exec(`INSERT INTO main.${table} (${names}) SELECT ${names} FROM now.${table}`);
  }
  db.prepare("UPDATE main.snapshot SET schema_version = ?").run(version);
  rehash(db);
  db.exec("DETACH now; VACUUM");
  db.close();
  rmSync(file);
  renameSync(old, file);
}

/** Schema 1.7 does not say what is refused, which counts in the hash. */
function rehash(db: SQLite.Database) {
  const head = db.prepare<[], SnapshotTable>("SELECT * FROM main.snapshot").get();
  if (head === undefined) return;
  const coverage = sortBySlice(db.prepare<[], Coverage>("SELECT * FROM main.coverage").all(), toSlice);
  db.prepare("UPDATE main.snapshot SET archive_hash = ?").run(hashArchive(db, head, coverage));
}

/** Makes a snapshot into one of schema 1.6, which is not read any more: it does not say when a slice was asked. */
export function toUnreadSchema(file: string): void {
  const db = new SQLite(file);
  const views = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'view'").pluck().all();
  for (const view of views) db.exec(`DROP VIEW ${view}`);
  db.exec("ALTER TABLE coverage DROP COLUMN asked_at");
  db.exec("UPDATE snapshot SET schema_version = '1.6.0'; PRAGMA user_version = 10600; VACUUM");
  db.close();
}
