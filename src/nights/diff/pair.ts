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
  /** Those of them that are times of the upstream's own bookkeeping. */
  stamps: readonly string[];
  references: NonNullable<TableDefinition["references"]>;
  kind: TableKind;
  /** The column that has the name of the last id of the key. */
  label: string | undefined;
}

/** Two snapshots in one connection: the older one is `was`, the newer one `now`. */
export interface Pair {
  db: SQLite.Database;
  was: SnapshotTable;
  now: SnapshotTable;
  tables: readonly SharedTable[];
  close(): void;
}

export function openPair(before: string, after: string): Pair {
  openSnapshotFile(before).close();
  const db = openSnapshotFile(after);
  try {
    // A snapshot from somewhere else must not run functions through its own views.
    db.pragma("trusted_schema = OFF");
    db.prepare("ATTACH ? AS was").run(before);
    const head = (schema: string) => db.prepare(`SELECT * FROM ${schema}.snapshot`).get() as SnapshotTable;
    return { db, was: head("was"), now: head("main"), tables: shareTables(db), close: () => void db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The tables whose rows are compared; those of the crawl itself are told of by the coverage. */
export const COMPARED = TABLES.filter(({ kind }) => kind !== "internal");

/** Those that both files have; a table that only a later schema has is compared once both do. */
function shareTables(db: SQLite.Database): SharedTable[] {
  const columnsOf = (schema: string, table: string) =>
    db.prepare<[string, string], string>("SELECT name FROM pragma_table_info(?, ?)").pluck().all(table, schema);
  return COMPARED.flatMap(({ name, kind, label, columns, key, references = [] }) => {
    const was = new Set(columnsOf("was", name));
    const now = new Set(columnsOf("main", name));
    const shared = Object.keys(columns).filter((column) => was.has(column) && now.has(column));
    if (!key.every((column) => shared.includes(column))) return [];
    const values = shared.filter((column) => !key.includes(column));
    const stamps = values.filter((column) => columns[column]?.stamp);
    return [{ name, kind, label, key, values, stamps, references }];
  });
}
