import init, { type Database, type PreparedStatement, type Sqlite3Static } from "@sqlite.org/sqlite-wasm";
import wasmPath from "@sqlite.org/sqlite-wasm/sqlite3.wasm";
import { Fault } from "./fault.ts";
import type { RangeFile } from "./range-file.ts";
import { installVfs } from "./vfs.ts";

const VFS = "range";
/** The bounds of one value, and of all that SQLite has in memory. */
const MOST_VALUE_BYTES = 16 * 1024 * 1024;
const MOST_MEMORY_BYTES = 256 * 1024 * 1024;
/** The clock is read after so many instructions of SQLite's machine: every few milliseconds. */
const INSTRUCTIONS = 20_000;

export interface OpenFile {
  sqlite: Sqlite3Static;
  db: Database;
  /** A query may run until then. */
  allowUntil(deadline: number): void;
  isLate(): boolean;
}

/** The options of `init` that its types leave out. */
type Init = (options: { locateFile: () => string }) => Promise<Sqlite3Static>;

export const loadSqlite = (): Promise<Sqlite3Static> => {
  // None of the file systems that come with it is used.
  const vfs = { kvvfs: true, opfs: true, "opfs-vfs": true, "opfs-sahpool": true, "opfs-wl": true };
  Object.assign(globalThis, { sqlite3ApiConfig: { disable: { vfs } } });
  return (init as unknown as Init)({ locateFile: () => new URL(wasmPath, location.origin).href });
};

export function openDatabase(sqlite: Sqlite3Static, file: RangeFile): OpenFile {
  const { capi, oo1 } = sqlite;
  installVfs(sqlite, VFS, file);
  const db = new oo1.DB({ filename: `file:snapshot?immutable=1&vfs=${VFS}`, flags: "r" });
  db.exec(`PRAGMA temp_store = memory; PRAGMA cache_size = -16384; PRAGMA hard_heap_limit = ${MOST_MEMORY_BYTES}`);
  capi.sqlite3_limit(db, capi.SQLITE_LIMIT_ATTACHED, 0);
  capi.sqlite3_limit(db, capi.SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES);
  let until = Number.POSITIVE_INFINITY;
  const isLate = () => Date.now() > until;
  capi.sqlite3_progress_handler(db, INSTRUCTIONS, () => (isLate() ? 1 : 0), 0);
  return {
    sqlite,
    db,
    allowUntil(deadline) {
      until = deadline;
    },
    isLate,
  };
}

const COMMENTS = /--[^\n]*|\/\*[\s\S]*?(\*\/|$)/g;

/** Prepares the one statement of a text. */
export function prepareOne({ db, sqlite: { capi } }: OpenFile, sql: string): PreparedStatement {
  if (sql.replace(COMMENTS, "").replaceAll(";", "").trim() === "") throw new Fault("There is nothing to run.");
  const statement = db.prepare(sql);
  const rest = sql.slice(capi.sqlite3_sql(statement).length);
  if (rest.replace(COMMENTS, "").replaceAll(";", "").trim() === "") return statement;
  statement.finalize();
  throw new Fault("This runs one statement at a time.");
}
