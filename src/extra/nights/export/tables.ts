import type SQLite from "better-sqlite3";
import type { ColumnDefinition } from "../../../snapshot/schema/definition.ts";
import { listNames, quoteName } from "../../../snapshot/schema/sql.ts";
import { TABLES } from "../../../snapshot/schema/tables/all.ts";
import { VIEWS } from "../../../snapshot/schema/views/all.ts";

export type Value = string | number | bigint | null;

export interface ExportColumn extends Pick<ColumnDefinition, "type" | "nullable"> {
  name: string;
}

/** A table or view of one snapshot file. */
export interface ExportTable {
  name: string;
  columns: readonly ExportColumn[];
  /** Rows in a fixed order, in batches of bounded size; cells in the order of `columns`. */
  batches(): Generator<Value[][]>;
}

export const VIEW_NAMES = VIEWS.map(({ name }) => name);
export const TABLE_NAMES = TABLES.map(({ name }) => name);

/**
 * The tables that are exported by default: without the archive, which repeats the typed tables as JSON and is three quarters of the file.
 */
export const DEFAULT_TABLES = TABLE_NAMES.filter((name) => name !== "record");

/**
 * Opens those of the tables that the file has: one of an older schema may lack some. Views are those of this program, whatever the file
 * defines.
 */
export function openTables(
  db: SQLite.Database,
  names: readonly string[],
  languages?: readonly string[],
): ExportTable[] {
  const there = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  // Tables about the crawl are not filtered: numbers are of answers in English.
  const tables = TABLES.filter(({ name }) => there.includes(name)).map(({ name, kind, columns, key }) =>
    openTable(db, name, columns, quoteName(name), key, kind === "internal" ? undefined : languages),
  );
  const views = VIEWS.map(({ name, columns, select, order }) =>
    openTable(db, name, toNullable(columns), `(${select})`, order, languages),
  );
  return [...tables, ...views].filter(({ name }) => names.includes(name));
}

/** Makes all columns of a view nullable: it need not keep to its definition, as the difference of two infinite rates is null. */
const toNullable = (columns: Readonly<Record<string, ColumnDefinition>>) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, { ...column, nullable: true }]));

function openTable(
  db: SQLite.Database,
  name: string,
  definitions: Readonly<Record<string, ColumnDefinition>>,
  source: string,
  order: readonly string[],
  languages: readonly string[] | undefined,
): ExportTable {
  const columns = Object.entries(definitions).map(([name, { type, nullable }]) => ({ name, type, nullable }));
  const chosen = definitions.lang ? languages : undefined;
  const where = chosen ? "WHERE lang IN (SELECT value FROM json_each(?))" : "";
  const sql = `SELECT ${listNames(Object.keys(definitions))} FROM ${source} ${where} ORDER BY ${listNames(order)}`;
  return { name, columns, batches: () => readBatches(db, sql, chosen ? [JSON.stringify(chosen)] : []) };
}

const MAX_BATCH_ROWS = 32_768;
const MAX_BATCH_CHARS = 8 * 2 ** 20;

export function* readBatches(db: SQLite.Database, sql: string, parameters: readonly string[] = []) {
  let batch: Value[][] = [];
  let chars = 0;
  // As bigint: a JavaScript number is not exact beyond 2^53.
  const rows = db
    .prepare(sql)
    .raw()
    .safeIntegers()
    .iterate(...parameters) as IterableIterator<Value[]>;
  for (const row of rows) {
    batch.push(row);
    for (const value of row) if (typeof value === "string") chars += value.length;
    if (batch.length < MAX_BATCH_ROWS && chars < MAX_BATCH_CHARS) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
