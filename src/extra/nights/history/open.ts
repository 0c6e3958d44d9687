import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure, isDiskFull } from "../../../api/failure.ts";
import { explainDenied, makeFolder } from "../../../base/files.ts";
import { createSchema, HISTORY_APPLICATION_ID, HISTORY_VERSION } from "./schema.ts";

/** The history of a data folder. */
export const historyFile = (data: string) => join(data, "history.sqlite");

/** Opens a history, or creates one. Throws `Failure(EXIT.usage)` for a file that is not a history, has another format, or is in use. */
export function openHistory(file: string): SQLite.Database {
  makeFolder(dirname(file));
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file);
    const isNew = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
    if (isNew) initHistory(db);
    else requireHistory(db, file);
    // Negative: kibibytes. About what one night touches.
    db.pragma("cache_size = -65536");
    db.pragma("temp_store = MEMORY");
    // The views of a file from elsewhere must not call functions.
    db.pragma("trusted_schema = OFF");
    return db;
  } catch (error) {
    db?.close();
    throw explainHistory(error, file);
  }
}

/** Says what is wrong with a history, if SQLite cannot use it. A full disk is told by the command, which needs its path. */
export function explainHistory(error: unknown, file: string): unknown {
  if (!(error instanceof SQLite.SqliteError)) return error;
  if (isDiskFull(error)) return Object.assign(error, { path: file });
  if (/NOTADB|CORRUPT/.test(error.code))
    return new Failure(
      EXIT.usage,
      `${file}: is damaged, or not a database`,
      "rebuild it with --fresh, which replaces it, or name another file with --file",
      error,
    );
  if (/READONLY|CANTOPEN/.test(error.code)) {
    const what = `${file}: cannot be written: ${explainDenied(file) ?? error.message} (${error.code})`;
    return new Failure(EXIT.usage, what, "make it writable for this user, or name another file with --file", error);
  }
  const message = `${file}: ${error.message} (${error.code})`;
  return new Failure(EXIT.usage, message, "try again when nobody else writes it", error);
}

/** Throws for a database that is no history, so that `--fresh` does not replace it. A damaged file may be one. */
export function requireReplaceable(file: string): void {
  if (!existsSync(file)) return;
  const db = new SQLite(file, { fileMustExist: true });
  try {
    requireApplicationId(db, file);
  } catch (error) {
    if (error instanceof Failure) throw error;
  } finally {
    db.close();
  }
}

function initHistory(db: SQLite.Database) {
  db.transaction(() => {
    db.pragma(`application_id = ${HISTORY_APPLICATION_ID}`);
    db.pragma(`user_version = ${HISTORY_VERSION}`);
    createSchema(db);
  })();
}

function requireApplicationId(db: SQLite.Database, file: string) {
  const application = db.pragma("application_id", { simple: true });
  if (application !== HISTORY_APPLICATION_ID)
    throw new Failure(EXIT.usage, `${file}: is not a history of metasnap`, "name another file with --file");
}

/** Throws for a file that is no history, or one of another form. */
export function requireHistory(db: SQLite.Database, file: string): void {
  requireApplicationId(db, file);
  const version = db.pragma("user_version", { simple: true });
  if (version === HISTORY_VERSION) return;
  const message = `${file}: is a history of format ${version}, this is ${HISTORY_VERSION}`;
  throw new Failure(EXIT.usage, message, "rebuild it with --fresh");
}
