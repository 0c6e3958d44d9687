import SQLite from "better-sqlite3";
import { expect } from "vitest";
import { TABLES } from "../../../src/snapshot/schema/tables/all.ts";
import { keyText, type Row, type Rows } from "./archive.ts";
import { expectRows } from "./rows.ts";

/** Every analysts' table of a snapshot has rows: exactly those of its archive, with every value as it was sent. */
export function expectTablesOfArchive(file: string) {
  const db = new SQLite(file, { readonly: true });
  const expected = expectRows(db);
  const filled = TABLES.filter(({ kind }) => kind !== "internal").map(({ name }) => name);
  expect([...expected.keys()].sort()).toEqual(filled.sort());
  for (const [table, rows] of expected) {
    expect(rows.size, table).toBeGreaterThan(0);
    expect({ table, differences: compare(db, table, rows) }).toEqual({ table, differences: [] });
  }
  db.close();
}

/** How a table differs from the rows it should have, up to ten differences. */
function compare(db: SQLite.Database, table: string, rows: Rows): string[] {
  const differences: string[] = [];
  const key = db
    .prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
    .pluck()
    .all(table);
  const missing = new Set(rows.keys());
  for (const row of db.prepare<[], Row>(`SELECT * FROM ${table}`).iterate()) {
    const at = keyText(row, key);
    const wanted = rows.get(at);
    missing.delete(at);
    if (!wanted) differences.push(`${at} comes from no record`);
    const off = wanted && Object.keys({ ...row, ...wanted }).find((name) => !Object.is(row[name], wanted[name]));
    if (off) differences.push(`${at} ${off}: ${row[off]}, sent ${wanted[off]}`);
  }
  for (const at of missing) differences.push(`${at} is missing`);
  return differences.slice(0, 10);
}
