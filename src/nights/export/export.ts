import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../journal/make-folder.ts";
import { fsyncPath } from "../../snapshot/published/fsync.ts";
import { openSnapshotFile } from "../../snapshot/read/open.ts";
import { readHoles } from "../../snapshot/read/summary.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import { writeParquet } from "./parquet.ts";
import { partitionDate, partitionFolder, removeOtherVersions } from "./partition.ts";
import { listMissingColumns, openTables } from "./tables.ts";
import { writeCsv, writeNdjson } from "./text-formats.ts";

export const FORMATS = ["parquet", "csv", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

export interface ExportOptions {
  format: Format;
  out: string;
  tables: readonly string[];
  /** Writes `table=…/snapshot_date=…/` instead of one file per table. */
  partition: boolean;
  /** Escapes texts in CSV that a spreadsheet would run as formulas. */
  spreadsheet?: boolean;
}

export interface ExportedTable {
  table: string;
  file: string;
  rows: number;
  bytes: number;
}

export interface ExportResult {
  version: string;
  schema: string;
  day: string;
  exported: ExportedTable[];
  /** Number of failed slices, whose rows are in no table. */
  failedSlices: number;
  /** What a file of an older schema lacks: tables, and columns as `table.column`. */
  missingColumns: string[];
  /** Versions that it replaced as the snapshot of its day, and in how many tables. */
  replaced: { version: string; tables: number }[];
}

const WRITERS = { parquet: writeParquet, csv: writeCsv, ndjson: writeNdjson };

// Spark and others ignore names that begin with a dot. One for each format, since two may be written at once.
const draftFolder = (out: string, format: Format) => join(out, `.partial-${format}`);

/**
 * Writes the tables of one snapshot. They get their final names when all of them are complete and synced. Throws a
 * `Failure` for a file that is no snapshot of ours.
 */
export function exportSnapshot(
  snapshot: string,
  { format, out, tables, partition, spreadsheet = false }: ExportOptions,
): ExportResult {
  const db = openSnapshotFile(snapshot);
  const drafts = draftFolder(out, format);
  try {
    const head = db.prepare("SELECT * FROM snapshot").get() as SnapshotTable;
    const { version, schema_version: schema, started_at } = head;
    const day = partition ? partitionDate(snapshot, head) : started_at.slice(0, 10);
    rmSync(drafts, { recursive: true, force: true });
    makeFolder(drafts);
    const written = openTables(db, tables).map((table) => {
      const draft = join(drafts, `${table.name}.${format}`);
      WRITERS[format](draft, table, { metadata: metadataOf(head), spreadsheet });
      fsyncPath(draft);
      return { table: table.name, rows: table.rows, draft };
    });
    const replaced: string[] = [];
    const exported = written.map(({ draft, ...table }) => {
      const folder = partition ? partitionFolder(out, table.table, day) : out;
      const file = join(folder, `${partition ? version : table.table}.${format}`);
      makeFolder(folder);
      renameSync(draft, file);
      fsyncPath(folder);
      if (partition) replaced.push(...removeOtherVersions(folder, version, format));
      return { ...table, file, bytes: statSync(file).size };
    });
    // A table that this snapshot lacks must not stay from another one.
    const absent = tables.filter((name) => !written.some(({ table }) => table === name));
    if (partition)
      replaced.push(...absent.flatMap((name) => removeOtherVersions(partitionFolder(out, name, day), version, format)));
    return {
      version,
      schema,
      day,
      exported,
      failedSlices: readHoles(db).length,
      missingColumns: listMissingColumns(db, tables),
      replaced: countByVersion(replaced),
    };
  } finally {
    db.close();
    rmSync(drafts, { recursive: true, force: true });
  }
}

const countByVersion = (versions: readonly string[]) =>
  [...Map.groupBy(versions, (version) => version)].map(([version, all]) => ({ version, tables: all.length }));

/** Key-value metadata, for formats that have it. */
const metadataOf = ({ version, schema_version, licence, attribution }: SnapshotTable) => ({
  "metasnap.version": version,
  "metasnap.schema_version": schema_version,
  "metasnap.licence": licence,
  "metasnap.attribution": attribution,
});
