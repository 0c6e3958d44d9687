import SQLite from "better-sqlite3";
import { EXIT, Failure, isDiskFull } from "../api/failure.ts";
import { truncate } from "../base/words.ts";
import { DDL, type Header, headerSchema, JOURNAL_APPLICATION_ID, JOURNAL_VERSION } from "./schema.ts";

/** Makes the file of a new journal. */
export function createJournalFile(file: string, header: Header): SQLite.Database {
  const db = configure(new SQLite(file));
  db.transaction(() => {
    db.exec(DDL);
    db.prepare("INSERT INTO header (json) VALUES (?)").run(JSON.stringify(header));
    db.pragma(`application_id = ${JOURNAL_APPLICATION_ID}`);
    db.pragma(`user_version = ${JOURNAL_VERSION}`);
  })();
  return db;
}

const HINT = "name another journal, or start over with `npm run crawl -- --fresh`";

const refusal = (file: string, message: string, cause?: unknown) =>
  new Failure(EXIT.usage, `${file}: ${message}`, HINT, cause);

/** A journal that is not damaged: the program that made it can go on with it. */
export class OtherVersion extends Failure {
  constructor(file: string, version: unknown) {
    super(EXIT.usage, `${file}: is a journal of version ${version}, this is ${JOURNAL_VERSION}`, HINT);
  }
}

/** Makes the failure for a journal whose contents are not those that were written. */
export const damaged = (file: string, what: string, cause?: unknown) =>
  refusal(file, `is a damaged journal (${truncate(what)})`, cause);

/**
 * Opens the file of a journal. Throws a Failure with the reason in one line if it is not ours. Others may read it meanwhile, unless it
 * is opened `alone`: then SQLite needs no shared memory, for which a full disk has no room.
 */
export function openJournalFile(file: string, alone = false): SQLite.Database {
  const refuse = (message: string, cause?: unknown) => refusal(file, message, cause);
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { fileMustExist: true });
    if (alone) db.pragma("locking_mode = EXCLUSIVE");
    const application = db.pragma("application_id", { simple: true });
    if (application !== JOURNAL_APPLICATION_ID) throw refuse("is not a journal of metasnap");
    const version = db.pragma("user_version", { simple: true });
    if (version !== JOURNAL_VERSION) throw new OtherVersion(file, version);
    refuseOtherTables(db, file);
    return configure(db);
  } catch (error) {
    db?.close();
    if (!alone && isDiskFull(error)) return openJournalFile(file, true);
    // A disk that is full, or a file that is in use, says nothing about the contents.
    if (!isOfContents(error)) throw Object.assign(error as Error, { path: file });
    throw error instanceof Failure ? error : refuse(`cannot be read as a journal (${String(error)})`, error);
  }
}

const isOfContents = (error: unknown) =>
  error instanceof Failure || /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(String((error as { code?: string }).code));

/** Refuses a file with other tables before anything is read: a table that is missing or other than ours would fail anywhere. */
function refuseOtherTables(db: SQLite.Database, file: string) {
  const tables = db.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").pluck().all();
  const same = tables.every((sql) => DDL.includes(sql)) && tables.length === DDL.split("CREATE TABLE").length - 1;
  if (!same) throw damaged(file, "its tables are not those of a journal");
}

function configure(db: SQLite.Database): SQLite.Database {
  // The folder has one owner at a time; without shared memory and locks a commit is a single write.
  db.pragma("locking_mode = EXCLUSIVE");
  db.pragma("journal_mode = WAL");
  // A checkpoint waits for the disk. A whole crawl fits into the log, which is folded in when it is finished.
  db.pragma("wal_autocheckpoint = 100000");
  // Bodies are written once and read once; kibibytes.
  db.pragma("cache_size = -2000");
  // A power cut may lose the last answers, never the file; a kill loses nothing.
  db.pragma("synchronous = NORMAL");
  return db;
}

export function readHeaderOf(db: SQLite.Database, file: string): Header {
  try {
    const row = db.prepare<[], { json: string }>("SELECT json FROM header").get();
    return headerSchema.parse(row && JSON.parse(row.json));
  } catch (error) {
    throw damaged(file, "its header cannot be read", error);
  }
}

/** Reads what a journal is for, without keeping it open. */
export const readHeader = (file: string): Header => peek(file, (db) => readHeaderOf(db, file));

/** Tells whether the journal has any answer, or its answers cannot be read. */
export function holdsAnswers(file: string): boolean {
  try {
    return peek(file, (db) => db.prepare("SELECT 1 FROM answer").get() !== undefined);
  } catch (error) {
    if (isOfContents(error)) return true;
    throw error;
  }
}

/**
 * Notes in a finished journal the outcome of its build. If the note fails, the next crawl builds the journal once more, which is no reason
 * to fail a build.
 */
export function noteBuild(file: string, note: Pick<Header, "built" | "too_little">) {
  try {
    peek(file, (db) => {
      const header = readHeaderOf(db, file);
      db.prepare("UPDATE header SET json = ?").run(JSON.stringify({ ...header, ...note }));
    });
  } catch (error) {
    if (!(error instanceof Failure) && !/^SQLITE_/.test(String((error as { code?: string }).code))) throw error;
  }
}

function peek<T>(file: string, read: (db: SQLite.Database) => T): T {
  const db = openJournalFile(file);
  try {
    return read(db);
  } finally {
    db.close();
  }
}
