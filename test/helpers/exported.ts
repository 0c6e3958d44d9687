import { copyFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import SQLite from "better-sqlite3";
import { expect } from "vitest";
import type { Format } from "../../src/extra/nights/export/export.ts";
import { TABLE_NAMES } from "../../src/extra/nights/export/tables.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { VIEWS } from "../../src/snapshot/schema/views/all.ts";

export const DUCK_TYPES = { TEXT: "VARCHAR", INTEGER: "BIGINT", REAL: "DOUBLE" };

/** The definition of a table or view: its columns, and the order of its rows. */
const DEFINITIONS = new Map(
  [...TABLES.map((table) => ({ ...table, order: table.key })), ...VIEWS].map((one) => [one.name, one]),
);
export const definedTable = (name: string) => DEFINITIONS.get(name) ?? { columns: {}, order: [] };

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

/** DuckDB, which reads what is exported as others do. */
export async function openDuck() {
  const duck = await (await DuckDBInstance.create(":memory:")).connect();
  const ask = async (sql: string) => (await duck.runAndReadAll(sql)).getRowsJS() as unknown[][];

  /** Both sides in the order of the key, integers as bigint; the rows of a view in the order in which they were written. */
  async function compare(snapshot: string, table: string, from: string) {
    const { columns, order } = definedTable(table);
    const expected = sortedRowsOf(snapshot, table);
    const sorted = TABLE_NAMES.includes(table) ? ` ORDER BY ${quoted(order)}` : "";
    const rows = await ask(`SELECT ${quoted(Object.keys(columns))} FROM ${from}${sorted}`);
    expect(rows.length).toBe(expected.length);
    const other = rows.findIndex((row, index) => !isDeepStrictEqual(row, expected[index]));
    expect(rows[other], `${table} ${other}`).toStrictEqual(expected[other]);
    return rows.length;
  }

  return { ask, compare, read: (sql: string) => duck.runAndReadAll(sql), close: () => duck.closeSync() };
}

/** How DuckDB is told to read a file, with the types that the definition gives the columns. */
export function reading(format: Format, file: string, table: string): string {
  const { columns } = definedTable(table);
  const typed = Object.entries(columns).map(([name, { type }]) => `'${name}': '${DUCK_TYPES[type]}'`);
  const options = `columns = {${typed.join(", ")}}`;
  if (format === "parquet") return `read_parquet('${file}')`;
  if (format === "csv") return `read_csv('${file}', header = true, allow_quoted_nulls = false, ${options})`;
  return `read_json('${file}', format = 'newline_delimited', ${options})`;
}

/** The rows of a table or view in their order, integers as bigint. */
export function sortedRowsOf(snapshot: string, table: string) {
  const { columns, order } = definedTable(table);
  const db = new SQLite(snapshot, { readonly: true });
  try {
    const select = `SELECT ${quoted(Object.keys(columns))} FROM "${table}" ORDER BY ${quoted(order)}`;
    return db.prepare(select).raw().safeIntegers().all() as unknown[][];
  } finally {
    db.close();
  }
}

/** The same night as another version of another hour. */
export function copyOfNight(snapshot: string, file: string, version: string, startedAt: string): string {
  copyFileSync(snapshot, file);
  const db = new SQLite(file);
  db.prepare("UPDATE snapshot SET version = ?, started_at = ?").run(version, startedAt);
  db.close();
  return file;
}
