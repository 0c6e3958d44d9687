import { createHash, type Hash } from "node:crypto";
import type SQLite from "better-sqlite3";
import type { Coverage, SnapshotTable } from "../schema/row-types.ts";
import { standingTables } from "../schema/tables/closed-part.ts";

/** sha256 over all slices with their status; it changes exactly when the data does. */
export function hashContent(
  slices: Iterable<{ dataset: string; slice: string; status: string; sha256: string | null }>,
): string {
  const content = createHash("sha256");
  for (const { dataset, slice, status, sha256 } of slices)
    content.update(`${dataset}\t${slice}\t${status}\t${sha256 ?? ""}\n`);
  return content.digest("hex");
}

/**
 * sha256, in hex, over all that the other tables are derived from, byte for byte: the start of the crawl and its provenance,
 * the coverage, the records of each slice, the language checks, and what is closed. `coverage` must be in the order of the content hash.
 */
export function hashArchive(
  db: SQLite.Database,
  { started_at, sample, rolling }: SnapshotOrigin,
  coverage: readonly Pick<Coverage, "dataset" | "slice">[],
): string {
  const hash = createHash("sha256");
  const readRecords = createRecordReader(db);
  // Read back from the file: SQLite does not store a lone surrogate as it was given.
  const covered = db
    .prepare<[string, string], unknown[]>("SELECT * FROM coverage WHERE dataset = ? AND slice = ?")
    .raw();
  addLine(hash, [started_at, sample, rolling]);
  for (const { dataset, slice } of coverage) {
    addLine(hash, covered.get(dataset, slice) ?? []);
    for (const json of readRecords(dataset, slice)) hash.update(`${Buffer.byteLength(json)}\n`).update(json);
  }
  for (const row of db.prepare("SELECT * FROM language_proof ORDER BY dataset, slice").raw().iterate())
    addLine(hash, row as unknown[]);
  for (const { name, key } of standingTables)
    for (const row of db
      .prepare(`SELECT * FROM ${name} ORDER BY ${key.join(", ")}`)
      .raw()
      .iterate())
      addLine(hash, row as unknown[]);
  return hash.digest("hex");
}

/**
 * The records of a slice, byte for byte: as strings, whose memory comes back sooner than that of buffers. Where one may hold what is no
 * UTF-8, which no string shows, they are buffers.
 */
function createRecordReader(db: SQLite.Database) {
  const FROM = "FROM record WHERE dataset = ? AND slice = ? ORDER BY position";
  const texts = db.prepare<[string, string], string>(`SELECT json ${FROM}`).pluck();
  const bytes = db.prepare<[string, string], Buffer>(`SELECT CAST(json AS BLOB) ${FROM}`).pluck();
  return (dataset: string, slice: string): readonly (string | Buffer)[] => {
    const records = texts.all(dataset, slice);
    return records.some((json) => json.includes("\ufffd")) ? bytes.all(dataset, slice) : records;
  };
}

/** What a snapshot is of, besides its answers. */
export type SnapshotOrigin = Pick<SnapshotTable, "started_at" | "sample" | "rolling">;

const addLine = (hash: Hash, cells: readonly unknown[]) => hash.update(`${JSON.stringify(cells)}\n`);
