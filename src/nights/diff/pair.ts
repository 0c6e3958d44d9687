import type SQLite from "better-sqlite3";
import { openSnapshotFile } from "../../snapshot/read/open.ts";
import type { TableDefinition, TableKind } from "../../snapshot/schema/definition.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import { TABLES } from "../../snapshot/schema/tables/all.ts";

/** A value of any column. */
export type Cell = string | number | null;

/** A typed table that both snapshots have, with the columns that both have. */
export interface SharedTable {
  name: string;
  key: readonly string[];
  /** The columns beside the key. */
  values: readonly string[];
  /** Those of them that are timestamps of the upstream's own bookkeeping. */
  stamps: readonly string[];
  references: NonNullable<TableDefinition["references"]>;
  kind: TableKind;
  /** The column that has the name of the last id of the key. */
  label: string | undefined;
}

/** Two snapshots in one connection. */
export interface Pair {
  /** The newer one is the schema `main`, the older one `was`. */
  db: SQLite.Database;
  before: SnapshotTable;
  after: SnapshotTable;
  tables: readonly SharedTable[];
  close(): void;
}

/** Throws a `Failure` for a file that is no snapshot of ours. */
export function openPair(before: string, after: string): Pair {
  openSnapshotFile(before).close();
  const db = openSnapshotFile(after);
  try {
    // The views of a file from elsewhere must not call functions.
    db.pragma("trusted_schema = OFF");
    db.prepare("ATTACH ? AS was").run(before);
    const head = (schema: string) => db.prepare(`SELECT * FROM ${schema}.snapshot`).get() as SnapshotTable;
    return { db, before: head("was"), after: head("main"), tables: findSharedTables(db), close: () => void db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The tables whose rows are compared. What the crawl itself did is compared as coverage. */
export const COMPARED_TABLES = TABLES.filter(({ kind }) => kind !== "internal");

/** The tables that both files have: one that a later schema added is compared once both have it. */
function findSharedTables(db: SQLite.Database): SharedTable[] {
  const columnsOf = (schema: string, table: string) =>
    db.prepare<[string, string], string>("SELECT name FROM pragma_table_info(?, ?)").pluck().all(table, schema);
  return COMPARED_TABLES.flatMap(({ name, kind, label, columns, key, references = [] }) => {
    const was = new Set(columnsOf("was", name));
    const now = new Set(columnsOf("main", name));
    const shared = Object.keys(columns).filter((column) => was.has(column) && now.has(column));
    if (!key.every((column) => shared.includes(column))) return [];
    const values = shared.filter((column) => !key.includes(column));
    const stamps = values.filter((column) => columns[column]?.stamp);
    return [{ name, kind, label, key, values, stamps, references }];
  });
}
