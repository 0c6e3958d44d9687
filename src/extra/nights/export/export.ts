import { statSync } from "node:fs";
import { join } from "node:path";
import { openStage, type Release, type Stage } from "../../../base/release.ts";
import { openSnapshotFile } from "../../../snapshot/read/open.ts";
import { readHoles } from "../../../snapshot/read/summary.ts";
import type { SnapshotTable } from "../../../snapshot/schema/row-types.ts";
import { SCHEMA_VERSION } from "../../../snapshot/schema/version.ts";
import { type CsvForm, writeCsvFile, writeNdjsonFile, writeParquetFile } from "./formats.ts";
import { noteParts } from "./part-index.ts";
import { partitionDate, partitionFolder, placePart } from "./partition.ts";
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
  /** Languages of the rows, in tables and views of texts. */
  languages?: readonly string[] | undefined;
  /** The hash of the snapshot file, with which `partition` notes the parts. Without it they are unknown, and written again. */
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
  /** The number of failed slices, whose rows are in no table. */
  failedSlices: number;
  /** Tables that a file of an older schema lacks. */
  missingTables: string[];
  /** Versions that it replaced as the snapshot of their day, and in how many tables. */
  replaced: { version: string; tables: number }[];
}

const WRITERS = { parquet: writeParquetFile, csv: writeCsvFile, ndjson: writeNdjsonFile };

/**
 * Writes the tables of one snapshot. They get their final names when all of them are complete and synced. Throws a `Failure` for a file
 * that is no snapshot of ours.
 */
export function exportSnapshot(snapshot: string, options: ExportOptions): ExportResult {
  const { format, out, tables, partition } = options;
  const db = openSnapshotFile(snapshot);
  try {
    const head = db.prepare("SELECT * FROM snapshot").get() as SnapshotTable;
    const { version, schema_version: schema, started_at } = head;
    const day = partition ? partitionDate(snapshot, head) : started_at.slice(0, 10);
    // Two formats may be written at once.
    using stage = openStage(out, format);
    const written = writeDrafts(openTables(db, tables, options.languages), stage, head, options);
    const exported = written.map(({ draft, ...table }) => {
      const folder = partition ? partitionFolder(out, table.table, day) : out;
      const file = join(folder, `${partition ? version : table.table}.${format}`);
      return { ...table, file, bytes: statSync(draft).size };
    });
    const drafts = new Map(written.map(({ table, draft }) => [table, draft]));
    const { stages, replaced } = partition
      ? toParts(drafts, version, day, options)
      : { stages: toFiles(drafts, head, options), replaced: [] };
    stage.release(stages);
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
  }
}

interface WrittenTable extends Pick<ExportedTable, "table" | "rows"> {
  draft: string;
}

/** Writes tables to a stage, by the names that they have. */
export function writeDrafts(
  tables: readonly ExportTable[],
  stage: Stage,
  head: SnapshotTable,
  { format, spreadsheet = false, separator = ",", decimal = "." }: ExportOptions,
): WrittenTable[] {
  const metadata = metadataOf(head);
  return tables.map((table) => {
    const draft = stage.draft(`${table.name}.${format}`);
    const written: WrittenTable = { table: table.name, rows: 0, draft };
    WRITERS[format](draft, countRows(table, written), { metadata, spreadsheet, separator, decimal });
    return written;
  });
}

/** Counts the rows of a view as they are written: it would be computed twice. */
const countRows = (table: ExportTable, written: WrittenTable): ExportTable => ({
  ...table,
  *batches() {
    for (const batch of table.batches()) {
      written.rows += batch.length;
      yield batch;
    }
  },
});

/** Drafts by table. */
type Drafts = ReadonlyMap<string, string>;

const toFiles = (drafts: Drafts, head: SnapshotTable, options: ExportOptions): Release => [
  [...drafts].map(([table, draft]) => ({ file: join(options.out, `${table}.${options.format}`), draft })),
  [packageFiles(options, head, drafts)],
];

/** Makes the changes of a day's parts. A table that this snapshot lacks must not stay from another one. */
function toParts(
  drafts: Drafts,
  version: string,
  day: string,
  { format, out, tables, spreadsheet = false, sha256 }: ExportOptions,
): { stages: Release; replaced: string[] } {
  const all = new Map([
    ...drafts,
    ...tables.filter((name) => !drafts.has(name)).map((name) => [name, undefined] as const),
  ]);
  const parts = [...all].map(([table, draft]) => placePart(draft, partitionFolder(out, table, day), version, format));
  const bytes = [...all].map(([table, draft]) => [table, draft === undefined ? null : statSync(draft).size]);
  const night = { day, spreadsheet, schema: SCHEMA_VERSION, tables: Object.fromEntries(bytes) };
  const noted = sha256 === undefined ? undefined : { ...night, sha256 };
  const [before, after] = noteParts(out, format, { version, day, tables }, noted);
  return {
    stages: [before, parts.flatMap(({ changes }) => changes), after],
    replaced: parts.flatMap(({ replaced }) => replaced),
  };
}

const countByVersion = (versions: readonly string[]) =>
  [...Map.groupBy(versions, (version) => version)].map(([version, all]) => ({ version, tables: all.length }));

/** Makes key-value metadata, for formats that have it. */
const metadataOf = ({ version, schema_version, licence, attribution }: SnapshotTable) => ({
  "metasnap.version": version,
  "metasnap.schema_version": schema_version,
  "metasnap.licence": licence,
  "metasnap.attribution": attribution,
});
