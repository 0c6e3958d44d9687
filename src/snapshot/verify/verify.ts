import { statSync } from "node:fs";
import type SQLite from "better-sqlite3";
import { mostBytes } from "../../api/body/bounds.ts";
import { sliceName } from "../../api/endpoint.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import type { ClosedPart } from "../../api/parts.ts";
import { MAX_BODY_BYTES } from "../../api/request/upstream-request.ts";
import { hashFile } from "../../base/files.ts";
import { toSlice } from "../build/coverage-cells.ts";
import type { Counts } from "../published/loss.ts";
import { openFileToVerify } from "../read/open.ts";
import { hashStanding, readClosedParts } from "../read/standing.ts";
import { readCounts, readHoles } from "../read/summary.ts";
import { mostChars } from "../schema/definition.ts";
import type { Coverage, SnapshotTable } from "../schema/row-types.ts";
import { SCHEMA_HASHES, SCHEMA_VERSION } from "../schema/version.ts";
import { findUnknown } from "./archive.ts";
import { type Check, check, type ExpectedFile } from "./checks.ts";
import { type Rebuilt, rebuild } from "./rebuild.ts";

/** The facts about a file once every byte of it was read. */
export interface Verification {
  checks: Check[];
  head: SnapshotTable;
  counts: Counts;
  /** Slices without an answer: how many, and the first with its reason (empty for none). */
  holes: { count: number; first: string };
  /** The closed parts. */
  closed: ClosedPart[];
  /** A hash of everything that the file says of the upstream besides its data. */
  standing: string;
  sha256: string;
  size: number;
}

/**
 * The asker. `maker`: its program made the file, or its operator wants to know all; every table is made again from the records. `reader`:
 * form, lengths, hashes and coverage are checked, which is what protects a reader.
 */
export type VerifiedBy = "maker" | "reader";

/**
 * Reads all of a snapshot and trusts nothing in it. `expected` is what a manifest says, or why it cannot be read. Rejects with a Failure for
 * usage where the file cannot be read as a snapshot; failed checks are no rejection. A night of 200 MB takes its maker some 15 seconds.
 */
export async function verifyFile(
  file: string,
  by: VerifiedBy,
  expected?: ExpectedFile | string,
): Promise<Verification> {
  const { db, damage } = openFileToVerify(file);
  try {
    db.pragma(`hard_heap_limit = ${MAX_SQLITE_BYTES}`);
    const oversized = findOversized(db);
    if (oversized) throw new Failure(EXIT.usage, `${file}: ${oversized}, no snapshot has that`, "ask whoever made it");
    const head = db.prepare<[], SnapshotTable>("SELECT * FROM snapshot").get() as SnapshotTable;
    const coverage = db.prepare<[], Coverage>("SELECT * FROM coverage ORDER BY slice_id").all();
    const [size, sha256] = [statSync(file).size, await hashFile(file)];
    const rebuilt = by === "maker" ? rebuildKnown(db, head, coverage) : undefined;
    using _ = typeof rebuilt === "object" ? rebuilt : undefined;
    const checks = check({ db, damage, size, sha256, head, coverage, rebuilt, expected });
    const holes = readHoles(db);
    const [first] = holes;
    const hole = first ? `${sliceName(toSlice(first))} (${first.reason})` : "";
    const summary = { counts: readCounts(db), holes: { count: holes.length, first: hole } };
    return { checks, head, ...summary, closed: readClosedParts(db), standing: hashStanding(db), sha256, size };
  } finally {
    db.close();
  }
}

/** A reason if this program cannot tell what the tables should be: the file is of another schema, or has what is not known here. */
function rebuildKnown(db: SQLite.Database, head: SnapshotTable, coverage: readonly Coverage[]): Rebuilt | string {
  if (head.schema_version !== SCHEMA_VERSION && head.schema_version in SCHEMA_HASHES)
    return `this version of metasnap makes tables of schema ${SCHEMA_VERSION}`;
  const unknown = findUnknown(db);
  return unknown === undefined ? rebuild(db, head, coverage) : `${unknown} is not known to this version of metasnap`;
}

/** The bound of SQLite's memory, for all files together. */
const MAX_SQLITE_BYTES = 128 * 1024 * 1024;

/** A record, and all records of a slice: no crawl takes as much (src/crawl/upstream/limits.ts). */
const MAX_RECORD_BYTES = MAX_BODY_BYTES;
const MAX_SLICE_BYTES = 4 * MAX_BODY_BYTES;
/** The first text that is longer than any honest one. SQLite knows lengths without reading the texts. */
function findOversized(db: SQLite.Database): string | undefined {
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  for (const table of tables) {
    const columns = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
    const longest = columns.map((column) => `max(octet_length("${column}"))`).join(", ");
    const lengths = db.prepare(`SELECT ${longest} FROM ${table}`).raw().get() as (number | null)[];
    const oversized = lengths.findIndex((bytes, index) => (bytes ?? 0) > limitOf(table, columns[index]));
    if (oversized >= 0) return `${table}.${columns[oversized]} has a value of ${lengths[oversized]} bytes`;
  }
  const slice = db
    .prepare<[], { name: string | number; bytes: number }>(
      `SELECT coalesce(dataset || '?' || slice, slice_id) AS name, bytes
       FROM (SELECT slice_id, total(octet_length(json)) AS bytes FROM record GROUP BY slice_id ORDER BY bytes DESC LIMIT 1)
       LEFT JOIN coverage USING (slice_id)`,
    )
    .get();
  return slice && slice.bytes > MAX_SLICE_BYTES ? `slice ${slice.name} has ${slice.bytes} bytes` : undefined;
}

const limitOf = (table: string, column = "") =>
  table === "record" && column === "json" ? MAX_RECORD_BYTES : mostBytes(mostChars(column));
