import SQLite from "better-sqlite3";

/** Rows of a file, which is only read. */
export function queryFile<T>(file: string, sql: string, ...values: unknown[]): T[] {
  const db = new SQLite(file, { readonly: true, fileMustExist: true });
  try {
    return db.prepare<unknown[], T>(sql).all(...values);
  } finally {
    db.close();
  }
}

/** Changes a file, past its foreign keys. */
export function editFile(file: string, sql: string): void {
  const db = new SQLite(file, { fileMustExist: true });
  try {
    db.pragma("foreign_keys = OFF");
    db.pragma("synchronous = OFF");
    db.exec(sql);
  } finally {
    db.close();
  }
}
