import type { Column, TableDefinition } from "../../snapshot/schema/definition.ts";
import type { Rows } from "../../snapshot/schema/row-source.ts";
import { quoteName } from "../../snapshot/schema/sql.ts";
import { TABLES } from "../../snapshot/schema/tables/all.ts";

/** A table of the snapshot as the history keeps it: a row for each state, from a night until another. */
export interface HistoryTable {
  name: string;
  /** Holds the rows; the view of the table's own name shows them with words in place of numbers. */
  fact: string;
  description: string;
  key: readonly string[];
  values: readonly string[];
  columns: Readonly<Record<string, Column>>;
  /** Where its rows come from. */
  rows: readonly Rows[];
  /** As in the snapshot: short rows are stored in their key, long texts are not. */
  withoutRowid: boolean;
}

/** From the definitions, so that a table which a later schema adds is folded from its first night on. */
export const HISTORY_TABLES: readonly HistoryTable[] = TABLES.filter(
  ({ kind, history }) => kind !== "internal" && history !== "none",
).map((table) => {
  const { name, description, key, rows = [], withoutRowid = false } = table;
  const values = valuesOf(table);
  const kept = Object.entries(table.columns).filter(([column]) => key.includes(column) || values.includes(column));
  return {
    name,
    fact: `${name}_fact`,
    description,
    key,
    values,
    columns: Object.fromEntries(kept),
    rows,
    withoutRowid,
  };
});

function valuesOf({ columns, key, history }: TableDefinition): readonly string[] {
  if (typeof history === "object") return history;
  const kept = Object.entries(columns).filter(([name, { stamp }]) => !key.includes(name) && stamp !== "batch");
  return kept.map(([name]) => name);
}

/** Key columns of text are few words again and again: the facts hold their numbers. */
export const isWord = ({ columns, key }: HistoryTable, column: string) =>
  key.includes(column) && columns[column]?.type === "TEXT";

export const matchKey = (key: readonly string[], a: string, b: string) =>
  key.map((column) => `${a}.${quoteName(column)} = ${b}.${quoteName(column)}`).join(" AND ");
