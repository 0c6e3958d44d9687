import { createHash } from "node:crypto";
import type SQLite from "better-sqlite3";
import { PAGE_SLOTS } from "./schema.ts";

/** One page of a slice as it lies in the file. */
export interface PageRow {
  key: number;
  host: string;
  at: number;
  facts: string | null;
  sha256: Buffer;
  body: Buffer;
}

/** Over a page and the slice that it is of, by name: a row of the plan that is gone gives its number to another one. */
export function hashPage(of: string, { key, host, at, facts, body }: Omit<PageRow, "sha256">): Buffer {
  const said = JSON.stringify([of, key % PAGE_SLOTS, host, at, facts]);
  return createHash("sha256").update(said).update(body).digest();
}

/** Over everything else in a finished journal, the hashes of its pages among it: a row more or less is another seal. */
export function sealOf(db: SQLite.Database, header: object): string {
  const seal = createHash("sha256").update(JSON.stringify(header));
  for (const sql of SEALED_ROWS) {
    for (const row of db.prepare<[], unknown[]>(sql).raw().iterate())
      seal.update(JSON.stringify(row.map((cell) => (Buffer.isBuffer(cell) ? cell.toString("hex") : cell))));
  }
  return seal.digest("hex");
}

const SEALED_ROWS = [
  "SELECT 'slice', * FROM slice ORDER BY slice_id",
  "SELECT 'answer', answer_key, sha256 FROM answer ORDER BY answer_key",
  "SELECT 'state', * FROM state ORDER BY name",
  "SELECT 'attempt', * FROM attempt ORDER BY attempt_id",
];
