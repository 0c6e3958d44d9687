import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import SQLite from "better-sqlite3";
import type { Draw } from "../draw.ts";

/** A hash over all that SQLite reads from a file: what it defines, and every cell of every table; the reason where it cannot. */
export function contentOf(file: string): string {
  const hash = createHash("sha256");
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { readonly: true });
    const schema = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").raw().all();
    hash.update(JSON.stringify([schema, db.pragma("user_version"), db.pragma("application_id")]));
    for (const [type, name] of schema as string[][]) {
      if (type !== "table") continue;
      const columns = db.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(name) as string[];
      const cells = columns.map((column) => `typeof("${column}") || hex("${column}")`).join(" || ' ' || ");
      const rows = db.prepare(`SELECT ${cells} FROM "${name}" ORDER BY 1`).pluck().all();
      hash.update(`${name} ${rows.length}\n${rows.join("\n")}`);
    }
    return hash.digest("hex");
  } catch (error) {
    return `unreadable: ${(error as Error).message}`;
  } finally {
    db?.close();
  }
}

/** What a file says of itself, for a manifest that fits it; nothing where it cannot be read. */
export function headOf(file: string): { version: string; content_hash: string } | undefined {
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { readonly: true });
    return db
      .prepare<[], { version: string; content_hash: string }>("SELECT version, content_hash FROM snapshot")
      .get();
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** Changes a file at random, and says how. */
export function mutate(file: string, draw: Draw): string {
  const [name, change] = draw.pick(CHANGES);
  return `${name} ${change(file, draw)}`;
}

type Change = (file: string, draw: Draw) => string;

const onBytes =
  (change: (bytes: Buffer, draw: Draw) => string): Change =>
  (file, draw) => {
    const bytes = readFileSync(file);
    const what = change(bytes, draw);
    writeFileSync(file, bytes);
    return what;
  };

const PAGE = 4096;

const CHANGES: readonly (readonly [string, Change])[] = [
  [
    "flipped bits",
    onBytes((bytes, draw) => {
      const places = Array.from({ length: draw.pick([1, 1, 1, 3, 20]) }, () => draw.below(bytes.length));
      for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ (1 << draw.below(8));
      return places.join();
    }),
  ],
  [
    "flipped bits of the first page",
    onBytes((bytes, draw) => {
      const at = draw.below(PAGE);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << draw.below(8));
      return String(at);
    }),
  ],
  [
    "swapped pages",
    onBytes((bytes, draw) => {
      const [one, other] = [draw.below(bytes.length / PAGE), draw.below(bytes.length / PAGE)].map(
        (page) => page * PAGE,
      );
      const kept = Buffer.from(bytes.subarray(one, (one ?? 0) + PAGE));
      bytes.copy(bytes, one, other, (other ?? 0) + PAGE);
      kept.copy(bytes, other);
      return `${one} ${other}`;
    }),
  ],
  [
    "a page of noise",
    onBytes((bytes, draw) => {
      const page = draw.below(bytes.length / PAGE) * PAGE;
      const [from, length] = [page + draw.below(PAGE), draw.pick([4, 40, 400])];
      for (let at = from; at < Math.min(from + length, page + PAGE); at += 1) bytes[at] = draw.below(256);
      return `${from} ${length}`;
    }),
  ],
  ["an edited row of the schema", (file, draw) => editCell(file, draw, "sqlite_schema")],
  ["an edited cell", (file, draw) => editCell(file, draw)],
  ["an edited cell", (file, draw) => editCell(file, draw)],
  ["an edited cell", (file, draw) => editCell(file, draw)],
  ["a row less", (file, draw) => withRow(file, draw, (table, where) => `DELETE FROM ${table} WHERE ${where}`)],
];

function open(file: string) {
  const db = new SQLite(file);
  db.unsafeMode();
  db.pragma("foreign_keys = OFF");
  db.pragma("ignore_check_constraints = ON");
  db.pragma("writable_schema = ON");
  return db;
}

/** Another value of the same type in one cell. */
function editCell(file: string, draw: Draw, table?: string): string {
  return withRow(
    file,
    draw,
    (name, where, db) => {
      const columns = db.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(name) as string[];
      const column = table ? draw.pick(["name", "sql", "tbl_name", "rootpage"]) : draw.pick(columns);
      const value = draw.pick([
        `CASE typeof("${column}") WHEN 'text' THEN "${column}" || 'x' WHEN 'null' THEN 'x' ELSE "${column}" + 1 END`,
        `CASE typeof("${column}") WHEN 'text' THEN substr("${column}", 2) WHEN 'null' THEN 0 ELSE -"${column}" - 1 END`,
        `CASE typeof("${column}") WHEN 'text' THEN upper("${column}") WHEN 'null' THEN NULL ELSE "${column}" * 1.5 END`,
      ]);
      return `UPDATE OR IGNORE ${name} SET "${column}" = ${value} WHERE ${where}`;
    },
    table,
  );
}

/** Runs a statement on one row; says which. What SQLite refuses leaves the file as it is. */
function withRow(
  file: string,
  draw: Draw,
  write: (table: string, where: string, db: SQLite.Database) => string,
  wanted?: string,
): string {
  const db = open(file);
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
    const filled = tables.filter((name) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get());
    const table = wanted ?? draw.pick(filled);
    const keys = db.prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0").pluck().all(table) as string[];
    const key = wanted ? ["name"] : keys;
    const rows = db
      .prepare(`SELECT ${key.map((name) => `quote("${name}")`).join(", ")} FROM ${table}`)
      .raw()
      .all();
    const row = draw.pick(rows as string[][]);
    const where = key.map((name, at) => `"${name}" IS ${row[at]}`).join(" AND ");
    const statement = write(table, where, db);
    db.exec(statement);
    return statement.slice(0, 200);
  } catch (error) {
    return `nothing (${(error as Error).message})`;
  } finally {
    db.close();
  }
}
