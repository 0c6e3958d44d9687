import type SQLite from "better-sqlite3";

/** The values of a query, by name: `@name` in its text. */
type SelectValues = Readonly<Record<string, string | number | null>>;

/**
 * Reads the rows of a query over tables and views. Its text must be one of a few that the program has: each is prepared once and kept.
 * There are no rows if the schema of the file, an older one, lacks a table or column that it names.
 */
export type Select = <Row>(sql: string, values?: SelectValues) => Row[];

export function createSelect(db: SQLite.Database): Select {
  const statements = new Map<string, SQLite.Statement | undefined>();

  function prepareOnce(sql: string): SQLite.Statement | undefined {
    if (!statements.has(sql)) statements.set(sql, prepareIfThere(db, sql));
    return statements.get(sql);
  }
  return <Row>(sql: string, values: SelectValues = {}) => (prepareOnce(sql)?.all(values) ?? []) as Row[];
}

function prepareIfThere(db: SQLite.Database, sql: string): SQLite.Statement | undefined {
  try {
    return db.prepare(sql);
  } catch (error) {
    if (/^(no such (table|column)|cannot join using column)/.test((error as Error).message)) return undefined;
    throw error;
  }
}
