import type SQLite from "better-sqlite3";
import type { TableDefinition } from "../schema/definition.ts";
import { listNames, quoteName } from "../schema/sql.ts";

export type CellValue = string | number | null;
export type Row = CellValue[];

export type TableWriter = ReturnType<typeof createTableWriter>;

/** Writes one table of the draft. Rows have their cells in the order of the columns. `named`: rows of others refer to it. */
export function createTableWriter(db: SQLite.Database, definition: TableDefinition, named: boolean) {
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
  const keyOf = (row: Row): Row => keyPlaces.map((place) => row[place] ?? null);
  const cellsOf = (row: Row): Row => others.map((column) => row[columns.indexOf(column)] ?? null);
  const keys = new Set<string>();

  return {
    definition,
    columns,
    /** The tables that its rows must name a row of, but for the one that they are part of. */
    references: references
      .filter(({ table }) => table !== partOf)
      .map((reference) => ({ ...reference, places: reference.columns.map((column) => columns.indexOf(column)) })),
    keyOf,

    /** Whether the row was put in: its key may be taken. */
    insert(row: Row): boolean {
      const inserted = insert().run(...row).changes > 0;
      if (inserted && named) keys.add(toKey(keyOf(row)));
      return inserted;
    },
    find: (row: Row): Row | undefined =>
      select()
        .raw()
        .get(...keyOf(row)) as Row | undefined,
    /** Puts cells where the row of that key has none. */
    fill: (row: Row): boolean => others.length > 0 && fill().run(...cellsOf(row), ...keyOf(row)).changes > 0,
    replace: (row: Row) => void (others.length > 0 && replace().run(...cellsOf(row), ...keyOf(row))),
    has: (wanted: Row): boolean => keys.has(toKey(wanted)),
  };
}

export const toKey = (key: Row): string => (key.length === 1 ? String(key[0]) : key.join("\t"));
