import { createHash, type Hash } from "node:crypto";
import type SQLite from "better-sqlite3";
import type { Coverage, RecordTable, SnapshotTable } from "../schema/row-types.ts";
import { coverageTable, languageCheckTable } from "../schema/tables/archive.ts";
import { standingTables } from "../schema/tables/closed-part.ts";

type HashedSlice = Pick<Coverage, "dataset" | "slice" | "status" | "sha256">;

/**
 * Makes the sha256 over all slices with their status; it changes exactly when the data does. Their order is that of their names, which no
 * program needs to know.
 */
export function hashContent(slices: readonly HashedSlice[]): string {
  const content = createHash("sha256");
  const lines = slices.map(
    ({ dataset, slice, status, sha256 }) => `${dataset}\t${slice}\t${status}\t${sha256 ?? ""}\n`,
  );
  for (const line of lines.sort()) content.update(line);
  return content.digest("hex");
}

/**
 * Makes the sha256, in hex, over all that the other tables are derived from, byte for byte: the start of the crawl and its provenance, the
 * coverage, the records in their order, the language checks, and the closed parts.
 */
export function hashArchive(db: SQLite.Database, { started_at, sample, rolling }: SnapshotOrigin): string {
  const hash = createHash("sha256");
  addLine(hash, [started_at, sample, rolling]);
  // Read back from the file: SQLite does not store a lone surrogate as it was given.
  for (const { name, key } of [coverageTable, languageCheckTable, ...standingTables])
    for (const row of db
      .prepare(`SELECT * FROM ${name} ORDER BY ${key.join(", ")}`)
      .raw()
      .iterate())
      addLine(hash, row as unknown[]);
  for (const { slice_id, position, json } of readRecords(db)) {
    addLine(hash, [slice_id, position, Buffer.byteLength(json)]);
    hash.update(json);
  }
  return hash.digest("hex");
}

type HashedRecord = Pick<RecordTable, "slice_id" | "position"> & { rowid: number; json: string | Buffer };

/**
 * Reads the records, byte for byte, as they lie in the file: as strings, whose memory is freed sooner than that of buffers. A record that
 * may hold bytes which are no UTF-8, and which no string shows, is read as a buffer.
 */
function* readRecords(db: SQLite.Database): Generator<HashedRecord> {
  const bytes = db.prepare<[number], Buffer>("SELECT CAST(json AS BLOB) FROM record WHERE rowid = ?").pluck();
  const all = db.prepare<[], HashedRecord>("SELECT rowid, slice_id, position, json FROM record ORDER BY rowid");
  for (const record of all.iterate()) {
    if (String(record.json).includes("\ufffd")) record.json = bytes.get(record.rowid) ?? "";
    yield record;
  }
}

/** The origin of a snapshot's answers. */
export type SnapshotOrigin = Pick<SnapshotTable, "started_at" | "sample" | "rolling">;

const addLine = (hash: Hash, cells: readonly unknown[]) => hash.update(`${JSON.stringify(cells)}\n`);
