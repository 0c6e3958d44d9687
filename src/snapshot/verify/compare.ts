import type SQLite from "better-sqlite3";
import { listNames } from "../schema/sql.ts";
import { recordTable } from "../schema/tables/archive.ts";
import { docTables } from "../schema/tables/docs.ts";

/** The archive, from which all other tables are made, and the docs, which another release may word in another way. */
const NOT_MADE = [recordTable, ...docTables].map(({ name }) => name);

export interface Comparison {
  rows: number;
  /** The first table that differs, and the row of it. */
  difference: string | undefined;
}

/** Compares every table of a file that is made from its records with the rebuilt one, cell by cell. */
export function compareTables(file: SQLite.Database, rebuilt: SQLite.Database): Comparison {
  let rows = 0;
  for (const table of namesOf(file)) {
    if (NOT_MADE.includes(table)) continue;
    const columns = columnsOf(file, table);
    const key = keyOf(file, table);
    const lists = [file, rebuilt].map((db) => select(db, table, columns, key));
    const row = firstDifference(lists[0] as Rows, lists[1] as Rows, () => {
      rows += 1;
    });
    if (row !== undefined) return { rows, difference: `${table}, row ${row}` };
  }
  return { rows, difference: undefined };
}

type Rows = Iterator<unknown>;

const namesOf = (db: SQLite.Database) =>
  db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();

const columnsOf = (db: SQLite.Database, table: string) =>
  db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);

const keyOf = (db: SQLite.Database, table: string) =>
  db.prepare<[string], string>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk").pluck().all(table);

/** Numbers beyond 2^53 are compared too. */
const select = (db: SQLite.Database, table: string, columns: readonly string[], key: readonly string[]): Rows =>
  db
    .prepare(`SELECT ${listNames(columns)} FROM ${table} ORDER BY ${listNames(key)}`)
    .raw()
    .safeIntegers()
    .iterate();

/** The number of the first row that differs, from 1; undefined where all are the same. */
function firstDifference(left: Rows, right: Rows, count: () => void): number | undefined {
  for (let row = 1; ; row += 1) {
    const [leftRow, rightRow] = [left.next(), right.next()];
    if (leftRow.done && rightRow.done) return undefined;
    if (leftRow.done || rightRow.done || !isSame(leftRow.value as unknown[], rightRow.value as unknown[])) {
      left.return?.();
      right.return?.();
      return row;
    }
    count();
  }
}

const isSame = (left: readonly unknown[], right: readonly unknown[]) =>
  left.length === right.length && left.every((cell, index) => Object.is(cell, right[index]));
