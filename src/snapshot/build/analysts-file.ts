import { rmSync, statSync } from "node:fs";
import SQLite from "better-sqlite3";
import { hashFile } from "../../base/files.ts";
import { draftOf, release } from "../../base/release.ts";
import { ANALYSTS_APPLICATION_ID } from "../schema/version.ts";

/** The archive, what notes and names its records, and what is read from them: three quarters of a file, which only a server needs. */
const LEFT_OUT = ["record", "listed_text", "text_rule", "text_issue", "text_issue_list"];

/**
 * Writes the tables of a snapshot that was checked, without its archive, as one file that says so: in the description of the table
 * `snapshot`, and by an `application_id` of its own. The same snapshot gives the same bytes. `file` is written whole or not at all.
 */
export function writeAnalystsFile(snapshot: string, file: string): void {
  const draft = draftOf(file);
  rmSync(draft, { force: true });
  const db = createDraft(draft);
  try {
    db.prepare("ATTACH ? AS night").run(snapshot);
    db.exec("BEGIN");
    copyObjects(db);
    describe(db);
    db.pragma(`user_version = ${db.pragma("night.user_version", { simple: true })}`);
    db.exec("COMMIT");
    db.close();
    release([[{ file, draft }]]);
  } finally {
    db.close();
    rmSync(draft, { force: true });
  }
}

/** Makes the analysts' file, and returns its size and hash for the manifest. */
export async function makeAnalystsFile(snapshot: string, file: string): Promise<{ size: number; sha256: string }> {
  writeAnalystsFile(snapshot, file);
  return { size: statSync(file).size, sha256: await hashFile(file) };
}

function createDraft(draft: string): SQLite.Database {
  const db = new SQLite(draft);
  // A draft is thrown away when anything goes wrong, and what it is copied from has been checked. A journal would be a file that stays.
  db.pragma("journal_mode = MEMORY");
  db.pragma("synchronous = OFF");
  db.pragma("foreign_keys = OFF");
  db.pragma("trusted_schema = OFF");
  db.pragma("cache_size = -8000");
  db.pragma(`application_id = ${ANALYSTS_APPLICATION_ID}`);
  return db;
}

/** Whatever the file of any schema has. Tables are filled before they have indexes: their pages are dense. */
function copyObjects(db: SQLite.Database) {
  const objects = db
    .prepare<[string], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM night.sqlite_schema
       WHERE sql IS NOT NULL AND tbl_name NOT IN (SELECT value FROM json_each(?)) ORDER BY type <> 'table', rowid`,
    )
    .all(JSON.stringify(LEFT_OUT));
  for (const { type, name, sql } of objects) {
    db.exec(sql);
    if (type === "table") db.exec(`INSERT INTO main."${name}" SELECT * FROM night."${name}"`);
  }
}

function describe(db: SQLite.Database) {
  for (const table of ["table_doc", "column_doc"])
    db.prepare(`DELETE FROM main.${table} WHERE table_name IN (SELECT value FROM json_each(?))`).run(
      JSON.stringify(LEFT_OUT),
    );
  db.prepare("UPDATE main.table_doc SET description = description || ? WHERE table_name = 'snapshot'").run(
    ` This file is for analysts: the snapshot without ${LEFT_OUT.join(", ")}, so that nobody can serve it or verify it.`,
  );
}
