/** Random damage to a file whose manifest fits it. */
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Pointer } from "../../src/snapshot/published/pointer.ts";
import { textRuleTable } from "../../src/snapshot/schema/tables/archive.ts";
import { CODE_TABLES } from "../../src/snapshot/schema/tables/codes.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { findProblem } from "../helpers/strangers/problem.ts";

const CASES = 200;
const random = createRandom("damaged");

const night = temporaryFolder();
beforeAll(async () => {
  await publishDays(night.path, [0], "--ranks", "all", "--days", "7", "--heroes", "1", "--languages", "en");
});
afterAll(() => night[Symbol.dispose]());

test("a file with random damage is refused in one line if a table has another content, or cannot be read", async () => {
  using folder = temporaryFolder();
  const honest = fileOf(night.path);
  const file = join(folder.path, "x.sqlite");
  const content = contentOf(honest);
  const wrong: string[] = [];
  let others = 0;
  for (let number = 0; number < CASES; number += 1) {
    copyFileSync(honest, file);
    const what = mutate(file);
    const isOther = contentOf(file) !== content;
    if (isOther) others += 1;
    const problem = await findProblem(file, "maker", headOf(file) ?? pointerOf(night.path));
    if (isOther && problem === undefined) wrong.push(`${number}: ${what} is accepted`);
    if (problem && /\n/.test(problem)) wrong.push(`${number}: ${what}: more than a line`);
  }
  expect(wrong, `SEED=${SEED}`).toEqual([]);
  expect(others).toBeGreaterThan(CASES / 2);
});

/** What a file says of itself, for a manifest that fits it; nothing if it cannot be read. */
function headOf(file: string): Pick<Pointer, "version" | "content_hash"> | undefined {
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { readonly: true });
    return db.prepare<[], Pointer>("SELECT version, content_hash FROM snapshot").get();
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** A hash over all that SQLite reads from a file: what it defines, and every cell of every table; the reason if it cannot. */
function contentOf(file: string): string {
  const hash = createHash("sha256");
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { readonly: true });
    const schema = db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").raw().all();
    hash.update(JSON.stringify([schema, db.pragma("user_version"), db.pragma("application_id")]));
    for (const [type, name] of schema as string[][]) {
      // Words about the tables are a release's own.
      if (type !== "table" || name?.endsWith("_doc")) continue;
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

/** Changes a file at random, and says how. */
function mutate(file: string): string {
  const [name, change] = random.pick(CHANGES);
  return `${name} ${change(file)}`;
}

type Change = (file: string) => string;

const onBytes =
  (change: (bytes: Buffer) => string): Change =>
  (file) => {
    const bytes = readFileSync(file);
    const what = change(bytes);
    writeFileSync(file, bytes);
    return what;
  };

const PAGE = 4096;

const CHANGES: readonly (readonly [string, Change])[] = [
  [
    "flipped bits",
    onBytes((bytes) => {
      const places = Array.from({ length: random.pick([1, 1, 1, 3, 20]) }, () => random.below(bytes.length));
      for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      return places.join();
    }),
  ],
  [
    "flipped bits of the first page",
    onBytes((bytes) => {
      const at = random.below(PAGE);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      return String(at);
    }),
  ],
  [
    "swapped pages",
    onBytes((bytes) => {
      const [one, other] = [random.below(bytes.length / PAGE), random.below(bytes.length / PAGE)].map(
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
    onBytes((bytes) => {
      const page = random.below(bytes.length / PAGE) * PAGE;
      const [from, length] = [page + random.below(PAGE), random.pick([4, 40, 400])];
      for (let at = from; at < Math.min(from + length, page + PAGE); at += 1) bytes[at] = random.below(256);
      return `${from} ${length}`;
    }),
  ],
  ["an edited row of the schema", (file) => editCell(file, "sqlite_schema")],
  ["an edited cell", (file) => editCell(file)],
  ["an edited cell", (file) => editCell(file)],
  ["an edited cell", (file) => editCell(file)],
  // A program that knows a code less would make the same file without it.
  [
    "a row less",
    (file) => withRow(file, (table, where) => (CODES.includes(table) ? "" : `DELETE FROM ${table} WHERE ${where}`)),
  ],
];

const CODES = [...CODE_TABLES, textRuleTable].map(({ name }) => name);

function open(file: string) {
  const db = new SQLite(file);
  db.unsafeMode();
  db.pragma("foreign_keys = OFF");
  db.pragma("ignore_check_constraints = ON");
  db.pragma("writable_schema = ON");
  return db;
}

/** Another value of the same type in one cell. */
function editCell(file: string, table?: string): string {
  return withRow(
    file,
    (name, where, db) => {
      const columns = db.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(name) as string[];
      const column = table ? random.pick(["name", "sql", "tbl_name", "rootpage"]) : random.pick(columns);
      const value = random.pick([
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
  write: (table: string, where: string, db: SQLite.Database) => string,
  wanted?: string,
): string {
  const db = open(file);
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
    const filled = tables.filter((name) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get());
    const table = wanted ?? random.pick(filled);
    const keys = db.prepare("SELECT name FROM pragma_table_info(?) WHERE pk > 0").pluck().all(table) as string[];
    const key = wanted ? ["name"] : keys;
    const rows = db
      .prepare(`SELECT ${key.map((name) => `quote("${name}")`).join(", ")} FROM ${table}`)
      .raw()
      .all();
    const row = random.pick(rows as string[][]);
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
