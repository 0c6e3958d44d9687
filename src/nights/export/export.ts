import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sync } from "../../snapshot/durable.ts";
import { openSnapshotFile } from "../../snapshot/open.ts";
import type { SnapshotTable } from "../../snapshot/tables.ts";
import { writeCsv, writeNdjson } from "./lines.ts";
import { writeParquet } from "./parquet.ts";
import { type ExportTable, openTables } from "./tables.ts";

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

const WRITERS = { parquet: writeParquet, csv: writeCsv, ndjson: writeNdjson };

// Spark and others pass over names that begin with a dot.
const DRAFTS = ".partial";

/** Writes the tables of one snapshot. They get their names when all of them are whole and on the disk. */
export function exportSnapshot(
  snapshot: string,
  { format, out, tables, partition, spreadsheet = false }: ExportOptions,
): Exported[] {
  const db = openSnapshotFile(snapshot);
  const drafts = join(out, DRAFTS);
  rmSync(drafts, { recursive: true, force: true });
  mkdirSync(drafts, { recursive: true });
  try {
    const head = db.prepare("SELECT * FROM snapshot").get() as SnapshotTable;
    const written = openTables(db, tables).map((table) => {
      const draft = join(drafts, `${table.name}.${format}`);
      WRITERS[format](draft, table, { facts: factsOf(head), spreadsheet });
      sync(draft);
      return { table: table.name, rows: table.rows, draft, file: join(out, placeOf(table, head, format, partition)) };
    });
    return written.map(({ draft, file, ...table }) => {
      mkdirSync(dirname(file), { recursive: true });
      renameSync(draft, file);
      if (partition) removeOthers(file);
      sync(dirname(file));
      return { ...table, file, bytes: statSync(file).size };
    });
  } finally {
    db.close();
    rmSync(drafts, { recursive: true, force: true });
  }
}

function placeOf({ name }: ExportTable, { version, started_at }: SnapshotTable, format: Format, partition: boolean) {
  if (!partition) return `${name}.${format}`;
  return join(`table=${name}`, `snapshot_date=${started_at.slice(0, 10)}`, `${version}.${format}`);
}

/** A day has one snapshot, the one that was exported last: two would count every row of that day twice. */
function removeOthers(file: string) {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) if (join(folder, name) !== file) rmSync(join(folder, name));
}

/** What a file says about itself where its format has room for it. */
const factsOf = ({ version, schema_version, licence, attribution }: SnapshotTable) => ({
  "metasnap.version": version,
  "metasnap.schema_version": schema_version,
  "metasnap.licence": licence,
  "metasnap.attribution": attribution,
});
