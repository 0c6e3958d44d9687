import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type SQLite from "better-sqlite3";
import { fsyncPath, makeFolder } from "../../base/files.ts";
import { openSnapshotFile } from "../../snapshot/read/open.ts";
import { readHoles } from "../../snapshot/read/summary.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import { SCHEMA_VERSION } from "../../snapshot/schema/version.ts";
import { type CsvForm, writeCsvFile, writeNdjsonFile, writeParquetFile } from "./formats.ts";
import { forgetParts, noteParts } from "./part-index.ts";
import { partitionDate, partitionFolder, placePart, removeParts } from "./partition.ts";
import { packageFiles } from "./table-package.ts";
import { type ExportTable, openTables } from "./tables.ts";

export const FORMATS = ["parquet", "csv", "ndjson"] as const;
export type Format = (typeof FORMATS)[number];

export interface ExportOptions extends Partial<CsvForm> {
  format: Format;
  out: string;
  tables: readonly string[];
  /** Writes `table=…/snapshot_date=…/` instead of one file per table. */
  partition: boolean;
  /** Only rows of these, of tables and views of texts. */
  languages?: readonly string[] | undefined;
  /** Of the snapshot file, with `partition`: what the parts are noted with. Without it nobody knows them, and they are written again. */
  sha256?: string;
}

interface ExportedTable {
  table: string;
  file: string;
  rows: number;
  bytes: number;
}

export interface ExportResult {
  head: SnapshotTable;
  version: string;
  schema: string;
  day: string;
  exported: ExportedTable[];
  /** Number of failed slices, whose rows are in no table. */
  failedSlices: number;
  /** Tables that a file of an older schema lacks. */
  missingTables: string[];
  /** Versions that it replaced as the snapshot of its day, and in how many tables. */
  replaced: { version: string; tables: number }[];
}

const WRITERS = { parquet: writeParquetFile, csv: writeCsvFile, ndjson: writeNdjsonFile };

// Spark and others ignore names that begin with a dot. One for each format, since two may be written at once.
const draftFolder = (out: string, format: Format) => join(out, `.partial-${format}`);

/**
 * Writes the tables of one snapshot. They get their final names when all of them are complete and synced. Throws a
 * `Failure` for a file that is no snapshot of ours.
 */
export function exportSnapshot(snapshot: string, options: ExportOptions): ExportResult {
  const { format, out, tables, partition } = options;
  const db = openSnapshotFile(snapshot);
  const drafts = draftFolder(out, format);
  try {
    const head = db.prepare("SELECT * FROM snapshot").get() as SnapshotTable;
    const { version, schema_version: schema, started_at } = head;
    const day = partition ? partitionDate(snapshot, head) : started_at.slice(0, 10);
    const written = writeDrafts(db, drafts, head, options);
    const { exported, replaced } = partition
      ? placeParts(written, version, day, options)
      : { exported: placeFiles(written, options), replaced: [] };
    if (!partition)
      packageFiles(
        options,
        head,
        written.map(({ table }) => table),
      );
    return {
      head,
      version,
      schema,
      day,
      exported,
      failedSlices: readHoles(db).length,
      missingTables: tables.filter((name) => written.every(({ table }) => table !== name)),
      replaced: countByVersion(replaced),
    };
  } finally {
    db.close();
    rmSync(drafts, { recursive: true, force: true });
  }
}

interface WrittenTable extends Pick<ExportedTable, "table" | "rows"> {
  draft: string;
}

function writeDrafts(
  db: SQLite.Database,
  drafts: string,
  head: SnapshotTable,
  { format, tables, languages, spreadsheet = false, separator = ",", decimal = "." }: ExportOptions,
): WrittenTable[] {
  rmSync(drafts, { recursive: true, force: true });
  makeFolder(drafts);
  const metadata = metadataOf(head);
  return openTables(db, tables, languages).map((table) => {
    const draft = join(drafts, `${table.name}.${format}`);
    const written: WrittenTable = { table: table.name, rows: 0, draft };
    WRITERS[format](draft, countRows(table, written), { metadata, spreadsheet, separator, decimal });
    fsyncPath(draft);
    return written;
  });
}

/** The rows of a view are counted as they are written: it would be worked out twice. */
const countRows = (table: ExportTable, written: WrittenTable): ExportTable => ({
  ...table,
  *batches() {
    for (const batch of table.batches()) {
      written.rows += batch.length;
      yield batch;
    }
  },
});

function placeFiles(written: readonly WrittenTable[], { format, out }: ExportOptions): ExportedTable[] {
  const exported = written.map(({ draft, ...table }) => {
    const file = join(out, `${table.table}.${format}`);
    renameSync(draft, file);
    return { ...table, file, bytes: statSync(file).size };
  });
  fsyncPath(out);
  return exported;
}

function placeParts(
  written: readonly WrittenTable[],
  version: string,
  day: string,
  { format, out, tables, spreadsheet = false, sha256 }: ExportOptions,
): { exported: ExportedTable[]; replaced: string[] } {
  forgetParts(out, format, day, tables);
  const replaced: string[] = [];
  const exported = written.map(({ draft, ...table }) => {
    const folder = partitionFolder(out, table.table, day);
    replaced.push(...placePart(draft, folder, version, format));
    const file = join(folder, `${version}.${format}`);
    return { ...table, file, bytes: statSync(file).size };
  });
  // A table that this snapshot lacks must not stay from another one.
  const absent = tables.filter((name) => !written.some(({ table }) => table === name));
  for (const name of absent) replaced.push(...removeParts(partitionFolder(out, name, day), format));
  if (sha256 !== undefined) {
    const bytes = [...exported.map((one) => [one.table, one.bytes]), ...absent.map((name) => [name, null])];
    const note = { day, sha256, spreadsheet, schema: SCHEMA_VERSION, tables: Object.fromEntries(bytes) };
    noteParts(out, format, version, note);
  }
  return { exported, replaced: replaced.filter((other) => other !== version) };
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
