import { existsSync, statSync } from "node:fs";
import { EXIT, Failure } from "../../api/failure.ts";
import { sortBySlice } from "../build/slice-order.ts";
import { manifestOf, readDocument } from "../published/folder.ts";
import { hashFile } from "../published/fsync.ts";
import { pointerSchema } from "../published/pointer.ts";
import { type Counts, readCounts } from "../published/shrink-guard.ts";
import { openSnapshotFile } from "../read/open.ts";
import { readHoles } from "../read/summary.ts";
import type { Coverage, SnapshotTable } from "../schema/row-types.ts";
import { type Check, check, type Promised } from "./checks.ts";
import { findTooLong } from "./limits.ts";
import { makeAgain, partsOf } from "./rebuild.ts";

/** What is known of a file once every byte of it was read. */
export interface Proof {
  checks: Check[];
  head: SnapshotTable;
  counts: Counts;
  holes: { count: number; first: string };
  sha256: string;
  size: number;
}

/**
 * Reads all of a snapshot, believing nothing of it: schema, lengths, every record by its hash, every table by making it again.
 * Throws a Failure for what is no snapshot that can be read. A night of 200 MB takes some 15 seconds.
 */
export async function proveFile(file: string, promised = readPromise(file)): Promise<Proof> {
  const db = openSnapshotFile(file);
  try {
    db.pragma(`hard_heap_limit = ${SQLITE_BYTES}`);
    const tooLong = findTooLong(db);
    if (tooLong) throw new Failure(EXIT.usage, `${file}: ${tooLong}, no snapshot has that`, "ask whoever made it");
    const head = db.prepare<[], SnapshotTable>("SELECT * FROM snapshot").get() as SnapshotTable;
    const rows = db.prepare<[], Coverage>("SELECT * FROM coverage").all();
    const coverage = sortBySlice(rows, partsOf);
    const [size, sha256] = [statSync(file).size, await hashFile(file)];
    using again = makeAgain(db, head, coverage);
    const checks = check({ db, size, sha256, head, coverage, again, promised });
    const holes = readHoles(db);
    const [first] = holes;
    const hole = first ? `${first.dataset} ${first.slice} (${first.reason})` : "";
    return { checks, head, counts: readCounts(db), holes: { count: holes.length, first: hole }, sha256, size };
  } finally {
    db.close();
  }
}

/** Bytes that SQLite may take, of all files together. */
const SQLITE_BYTES = 128 * 1024 * 1024;

/** What the manifest beside a file says; a text where it is none. */
function readPromise(file: string): Promised | string | undefined {
  const beside = manifestOf(file);
  if (!existsSync(beside)) return undefined;
  try {
    return pointerSchema.parse(JSON.parse(readDocument(beside)));
  } catch {
    return "the file beside it is not a manifest";
  }
}
