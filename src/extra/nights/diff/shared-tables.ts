import type { HasColumn } from "../../../snapshot/read/held-columns.ts";
import type { TableDefinition, TableKind } from "../../../snapshot/schema/definition.ts";
import type { RowSource } from "../../../snapshot/schema/row-source.ts";
import { quoteName } from "../../../snapshot/schema/sql.ts";
import { TABLES } from "../../../snapshot/schema/tables/all.ts";

/** A value of any column. */
export type Cell = string | number | null;

/** A typed table of two snapshots. */
export interface SharedTable {
  name: string;
  key: readonly string[];
  /** The columns beside the key. */
  values: readonly string[];
  /** Those of the columns that are timestamps of the upstream's own bookkeeping. */
  stamps: readonly string[];
  references: NonNullable<TableDefinition["references"]>;
  /** The sources of its rows. */
  rows: readonly RowSource[];
  kind: ComparedAs;
  /** The column that has the name of the last id of the key. */
  label: string | undefined;
  /** Its names in each of the two. */
  was: string;
  main: string;
}

/** Kinds of comparison. Parts of statistics, such as the items of builds, change every night as those do. */
type ComparedAs = Exclude<TableKind, "internal">;

const kinds = new Map(TABLES.map(({ name, kind }) => [name, kind]));

/** The tables whose rows are compared, and as which kind. The coverage stands for the tables about the crawl itself. */
export const COMPARED_TABLES = TABLES.flatMap((table) => {
  const { kind, partOf } = table;
  const ofStatistic = partOf !== undefined && kinds.get(partOf) === "statistic";
  return kind === "internal" ? [] : [{ ...table, kind: ofStatistic ? ("statistic" as const) : kind }];
});

const SHARED_TABLES: readonly SharedTable[] = COMPARED_TABLES.map(
  ({ name, kind, label, columns, key, references = [], rows = [], slices = [] }) => {
    const names = Object.keys(columns);
    const values = names.filter((column) => !key.includes(column) && !slices.includes(column));
    const stamps = values.filter((column) => columns[column]?.stamp);
    const was = `was.${quoteName(name)}`;
    const main = `main.${quoteName(name)}`;
    return { name, kind, label, key, values, stamps, references, rows, was, main };
  },
);

/** Returns the tables and columns that both files have: one of a lower minor lacks some. */
export function shareTables(...files: readonly HasColumn[]): SharedTable[] {
  const inAll = (table: string) => (column: string) => files.every((has) => has(table, column));
  return SHARED_TABLES.filter(({ name, key }) => key.every(inAll(name))).map((table) => ({
    ...table,
    values: table.values.filter(inAll(table.name)),
    stamps: table.stamps.filter(inAll(table.name)),
  }));
}
