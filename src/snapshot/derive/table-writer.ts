import type SQLite from "better-sqlite3";
import type { ForeignKey, TableDefinition } from "../schema/definition.ts";
import { listNames, quoteName } from "../schema/sql.ts";

export type CellValue = string | number | null;
export type Row = CellValue[];

/** Writes one table of the draft. Rows have their cells in the order of the columns. */
export interface TableWriter {
  definition: TableDefinition;
  columns: readonly string[];
  /** Its foreign keys, except for the table that it is part of; `places` are the columns' positions in a row. */
  references: readonly (ForeignKey & { places: readonly number[] })[];
  /** Returns the key of a row. */
  keyOf(row: Row): Row;
  /** Inserts a row; false if the key is taken. */
  insert(row: Row): boolean;
  /** Returns the row that has the key of this one. */
  find(row: Row): Row | undefined;
  /** Fills the null cells of the row that has this key; false if there is none. */
  fill(row: Row): boolean;
  replace(row: Row): void;
  /** Tells whether a row with this key was inserted. Only for tables that others refer to. */
  has(key: Row): boolean;
}

/** Makes the writer of a table. `isReferenced`: rows of other tables name its keys. */
export function createTableWriter(
  db: SQLite.Database,
  definition: TableDefinition,
  isReferenced: boolean,
): TableWriter {
  const { name, key, references = [], partOf } = definition;
  const columns = Object.keys(definition.columns);
  const keyPlaces = key.map((column) => columns.indexOf(column));
  const names = listNames(columns);
  const where = key.map((column) => `${quoteName(column)} = ?`).join(" AND ");
  const others = columns.filter((column) => !key.includes(column));
  const set = (how: (column: string) => string) =>
    others.map((column) => `${quoteName(column)} = ${how(column)}`).join(", ");
  // Prepared when first used: most tables never meet a key twice.
  const lazily = <R>(sql: string) => {
    let statement: SQLite.Statement<CellValue[], R> | undefined;
    return () => {
      statement ??= db.prepare<CellValue[], R>(sql);
      return statement;
    };
  };
  const insert = lazily(`INSERT OR IGNORE INTO ${name} (${names}) VALUES (${columns.map(() => "?").join(", ")})`);
  const select = lazily<Row>(`SELECT ${names} FROM ${name} WHERE ${where}`);
  const fill = lazily(`UPDATE ${name} SET ${set((column) => `coalesce(${quoteName(column)}, ?)`)} WHERE ${where}`);
  const replace = lazily(`UPDATE ${name} SET ${set(() => "?")} WHERE ${where}`);
  const keyOf = (row: Row): Row => keyPlaces.map((position) => row[position] ?? null);
  const cellsOf = (row: Row): Row => others.map((column) => row[columns.indexOf(column)] ?? null);
  const keys = new Set<string>();

  return {
    definition,
    columns,
    references: references
      .filter(({ table }) => table !== partOf)
      .map((reference) => ({ ...reference, places: reference.columns.map((column) => columns.indexOf(column)) })),
    keyOf,
    insert(row) {
      const inserted = insert().run(...row).changes > 0;
      if (inserted && isReferenced) keys.add(toKey(keyOf(row)));
      return inserted;
    },
    find: (row) =>
      select()
        .raw()
        .get(...keyOf(row)) as Row | undefined,
    fill: (row) => others.length > 0 && fill().run(...cellsOf(row), ...keyOf(row)).changes > 0,
    replace: (row) => void (others.length > 0 && replace().run(...cellsOf(row), ...keyOf(row))),
    has: (key) => keys.has(toKey(key)),
  };
}

export const toKey = (key: Row): string => (key.length === 1 ? String(key[0]) : key.join("\t"));
