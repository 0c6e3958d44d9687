import type SQLite from "better-sqlite3";

/** Tells whether a file has a column of a table. One of a lower minor lacks some of ours. */
export type HasColumn = (table: string, column: string) => boolean;

/** Reads the columns of a file; `schema` is the name that a second file is attached by. */
export function readHeldColumns(db: SQLite.Database, schema = "main"): HasColumn {
  const rows = db
    .prepare<[string], string>(
      `SELECT named.name || '.' || field.name FROM ${schema}.sqlite_schema AS named, pragma_table_info(named.name, ?) AS field
       WHERE named.type = 'table'`,
    )
    .pluck()
    .all(schema);
  const held = new Set(rows);
  return (table, column) => held.has(`${table}.${column}`);
}
