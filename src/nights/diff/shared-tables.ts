import type SQLite from "better-sqlite3";
import { tableAsNow } from "../../snapshot/read/picture-cells.ts";
import type { TableDefinition, TableKind } from "../../snapshot/schema/definition.ts";
import type { RowSource } from "../../snapshot/schema/row-source.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import { quoteName } from "../../snapshot/schema/sql.ts";
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
  /** SQL for it in each of the two, with cells that compare. */
  was: string;
  main: string;
}

/** The tables whose rows are compared. What the crawl itself did is compared as coverage. */
export const COMPARED_TABLES = TABLES.filter(({ kind }) => kind !== "internal");

interface Heads {
  before: SnapshotTable;
  after: SnapshotTable;
}

/** The tables that both files have: one that a later schema added is compared once both have it. */
export function findSharedTables(db: SQLite.Database, { before, after }: Heads): SharedTable[] {
  const columnsOf = (schema: string, table: string) =>
    db.prepare<[string, string], string>("SELECT name FROM pragma_table_info(?, ?)").pluck().all(table, schema);
  return COMPARED_TABLES.flatMap(({ name, kind, label, columns, key, references = [], rows = [] }) => {
    const [was, now] = [columnsOf("was", name), columnsOf("main", name)];
    const shared = Object.keys(columns).filter((column) => was.includes(column) && now.includes(column));
    if (!key.every((column) => shared.includes(column))) return [];
    const values = shared.filter((column) => !key.includes(column));
    const stamps = values.filter((column) => columns[column]?.stamp);
    const own = (there: readonly string[]) => Object.keys(columns).filter((column) => there.includes(column));
    const sides = {
      was: tableAsNow(`was.${quoteName(name)}`, own(was), before.schema_version),
      main: tableAsNow(`main.${quoteName(name)}`, own(now), after.schema_version),
    };
    return [{ name, kind, label, key, values, stamps, references, rows, ...sides }];
  });
}
