import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../../api/failure.ts";
import { createSchema, HISTORY_APPLICATION_ID, HISTORY_VERSION } from "./schema.ts";

/** The history in a file, or a new one. Refuses what is none, or of another form, with the reason in one line. */
export function openHistory(file: string): SQLite.Database {
  mkdirSync(dirname(file), { recursive: true });
  const db = new SQLite(file);
  try {
    const isNew = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
    if (isNew) beginHistory(db);
    else refuseForeign(db, file);
    // Kibibytes: what a night touches.
    db.pragma("cache_size = -65536");
    db.pragma("temp_store = MEMORY");
    // A snapshot from somewhere else must not run functions through its own views.
    db.pragma("trusted_schema = OFF");
    return db;
  } catch (error) {
    db.close();
    if (error instanceof Failure || !/NOTADB|CORRUPT/.test(String((error as { code?: string }).code))) throw error;
    throw new Failure(EXIT.usage, `${file}: is damaged or no database`, "fold it anew with --fresh", error);
  }
}

/** Refuses to take the place of somebody else's database; one that is damaged may be a history. */
export function refuseOther(file: string): void {
  if (!existsSync(file)) return;
  const db = new SQLite(file, { fileMustExist: true });
  try {
    refuseApplication(db, file);
  } catch (error) {
    if (error instanceof Failure) throw error;
  } finally {
    db.close();
  }
}

function beginHistory(db: SQLite.Database) {
  db.transaction(() => {
    db.pragma(`application_id = ${HISTORY_APPLICATION_ID}`);
    db.pragma(`user_version = ${HISTORY_VERSION}`);
    createSchema(db);
  })();
}

function refuseApplication(db: SQLite.Database, file: string, hint = "name another file with --file") {
  const application = db.pragma("application_id", { simple: true });
  if (application !== HISTORY_APPLICATION_ID)
    throw new Failure(EXIT.usage, `${file}: is not a history of metasnap`, hint);
}

/** Refuses what is no history, or one of another form; `hint` says what to do where it is only read. */
export function refuseForeign(db: SQLite.Database, file: string, hint?: string): void {
  refuseApplication(db, file, hint);
  const version = db.pragma("user_version", { simple: true });
  if (version === HISTORY_VERSION) return;
  const message = `${file}: is a history of form ${version}, this is ${HISTORY_VERSION}`;
  throw new Failure(EXIT.usage, message, hint ?? "fold it anew with --fresh");
}
