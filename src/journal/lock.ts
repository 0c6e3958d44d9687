import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../api/failure.ts";

// A handle that nobody holds is closed by the garbage collector, and the lock is gone.
const openLocks = new Set<SQLite.Database>();

/**
 * One crawl or build at a time in a data folder. The lock is one of the operating system's, held by an open SQLite
 * transaction: it ends with the process, also when that is killed, or when it is disposed of. The pid beside it is only
 * for the message.
 */
export function lockFolder(data: string): Disposable {
  mkdirSync(data, { recursive: true });
  const note = join(data, ".lock.pid");
  const db = new SQLite(join(data, ".lock"), { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
    const message = `${data}: ${readHolder(note)} is working in this folder`;
    throw new Failure(EXIT.usage, message, "wait until it has ended, or name another folder with --data", error);
  }
  writeFileSync(note, `${process.pid}\n`);
  openLocks.add(db);
  return {
    [Symbol.dispose]() {
      openLocks.delete(db);
      db.close();
    },
  };
}

function readHolder(note: string): string {
  try {
    return `process ${readFileSync(note, "utf8").trim()}`;
  } catch {
    return "another process";
  }
}
