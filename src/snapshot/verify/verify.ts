import { statSync } from "node:fs";
import { EXIT, Failure } from "../../api/failure.ts";
import { isExcused, type RefusedGroup } from "../../api/refusals.ts";
import { hashFile } from "../../base/files.ts";
import { sortBySlice } from "../build/slice-order.ts";
import type { Counts } from "../published/shrink-guard.ts";
import { openFileToVerify } from "../read/open.ts";
import { hashStanding, readRefusals } from "../read/standing.ts";
import { readCounts, readFilled, readHoles } from "../read/summary.ts";
import type { Coverage, SnapshotTable } from "../schema/row-types.ts";
import { type Check, check, type ExpectedFile } from "./checks.ts";
import { findOversized } from "./limits.ts";
import { rebuild, toSlice } from "./rebuild.ts";

/** What is known about a file once every byte of it was read. */
export interface Verification {
  checks: Check[];
  head: SnapshotTable;
  counts: Counts;
  /** The datasets that have records. */
  filled: string[];
  /** Missing slices that are nobody's will: how many, and the first with its reason (empty for none). */
  holes: { count: number; first: string };
  /** What the upstream refuses, in groups. */
  refusals: RefusedGroup[];
  /** Over what the file says of the upstream besides its data. */
  standing: string;
  sha256: string;
  size: number;
}

/**
 * Reads all of a snapshot and trusts nothing in it: schema, lengths, every record by its hash, every table by rebuilding it.
 * `expected` is what a manifest says, or why it cannot be read. Rejects with a Failure for usage where the file cannot
 * be read as a snapshot; failed checks are no rejection. A night of 200 MB takes some 15 seconds.
 */
export async function verifyFile(file: string, expected?: ExpectedFile | string): Promise<Verification> {
  const { db, damage } = openFileToVerify(file);
  try {
    db.pragma(`hard_heap_limit = ${MAX_SQLITE_BYTES}`);
    const oversized = findOversized(db);
    if (oversized) throw new Failure(EXIT.usage, `${file}: ${oversized}, no snapshot has that`, "ask whoever made it");
    const head = db.prepare<[], SnapshotTable>("SELECT * FROM snapshot").get() as SnapshotTable;
    const rows = db.prepare<[], Coverage>("SELECT * FROM coverage").all();
    const coverage = sortBySlice(rows, toSlice);
    const [size, sha256] = [statSync(file).size, await hashFile(file)];
    using rebuilt = rebuild(db, head, coverage);
    const checks = check({ db, damage, size, sha256, head, coverage, rebuilt, expected });
    const holes = readHoles(db).filter(({ reason }) => !isExcused(reason));
    const [first] = holes;
    const hole = first ? `${first.dataset} ${first.slice} (${first.reason})` : "";
    const summary = { counts: readCounts(db), filled: readFilled(db), holes: { count: holes.length, first: hole } };
    const refusals = { refusals: readRefusals(db), standing: hashStanding(db) };
    return { checks, head, ...summary, ...refusals, sha256, size };
  } finally {
    db.close();
  }
}

/** For all files together. */
const MAX_SQLITE_BYTES = 128 * 1024 * 1024;
