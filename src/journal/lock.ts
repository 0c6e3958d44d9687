import { readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../api/failure.ts";
import { makeFolder } from "../base/files.ts";

// A handle that nobody holds is closed by the garbage collector, and the lock is gone.
const openLocks = new Set<SQLite.Database>();

const LOCK = ".lock";
const NOTE = ".lock.pid";

/**
 * One crawl or build at a time in a data folder. The lock is one of the operating system's, held by an open SQLite
 * transaction: it ends with the process, also when that is killed, or when it is disposed of. The pid beside it is only
 * for the message. A folder that was made for the lock, and in which nothing came to lie, goes with it.
 */
export function lockFolder(data: string): Disposable {
  const isNew = makeFolder(data);
  const file = join(data, LOCK);
  const before = identityOf(file);
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { timeout: 0 });
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    // SQLite does not say where.
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw Object.assign(error as Error, { path: data });
    const message = `${data}: ${readHolder(data)} is working in this folder`;
    throw new Failure(EXIT.usage, message, "wait until it has ended, or name another folder with --data", error);
  }
  // Its holder may have removed it just before it was ours.
  const held = identityOf(file);
  if (held === undefined || (before !== undefined && held !== before)) {
    db.close();
    return lockFolder(data);
  }
  writeFileSync(join(data, NOTE), `${process.pid}\n`);
  openLocks.add(db);
  return {
    [Symbol.dispose]() {
      openLocks.delete(db);
      if (isNew) removeUnused(data);
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

function readHolder(data: string): string {
  try {
    return `process ${readFileSync(join(data, NOTE), "utf8").trim()}`;
  } catch {
    return "another process";
  }
}
