import type { ColumnDefinition, TableDefinition } from "../../../snapshot/schema/definition.ts";
import type { RowSource } from "../../../snapshot/schema/row-source.ts";
import { quoteName } from "../../../snapshot/schema/sql.ts";
import { TABLES } from "../../../snapshot/schema/tables/all.ts";

/** A table of the snapshot in the history: one row for each version of a row, valid from one night until another. */
export interface HistoryTable {
  name: string;
  /** SQL name of the table of versions. The view `name` shows it with terms instead of their ids. */
  versionTable: string;
  description: string;
  key: readonly string[];
  values: readonly string[];
  columns: Readonly<Record<string, ColumnDefinition>>;
  rows: readonly RowSource[];
  /** The columns with the slices that a version came from when it was last seen. They are no part of it. */
  slices: readonly string[];
  /** True for short rows, which are stored in their key as in the snapshot; long texts are not. */
  withoutRowid: boolean;
}

/** Derived from the definitions, so that a new table is in the history from its first night on. */
export const HISTORY_TABLES: readonly HistoryTable[] = TABLES.filter(
  ({ kind, history }) => kind !== "internal" && history !== "none",
).map((table) => {
  const { name, description, key, rows = [], slices = [], withoutRowid = false } = table;
  const values = valuesOf(table);
  const kept = Object.entries(table.columns).filter(([column]) => key.includes(column) || values.includes(column));
  return {
    name,
    versionTable: `${name}_fact`,
    description,
    key,
    values,
    columns: Object.fromEntries(kept),
    rows,
    slices,
    withoutRowid,
  };
});

function valuesOf({ columns, key, history, slices = [] }: TableDefinition): readonly string[] {
  if (typeof history === "object") return history;
  const kept = Object.entries(columns).filter(
    ([name, { stamp }]) => !key.includes(name) && !slices.includes(name) && stamp !== "batch",
  );
  return kept.map(([name]) => name);
}

/** Text columns of a key have few distinct values: versions hold their ids in the dictionary, the table `word`. */
export const isTermColumn = ({ columns, key }: HistoryTable, column: string) =>
  key.includes(column) && columns[column]?.type === "TEXT";

export const matchKey = (key: readonly string[], a: string, b: string) =>
  key.map((column) => `${a}.${quoteName(column)} = ${b}.${quoteName(column)}`).join(" AND ");
