import type SQLite from "better-sqlite3";
import { readHeldColumns } from "../../../snapshot/read/held-columns.ts";
import { openCheckedFile, openSnapshotFile } from "../../../snapshot/read/open.ts";
import type { SnapshotTable } from "../../../snapshot/schema/row-types.ts";
import { compareMoments, type DatasetMoments } from "./asked.ts";
import { createOrigins, type Origins } from "./origins.ts";
import { type SharedTable, shareTables } from "./shared-tables.ts";

/** Two snapshots in one connection. */
export interface Pair {
  /** The newer one is the schema `main`, the older one `was`. */
  db: SQLite.Database;
  before: SnapshotTable;
  after: SnapshotTable;
  tables: readonly SharedTable[];
  /** The comparable slices by dataset, if one of them is rolling. */
  asked: DatasetMoments[] | undefined;
  /** The moments when the slices of each row were asked, if one of them is rolling. */
  origins: Origins | undefined;
  close(): void;
}

/** Throws a `Failure` for a file that is no snapshot of ours. Reads whole what is not among `verified`. */
export function openPair(before: string, after: string, verified: readonly string[] = []): Pair {
  const open = (file: string) => (verified.includes(file) ? openCheckedFile(file) : openSnapshotFile(file));
  open(before).close();
  const db = open(after);
  try {
    // The views of a file from elsewhere must not call functions.
    db.pragma("trusted_schema = OFF");
    db.prepare("ATTACH ? AS was").run(before);
    const head = (schema: string) => db.prepare(`SELECT * FROM ${schema}.snapshot`).get() as SnapshotTable;
    const heads = { before: head("was"), after: head("main") };
    const asked = compareMoments(db, heads.before, heads.after);
    const origins = asked && createOrigins(db, asked);
    const tables = shareTables(readHeldColumns(db), readHeldColumns(db, "was"));
    return { db, ...heads, tables, asked, origins, close: () => void db.close() };
  } catch (error) {
    db.close();
    throw error;
  }
}
