import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import SQLite from "better-sqlite3";
import { hashSlice } from "../../../src/api/body/canonical.ts";

/** Changes a snapshot file into what somebody else might hand out. */
export type Craft = (file: string) => undefined;

/** Runs SQL on the file, past all that SQLite guards. */
export const sql =
  (text: string): Craft =>
  (file) => {
    const db = new SQLite(file);
    try {
      db.unsafeMode();
      db.pragma("foreign_keys = OFF");
      db.exec(text);
    } finally {
      db.close();
    }
  };

/** Writes over rows of `sqlite_schema`. */
export const schemaSql = (text: string): Craft =>
  sql(`PRAGMA writable_schema = ON; ${text}; PRAGMA writable_schema = OFF`);

/** Writes bytes over those at a place of the file. */
export const bytes =
  (at: number, ...values: number[]): Craft =>
  (file) => {
    const handle = openSync(file, "r+");
    writeSync(handle, Buffer.from(values), 0, values.length, at);
    closeSync(handle);
  };

export const replaced =
  (content: string | Buffer): Craft =>
  (file) =>
    void writeFileSync(file, content);

export const cutBy =
  (share: number): Craft =>
  (file) =>
    void truncateSync(file, Math.floor(statSync(file).size * share));

export const longerBy =
  (length: number): Craft =>
  (file) =>
    void writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(length, 7)]));

/** Puts this text in the place of a record, with the hash that its slice then has where it is JSON. */
export const record =
  (dataset: string, make: (json: string) => string | Buffer): Craft =>
  (file) => {
    const db = new SQLite(file);
    const row = db
      .prepare<[string], { rowid: number; slice: string; json: string }>(
        "SELECT rowid, slice, json FROM record WHERE dataset = ? ORDER BY rowid LIMIT 1",
      )
      .get(dataset);
    const made = make(row?.json ?? "");
    db.prepare("UPDATE record SET json = CAST(? AS TEXT) WHERE rowid = ?").run(Buffer.from(made), row?.rowid);
    const texts = db
      .prepare<[string, string | undefined], string>(
        "SELECT json FROM record WHERE dataset = ? AND slice = ? ORDER BY position",
      )
      .pluck()
      .all(dataset, row?.slice);
    db.prepare("UPDATE coverage SET sha256 = ? WHERE dataset = ? AND slice = ?").run(
      hashOf(texts),
      dataset,
      row?.slice,
    );
    db.close();
  };

function hashOf(texts: readonly string[]): string {
  try {
    return hashSlice(texts.map((text): unknown => JSON.parse(text)));
  } catch {
    return "not JSON";
  }
}
