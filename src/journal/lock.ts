import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure, isDiskFull } from "../api/failure.ts";
import { makeFolder } from "../base/files.ts";

// A handle that nobody holds is closed by the garbage collector, and the lock is gone.
const openLocks = new Set<SQLite.Database>();

const LOCK = ".lock";
const NOTE = ".lock.pid";

/** One crawl or build at a time in a data folder. A folder that was made for the lock, and in which nothing came to lie, goes with it. */
export const lockFolder = (data: string): Disposable => lock(data, { named: data, option: "--data" });

/**
 * One export of a format at a time into a folder. The lock has a folder of its own in it, `name`, of which nothing stays. Throws a
 * Failure for usage where something else lies there.
 */
export function lockExport(out: string, name: string): Disposable {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new Failure(EXIT.usage, `${out}: is not a folder`, "name another with --out");
  const isNew = !existsSync(out);
  const held = lock(join(out, name), { named: out, option: "--out", goes: true });
  return {
    [Symbol.dispose]() {
      held[Symbol.dispose]();
      if (isNew && existsSync(out) && readdirSync(out).length === 0) rmdirSync(out);
    },
  };
}

interface Locked {
  /** The folder as messages name it, and the option that names another one. */
  named: string;
  option: string;
  /** Whether the folder of the lock is for nothing else. */
  goes?: boolean;
}

/**
 * The lock is one of the operating system's, held by an open SQLite transaction: it ends with the process, also when that is
 * killed, or when it is disposed of, once or twice. The note beside it is only for the message.
 */
function lock(data: string, locked: Locked): Disposable {
  const { named, option, goes = false } = locked;
  const isOurs = makeFolder(data) || goes;
  const [file, note] = [join(data, LOCK), join(data, NOTE)];
  // SQLite opens a file that it may not write to read it, and then locks nobody out.
  for (const path of [data, file, note]) if (existsSync(path)) accessSync(path, constants.W_OK);
  const before = identityOf(file);
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { timeout: 0 });
    // Without a file of its own beside it, for which a full disk has no room.
    db.pragma("journal_mode = MEMORY");
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    // Its holder may have ended just now, and its folder with it.
    if (!existsSync(data)) return lock(data, locked);
    // SQLite does not say where.
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw Object.assign(error as Error, { path: data });
    const message = `${named}: ${describeHolder(note)}`;
    throw new Failure(EXIT.usage, message, `wait until it has ended, or name another folder with ${option}`, error);
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

const identityOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino;

function removeUnused(data: string) {
  const names = readdirSync(data);
  // SQLite has a journal of its own beside the lock.
  if (names.some((name) => !name.startsWith(LOCK))) return;
  for (const name of names) rmSync(join(data, name), { force: true });
  rmdirSync(data);
}

/** A full disk is told of by whoever writes more than this. */
function writeNote(note: string) {
  try {
    writeFileSync(note, `${process.pid} ${new Date().toISOString()}\n`);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    rmSync(note, { force: true });
  }
}

function describeHolder(note: string): string {
  try {
    const [, pid, since] = /^(\d+) (\d{4}-\S+Z)$/m.exec(readFileSync(note, "utf8")) ?? [];
    if (pid !== undefined) return `process ${pid} has been working in this folder since ${since}`;
  } catch {
    // Its holder has no room for it, or is about to write it.
  }
  return "another process is working in this folder";
}
