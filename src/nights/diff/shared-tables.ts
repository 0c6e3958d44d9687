import type SQLite from "better-sqlite3";
import type { TableDefinition, TableKind } from "../../snapshot/schema/definition.ts";
import type { RowSource } from "../../snapshot/schema/row-source.ts";
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
  /** What its rows are made of. */
  rows: readonly RowSource[];
  kind: TableKind;
  /** The column that has the name of the last id of the key. */
  label: string | undefined;
}

/** The tables whose rows are compared. What the crawl itself did is compared as coverage. */
export const COMPARED_TABLES = TABLES.filter(({ kind }) => kind !== "internal");

/** The tables that both files have: one that a later schema added is compared once both have it. */
export function findSharedTables(db: SQLite.Database): SharedTable[] {
  const columnsOf = (schema: string, table: string) =>
    db.prepare<[string, string], string>("SELECT name FROM pragma_table_info(?, ?)").pluck().all(table, schema);
  return COMPARED_TABLES.flatMap(({ name, kind, label, columns, key, references = [], rows = [] }) => {
    const was = new Set(columnsOf("was", name));
    const now = new Set(columnsOf("main", name));
    const shared = Object.keys(columns).filter((column) => was.has(column) && now.has(column));
    if (!key.every((column) => shared.includes(column))) return [];
    const values = shared.filter((column) => !key.includes(column));
    const stamps = values.filter((column) => columns[column]?.stamp);
    return [{ name, kind, label, key, values, stamps, references, rows }];
  });
}
