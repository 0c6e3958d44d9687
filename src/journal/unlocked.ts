import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import SQLite from "better-sqlite3";
import { READ_AT_ONCE } from "../base/files.ts";
import { readHeaderOf } from "./file.ts";
import { type Header, JOURNAL_APPLICATION_ID } from "./schema.ts";

/** The most pages that are read at the front of a journal: the table of its header is the first one, and its row is short. */
const MAX_PAGES_READ = 16;

/** Offsets in the header of SQLite's files (https://www.sqlite.org/fileformat.html). */
const AT = { pageSize: 16, mode: 18, pageCount: 28, applicationId: 68, walPageSize: 8, walSalt: 16 };
const WAL_HEADER = 32;
const FRAME_HEADER = 24;
const SALT = 8;

/**
 * Reads the header of a journal as it was committed last. It takes none of SQLite's locks and makes none of the files that SQLite has
 * beside one: a crawl may be writing it, or begin to. It is for a process that has no journal open: to close a file gives up all locks that
 * the process has on it. Throws if it is no journal, or a damaged one.
 */
export function readHeaderUnlocked(file: string): Header {
  const pages = readPages(file);
  const inRow: Buffer[] = [];
  for (let page = pages.get(1); page; page = pages.get(inRow.length + 1)) inRow.push(page);
  const front = Buffer.concat(inRow);
  if (front.length === 0 || front.readUInt32BE(AT.applicationId) !== JOURNAL_APPLICATION_ID)
    throw new Error("is not a journal of metasnap");
  // Switches the mode from a log to none: a copy in memory has no log, and ends with these pages.
  front.fill(1, AT.mode, AT.mode + 2);
  front.writeUInt32BE(inRow.length, AT.pageCount);
  const db = new SQLite(front, { readonly: true });
  try {
    return readHeaderOf(db, file);
  } finally {
    db.close();
  }
}

/** Reads the first pages of a database by number, those of its log in place of older ones. */
function readPages(file: string): Map<number, Buffer> {
  const log = `${file}-wal`;
  const pages = withFile(file, readFront);
  if (!existsSync(log)) return pages;
  for (const [number, page] of withFile(log, readLog)) pages.set(number, page);
  return pages;
}

function readFront(read: Read, size: number): Map<number, Buffer> {
  const header = read(0, 100);
  const pageSize = sizeOfPage(header.length < 100 ? 0 : header.readUInt16BE(AT.pageSize));
  const count = Math.min(MAX_PAGES_READ, pageSize && Math.floor(size / pageSize));
  return new Map(Array.from({ length: count }, (_, page) => [page + 1, read(page * pageSize, pageSize)]));
}

/** Reads the committed pages of the log. Pages of an unfinished transaction do not count, nor those of an earlier use of the log. */
function readLog(read: Read, size: number): Map<number, Buffer> {
  const header = read(0, WAL_HEADER);
  const [committed, open] = [new Map<number, Buffer>(), new Map<number, Buffer>()];
  const pageSize = sizeOfPage(header.length < WAL_HEADER ? 0 : header.readUInt32BE(AT.walPageSize));
  if (pageSize === 0) return committed;
  const salt = header.subarray(AT.walSalt, AT.walSalt + SALT);
  const step = FRAME_HEADER + pageSize;
  for (let at = WAL_HEADER; at + step <= size; at += step) {
    const frame = read(at, FRAME_HEADER);
    if (!frame.subarray(8, 8 + SALT).equals(salt)) break;
    const [number, isCommit] = [frame.readUInt32BE(0), frame.readUInt32BE(4) > 0];
    if (number <= MAX_PAGES_READ) open.set(number, read(at + FRAME_HEADER, pageSize));
    if (!isCommit) continue;
    for (const [changed, page] of open) committed.set(changed, page);
    open.clear();
  }
  return committed;
}

/** Returns the page size; 0 if it is not a valid one, as a file of another kind may hold anything there. */
const sizeOfPage = (said: number): number => {
  const size = said === 1 ? 65_536 : said;
  return size >= 512 && size <= 65_536 && Number.isInteger(Math.log2(size)) ? size : 0;
};

type Read = (at: number, length: number) => Buffer;

function withFile<T>(file: string, action: (read: Read, size: number) => T): T {
  const handle = openSync(file, READ_AT_ONCE);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new Error("is not a file");
    return action((at, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(handle, bytes, 0, length, at));
    }, stats.size);
  } finally {
    closeSync(handle);
  }
}
