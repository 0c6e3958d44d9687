import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sync } from "../../snapshot/published/fsync.ts";
import { openSnapshotFile } from "../../snapshot/read/open.ts";
import { readHoles } from "../../snapshot/read/summary.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import { dayOf, folderOf, removeOthers } from "./day.ts";
import { writeCsv, writeNdjson } from "./lines.ts";
import { writeParquet } from "./parquet.ts";
import { listLacking, openTables } from "./tables.ts";

export const FORMATS = ["parquet", "csv", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

export interface ExportOptions {
  format: Format;
  out: string;
  tables: readonly string[];
  /** `table=…/snapshot_date=…/` in place of one file a table. */
  partition: boolean;
  /** CSV that a spreadsheet shows and does not run. */
  spreadsheet?: boolean;
}

export interface Exported {
  table: string;
  file: string;
  rows: number;
  bytes: number;
}

export interface Export {
  version: string;
  schema: string;
  day: string;
  exported: Exported[];
  /** Answers that the night lacks: what they tell is in no table. */
  missing: number;
  /** What this program knows and a file of an older schema does not have: tables, and columns as `table.column`. */
  lacks: string[];
  /** Whose place it has taken as the snapshot of its day, and in how many tables. */
  replaced: { version: string; tables: number }[];
}

const WRITERS = { parquet: writeParquet, csv: writeCsv, ndjson: writeNdjson };

// Spark and others pass over names that begin with a dot. Each format has its own: two may be written at once.
const draftsOf = (out: string, format: Format) => join(out, `.partial-${format}`);

/** Writes the tables of one snapshot. They get their names when all of them are whole and on the disk. */
export function exportSnapshot(
  snapshot: string,
  { format, out, tables, partition, spreadsheet = false }: ExportOptions,
): Export {
  const db = openSnapshotFile(snapshot);
  const drafts = draftsOf(out, format);
  try {
    const head = db.prepare("SELECT * FROM snapshot").get() as SnapshotTable;
    const { version, schema_version: schema, started_at } = head;
    const day = partition ? dayOf(snapshot, head) : started_at.slice(0, 10);
    rmSync(drafts, { recursive: true, force: true });
    mkdirSync(drafts, { recursive: true });
    const written = openTables(db, tables).map((table) => {
      const draft = join(drafts, `${table.name}.${format}`);
      WRITERS[format](draft, table, { facts: factsOf(head), spreadsheet });
      sync(draft);
      return { table: table.name, rows: table.rows, draft };
    });
    const replaced: string[] = [];
    const exported = written.map(({ draft, ...table }) => {
      const folder = partition ? folderOf(out, table.table, day) : out;
      const file = join(folder, `${partition ? version : table.table}.${format}`);
      mkdirSync(folder, { recursive: true });
      renameSync(draft, file);
      sync(folder);
      if (partition) replaced.push(...removeOthers(folder, version, format));
      return { ...table, file, bytes: statSync(file).size };
    });
    // Where it has no such table, the day has none.
    const absent = tables.filter((name) => !written.some(({ table }) => table === name));
    if (partition) replaced.push(...absent.flatMap((name) => removeOthers(folderOf(out, name, day), version, format)));
    const missing = readHoles(db).length;
    return {
      version,
      schema,
      day,
      exported,
      missing,
      lacks: listLacking(db, tables),
      replaced: countByVersion(replaced),
    };
  } finally {
    db.close();
    rmSync(drafts, { recursive: true, force: true });
  }
}

const countByVersion = (versions: readonly string[]) =>
  [...Map.groupBy(versions, (version) => version)].map(([version, all]) => ({ version, tables: all.length }));

/** What a file says about itself where its format has room for it. */
const factsOf = ({ version, schema_version, licence, attribution }: SnapshotTable) => ({
  "metasnap.version": version,
  "metasnap.schema_version": schema_version,
  "metasnap.licence": licence,
  "metasnap.attribution": attribution,
});
