import { MAX_LINE_CHARS, MAX_NAME_CHARS, MAX_TEXT_CHARS } from "../../api/body/bounds.ts";
import type { CellSource, RowSource } from "./row-source.ts";
import { listNames, quoteName } from "./sql.ts";

/** One column of a table, with its meaning for whoever opens the file. */
export interface ColumnDefinition {
  type: "TEXT" | "INTEGER" | "REAL";
  nullable: boolean;
  description: string;
  unit: string | null;
  /** The source of its cells: in all sources of the rows, or by the first dataset of each. */
  from?: CellSource | Readonly<Record<string, CellSource>> | undefined;
  /** Endpoint and path, if they do not follow from `from`. */
  source: string | null;
  /**
   * A time in the upstream's own bookkeeping: of a record, or of the batch that it is of. If nothing else changed in a row, the diff does
   * not list it. The history leaves stamps of batches out: every row has a new one every night.
   */
  stamp: "record" | "batch" | null;
}

/**
 * The kind of the rows, and so how the diff treats them:
 * - `statistic`: numbers that move every night. Changes are counted; rates and matchups are held against their noise.
 * - `list`: places of a list; the last column of the key, `position`, counts the places. Compared list by list.
 * - `text`: texts by language; the key has a `lang`. Compared row by row, changed texts word by word.
 * - `row`: any other. Compared row by row.
 * - `internal`: the archive, the tables that tell whether it is right, and the docs. Neither compared nor in the history.
 */
export type TableKind = "statistic" | "list" | "text" | "row" | "internal";

/** One table: its columns, keys and meaning, and the sources of its rows. */
export interface TableDefinition {
  name: string;
  kind: TableKind;
  /** Columns beside the key that the history keeps; left out, all but the stamps of batches. `none`: the table is not in it. */
  history?: "none" | readonly string[];
  /** The column with the name that people use for the last id of the key: the diff names it so. */
  label?: string;
  description: string;
  columns: Record<string, ColumnDefinition>;
  key: readonly string[];
  references?: readonly ForeignKey[];
  indexes?: readonly (readonly string[] | TableIndex)[];
  checks?: readonly string[];
  /** Tables of small rows are stored in their key; tables with long texts are not. */
  withoutRowid?: boolean;
  /** Rows that are known before anything is asked, with cells in the order of the columns. */
  constants?: readonly (readonly (string | number | null)[])[];
  /** Tables without rows are filled by the build itself. */
  rows?: readonly RowSource[];
  /** Columns with the number of the answer that the cells of a source come from; `withSlices` makes them from `rows`. */
  slices?: readonly string[];
  /** The table that has a row for each record or element whose parts are rows here: they are skipped with it. */
  partOf?: string;
}

/** An index of more than the columns that name it. */
export interface TableIndex {
  columns: readonly string[];
  /** Further columns of the index, so that its reader need not look into the table. */
  covers?: readonly string[];
  /** The condition for rows of the index; all by default. */
  where?: string;
  unique?: true;
}

/** A row whose columns name none of the table's keys is left out. */
export interface ForeignKey {
  columns: readonly string[];
  table: string;
}

/** Units of columns that hold times. */
export const DAY = "ISO 8601 date";
export const INSTANT = "ISO 8601 time in UTC";
const MILLISECONDS = "epoch milliseconds";

interface Extra extends Pick<ColumnDefinition, "from"> {
  unit?: string;
  source?: string;
  /** A stamp in epoch milliseconds, without saying so. */
  stamp?: "record" | "batch";
}

const column =
  <T extends ColumnDefinition["type"], N extends boolean>(type: T, nullable: N) =>
  (description: string, { from, unit, source, stamp }: Extra = {}) => ({
    type,
    nullable,
    description,
    from,
    unit: stamp ? MILLISECONDS : (unit ?? null),
    source: source ?? null,
    stamp: stamp ?? null,
  });

export const text = column("TEXT", false);
export const integer = column("INTEGER", false);
export const real = column("REAL", false);
export const maybe = { text: column("TEXT", true), integer: column("INTEGER", true), real: column("REAL", true) };

/** A row of a table as the driver gives it. */
export type RowOf<T extends { columns: Record<string, Pick<ColumnDefinition, "type" | "nullable">> }> = {
  [K in keyof T["columns"]]:
    | (T["columns"][K]["type"] extends "TEXT" ? string : number)
    | (T["columns"][K]["nullable"] extends true ? null : never);
};

/** Tells whether a column of a table holds addresses, of pictures as a rule. */
export const holdsAddresses = (column: string): boolean => column.endsWith("_url");

/** Returns the most characters that a text of a column may have. A longer one is cut. */
export function mostChars(column: string): number {
  if (/(?:^|_)name$/.test(column)) return MAX_NAME_CHARS;
  return column === "title" || holdsAddresses(column) ? MAX_LINE_CHARS : MAX_TEXT_CHARS;
}

/** Writes the statement that makes a table. */
export function toDdl({
  name,
  columns,
  key,
  references = [],
  slices = [],
  checks = [],
  withoutRowid,
}: TableDefinition): string {
  const lines = [
    ...Object.entries(columns).map(
      ([column, { type, nullable }]) => `${quoteName(column)} ${type}${nullable ? "" : " NOT NULL"}`,
    ),
    `PRIMARY KEY (${listNames(key)})`,
    ...references.map((reference) => `FOREIGN KEY (${listNames(reference.columns)}) REFERENCES ${reference.table}`),
    ...slices.map((column) => `FOREIGN KEY (${quoteName(column)}) REFERENCES coverage`),
    ...checks.map((check) => `CHECK (${check})`),
  ];
  return `CREATE TABLE ${name} (\n  ${lines.join(",\n  ")}\n) STRICT${withoutRowid ? ", WITHOUT ROWID" : ""};`;
}

/** Writes the statements that make its indexes. */
export const toIndexDdl = ({ name, indexes = [] }: TableDefinition): string =>
  indexes
    .map((index): TableIndex => ("columns" in index ? index : { columns: index }))
    .map(
      ({ columns, covers = [], where, unique }) =>
        `CREATE ${unique ? "UNIQUE " : ""}INDEX ${name}_${columns.join("_")} ON ${name} (${listNames([...columns, ...covers])})${where ? ` WHERE ${where}` : ""};`,
    )
    .join("\n");

/** The type of an expression. */
export type ComputedType = ColumnDefinition["type"] | `${ColumnDefinition["type"]} | null`;

/** A question that people ask, as a view. */
export interface ViewDefinition {
  name: string;
  description: string;
  columns: Record<string, string>;
  /** Types of the columns that are expressions. SQLite tells those of the others. */
  computed?: Record<string, ComputedType>;
  select: string;
}

/** A view of the snapshot. Its columns are described like those of tables. */
export interface SnapshotView extends Omit<ViewDefinition, "columns" | "computed"> {
  columns: Record<string, ColumnDefinition>;
  /** The columns by which an export sorts the rows. */
  order: readonly string[];
  /** A query that shows what the view is good for: the dictionary has its first rows. */
  example: string;
}
