import { createHash, type Hash } from "node:crypto";
import type SQLite from "better-sqlite3";
import type { Coverage } from "./tables.ts";

/**
 * sha256 over all that a snapshot is made of, byte for byte: the start of its crawl, what it covers (in the order of the content hash),
 * the records of each slice, and the language proof. The other tables follow from these.
 */
export function hashArchive(db: SQLite.Database, startedAt: string, coverage: readonly Coverage[]): string {
  const hash = createHash("sha256");
  const records = db
    .prepare<[string, string], Buffer>(
      "SELECT CAST(json AS BLOB) FROM record WHERE dataset = ? AND slice = ? ORDER BY position",
    )
    .pluck();
  addLine(hash, [startedAt]);
  for (const row of coverage) {
    addLine(hash, Object.values(row));
    for (const json of records.iterate(row.dataset, row.slice)) hash.update(`${json.length}\n`).update(json);
  }
  for (const row of db.prepare("SELECT * FROM language_proof ORDER BY dataset, slice").raw().iterate())
    addLine(hash, row as unknown[]);
  return hash.digest("hex");
}

const addLine = (hash: Hash, cells: readonly unknown[]) => hash.update(`${JSON.stringify(cells)}\n`);
