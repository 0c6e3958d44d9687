import type SQLite from "better-sqlite3";
import type { ColumnDefinition, TableDefinition } from "../../snapshot/schema/definition.ts";
import { listNames, quoteName } from "../../snapshot/schema/sql.ts";
import { TABLES } from "../../snapshot/schema/tables/all.ts";

export type Value = string | number | bigint | null;

export interface ExportColumn extends Pick<ColumnDefinition, "type" | "nullable"> {
  name: string;
}

/** A table of one snapshot file. */
export interface ExportTable {
  name: string;
  columns: readonly ExportColumn[];
  /** Number of rows. */
  rows: number;
  /** Rows in the order of the key, in batches of bounded size; cells in the order of `columns`. */
  batches(): Generator<Value[][]>;
}

export const TABLE_NAMES = TABLES.map(({ name }) => name);

/** Without the archive: it repeats the typed tables as JSON and is three quarters of the file. */
export const DEFAULT_TABLES = TABLE_NAMES.filter((name) => name !== "record");

/** Those of the tables that the file has: schema 1.7 lacks some. */
export function openTables(db: SQLite.Database, names: readonly string[]): ExportTable[] {
  const there = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  return TABLES.filter(({ name }) => names.includes(name) && there.includes(name)).map((definition) => {
    const { name } = definition;
    const columns = Object.entries(definition.columns).map(([name, { type, nullable }]) => ({ name, type, nullable }));
    const rows = db
      .prepare<[], number>(`SELECT count(*) FROM ${quoteName(name)}`)
      .pluck()
      .get();
    return { name, columns, rows: rows ?? 0, batches: () => readBatches(db, definition, columns) };
  });
}

const MAX_BATCH_ROWS = 32_768;
const MAX_BATCH_CHARS = 8 * 2 ** 20;

function* readBatches(db: SQLite.Database, { name, key }: TableDefinition, columns: readonly ExportColumn[]) {
  const rows = db
    .prepare(
      `SELECT ${listNames(columns.map((column) => column.name))} FROM ${quoteName(name)} ORDER BY ${listNames(key)}`,
    )
    .raw();
  let batch: Value[][] = [];
  let chars = 0;
  // As bigint: a JavaScript number is not exact beyond 2^53.
  for (const row of rows.safeIntegers().iterate() as IterableIterator<Value[]>) {
    batch.push(row);
    for (const value of row) if (typeof value === "string") chars += value.length;
    if (batch.length < MAX_BATCH_ROWS && chars < MAX_BATCH_CHARS) continue;
    yield batch;
    batch = [];
    chars = 0;
  }
  if (batch.length > 0) yield batch;
}
