import { statSync } from "node:fs";
import { join } from "node:path";
import { snapshotFile } from "../../../snapshot/published/folder.ts";
import type { Manifest } from "../../../snapshot/published/manifest.ts";
import { readPublished } from "../../../snapshot/published/sequence.ts";
import { SCHEMA_VERSION } from "../../../snapshot/schema/version.ts";
import type { ExportOptions } from "./export.ts";
import { readWritten, type WrittenNights } from "./part-index.ts";
import { partitionDate, partitionFolder, versionsIn } from "./partition.ts";

/** The plan of a run over all nights. */
export interface ExportPlan {
  /** Nights with parts that are missing or have changed, and the tables of these. */
  write: { version: string; tables: string[] }[];
  /** The number of nights that are skipped because all their parts are there. */
  there: number;
  /** Nights of a day that has a later one, which counts. */
  leftOut: { version: string; later: string }[];
}

/** Plans an export. `nights` are the standing ones of a folder, in the order of publication. */
export function planExport(data: string, nights: readonly Manifest[], options: ExportOptions): ExportPlan {
  const published = readPublished(data).published.map(({ version }) => version);
  const written = readWritten(options.out, options.format);
  const plan: ExportPlan = { write: [], there: 0, leftOut: [] };
  const ofDay = Map.groupBy(nights, (night) => partitionDate(snapshotFile(data, night.version), night));
  for (const [day, all] of ofDay) {
    const earlier = all.slice(0, -1);
    const [night] = all.slice(-1) as [Manifest];
    plan.leftOut.push(...earlier.map(({ version }) => ({ version, later: night.version })));
    const later = findLater(night.version, day, published, options);
    const tables = options.tables.filter((table) => !isWritten(written, night, day, table, options));
    if (later !== undefined) plan.leftOut.push({ version: night.version, later });
    else if (tables.length > 0) plan.write.push({ version: night.version, tables });
    else plan.there += 1;
  }
  return plan;
}

/** Finds a later night of the day that lies in another folder, or whose manifest cannot be read: only its name tells its time. */
function findLater(version: string, day: string, published: readonly string[], { out, format, tables }: ExportOptions) {
  const there = tables.flatMap((table) => versionsIn(partitionFolder(out, table, day), format));
  return there.find((other) => other > version && !published.includes(other));
}

/** Tells whether the part lies there alone, of the size that was written, from this very file, in the same way. */
function isWritten(
  written: WrittenNights,
  { version, sha256 }: Manifest,
  day: string,
  table: string,
  { out, format, spreadsheet = false }: ExportOptions,
): boolean {
  const night = written[version];
  const bytes = night?.tables[table];
  if (bytes === undefined || night?.sha256 !== sha256 || night.spreadsheet !== spreadsheet) return false;
  if (night.schema !== SCHEMA_VERSION) return false;
  const folder = partitionFolder(out, table, day);
  const there = versionsIn(folder, format);
  if (bytes === null) return there.length === 0;
  return there.join() === version && statSync(join(folder, `${version}.${format}`)).size === bytes;
}
