import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../api/failure.ts";
import { makeFolder, writeAnew } from "../base/files.ts";

// Keeps the handles: one that nobody holds is closed by the garbage collector, and the lock is gone.
const openLocks = new Set<SQLite.Database>();

const LOCK = ".lock";
const NOTE = ".lock.pid";

/** Allows one crawl or build at a time in a data folder. A folder that was made for the lock is removed with it if it is empty. */
export const lockFolder = (data: string): Disposable =>
  lock(data, { named: data, where: "in this folder", other: "folder with --data" });

/** Allows one `publish-to` at a time into a folder. */
export const lockPlace = (folder: string): Disposable =>
  lock(folder, { named: folder, where: "in this folder", other: "place" });

/**
 * Allows one export of a format at a time into a folder, with a lock called `name`. Throws a Failure for usage if `out` is not a folder.
 */
export function lockExport(out: string, name: string): Disposable {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Failure(EXIT.usage, `${out}: is not a folder`, "name another with --out");
  return lockIn(out, name, { named: out, where: "in this folder", other: "folder with --out" });
}

/** Allows one writer of a history at a time. */
export const lockHistory = (file: string): Disposable =>
  lockIn(dirname(file), `.lock-${basename(file)}`, { named: file, where: "on this file", other: "file with --file" });

interface Locked {
  /** The names in messages for what is locked, and for another one. */
  named: string;
  where: string;
  other: string;
  /** True if the folder of the lock is for nothing else. */
  goes?: boolean;
}

/** Locks with a folder inside another one. The inner folder is removed with the lock. */
function lockIn(folder: string, name: string, locked: Locked): Disposable {
  const isNew = !existsSync(folder);
  const held = lock(join(folder, name), { ...locked, goes: true });
  return {
    [Symbol.dispose]() {
      held[Symbol.dispose]();
      if (isNew && existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
    },
  };
}

/**
 * Takes the lock, which is one of the operating system's, held by an open SQLite transaction: it ends with the process, also if that is
 * killed, or when it is disposed of, once or twice. The note beside it is only for the message.
 */
function lock(data: string, locked: Locked): Disposable {
  const { named, where, other, goes = false } = locked;
  const isOurs = makeFolder(data) || goes;
  const [file, note] = [join(data, LOCK), join(data, NOTE)];
  // SQLite opens a file that it may not write to read it, and then locks nobody out.
  for (const path of [data, file, note]) if (existsSync(path)) accessSync(path, constants.W_OK);
  const before = identityOf(file);
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { timeout: 0 });
    // Without a file of its own beside the lock, for which a full disk has no room.
    db.pragma("journal_mode = MEMORY");
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    // Its holder may have ended just now, and its folder with it.
    if (!existsSync(data)) return lock(data, locked);
    const { code } = error as { code?: string };
    if (code === "SQLITE_NOTADB") {
      empty(file);
      return lock(data, locked);
    }
    // The error of SQLite does not name the path.
    if (code !== "SQLITE_BUSY") throw Object.assign(error as Error, { path: data });
    const message = `${named}: ${describeHolder(note, where)}`;
    throw new Failure(EXIT.usage, message, `wait until it has ended, or name another ${other}`, error);
  }
  // Its holder may have removed it just before it was ours.
  const held = identityOf(file);
  if (held === undefined || (before !== undefined && held !== before)) {
    db.close();
    return lock(data, locked);
  }
  writeNote(note);
  openLocks.add(db);
  return {
    [Symbol.dispose]() {
      if (!openLocks.delete(db)) return;
      if (isOurs) removeUnused(data);
      db.close();
    },
  };
}

/**
 * Empties a lock that is no database. Nobody holds it: SQLite would have said so before it looked. The file stays the same, as two
 * processes that do this at once must meet in one; and it is no link, through which another file would be emptied.
 */
const empty = (file: string) =>
  closeSync(openSync(file, constants.O_WRONLY | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0)));

const identityOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino;

function removeUnused(data: string) {
  const names = readdirSync(data);
  // SQLite has a journal of its own beside the lock.
  if (names.some((name) => !name.startsWith(LOCK))) return;
  for (const name of names) rmSync(join(data, name), { force: true });
  rmdirSync(data);
}

function writeNote(note: string) {
  try {
    writeAnew(note, `${process.pid} ${new Date().toISOString()}\n`);
  } catch {
    // The lock holds also without a note. If the disk is full, the command says so when it writes its own files.
  }
}

function describeHolder(note: string, where: string): string {
  try {
    const [, pid, since] = /^(\d+) (\d{4}-\S+Z)$/m.exec(readFileSync(note, "utf8")) ?? [];
    if (pid !== undefined) return `process ${pid} has been working ${where} since ${since}`;
  } catch {
    // Its holder has no room for it, or is about to write it.
  }
  return `another process is working ${where}`;
}
