import type { Column, TableDefinition } from "../../snapshot/definition.ts";
import { TABLES } from "../../snapshot/definitions/all.ts";
import { proofTables } from "../../snapshot/definitions/proof.ts";
import type { Rows } from "../../snapshot/derive/rows.ts";

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

const OWN = new Set([...proofTables.map(({ name }) => name), "table_doc", "column_doc"]);

// Its rates are those of hero_rate.
const SKIPPED = new Set(["hero_batch"]);

// New in every row every night, and told by the night itself.
const BATCH_STAMP = "batch_at_ms";

// 86 thousand rows are new every night: who is in a list and how far ahead; the other twelve numbers stay in the snapshots.
const NARROWED: Readonly<Record<string, readonly string[]>> = { hero_pairing: ["other_hero_id", "increase_win_rate"] };

/** From the definitions, so that a table which a later schema adds is folded from its first night on. */
export const HISTORY_TABLES: readonly HistoryTable[] = TABLES.filter(
  ({ name }) => !OWN.has(name) && !SKIPPED.has(name),
).map(({ name, description, key, columns, rows = [], withoutRowid = false }: TableDefinition) => {
  const values =
    NARROWED[name] ?? Object.keys(columns).filter((column) => !key.includes(column) && column !== BATCH_STAMP);
  const kept = Object.entries(columns).filter(([column]) => key.includes(column) || values.includes(column));
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

/** Key columns of text are few words again and again: the facts hold their numbers. */
export const isWord = ({ columns, key }: HistoryTable, column: string) =>
  key.includes(column) && columns[column]?.type === "TEXT";

export const quote = (name: string) => `"${name}"`;
export const list = (names: readonly string[], prefix = "") => names.map((name) => prefix + quote(name)).join(", ");
export const matchKey = (key: readonly string[], a: string, b: string) =>
  key.map((column) => `${a}.${quote(column)} = ${b}.${quote(column)}`).join(" AND ");
