import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { type Change, openStage } from "../../../base/release.ts";
import { openCheckedFile } from "../../../snapshot/read/open.ts";
import type { SnapshotView, TableDefinition } from "../../../snapshot/schema/definition.ts";
import type { SnapshotTable } from "../../../snapshot/schema/row-types.ts";
import { TABLES } from "../../../snapshot/schema/tables/all.ts";
import { VIEWS } from "../../../snapshot/schema/views/all.ts";
import {
  PACKAGE_NAME,
  type PackageHead,
  type PackageResource,
  readPackageHead,
  refuseForeignPackage,
  toPackageText,
} from "./data-package.ts";
import type { CsvForm } from "./formats.ts";
import { versionsIn } from "./partition.ts";

const MEDIA_TYPES: Record<string, string> = {
  csv: "text/csv",
  parquet: "application/vnd.apache.parquet",
  ndjson: "application/x-ndjson",
};

const FIELD_TYPES = { TEXT: "string", INTEGER: "integer", REAL: "number" } as const;

type Described = Pick<TableDefinition | SnapshotView, "name" | "description" | "columns"> &
  Partial<Pick<TableDefinition, "key" | "references">>;

/** The tables and views that an export may have. */
const DESCRIBED: readonly Described[] = [...TABLES, ...VIEWS];

interface Written extends Partial<CsvForm> {
  out: string;
  format: string;
}

/** Describes files that get the names of their tables, from their drafts. */
export function packageFiles(written: Written, head: SnapshotTable, drafts: ReadonlyMap<string, string>): Change {
  const tables = [...drafts.keys()];
  const described = DESCRIBED.filter(({ name }) => tables.includes(name));
  const resources = described.map((table) => ({
    ...toResource(table, `${table.name}.${written.format}`, written, tables),
    ...measure(drafts.get(table.name) ?? ""),
  }));
  return placePackage(written.out, toPackageText(head, "tables", resources));
}

/** Describes the parts of all nights in a folder. `heads` are those of the nights that were exported now. */
export function packageParts(out: string, format: string, heads: readonly SnapshotTable[]): void {
  const parts = new Map(DESCRIBED.map(({ name }) => [name, listParts(out, name, format)]));
  const described = DESCRIBED.filter(({ name }) => parts.get(name)?.length);
  const tables = described.map(({ name }) => name);
  const resources = described.map((table) => {
    const paths = parts.get(table.name)?.map(({ path }) => path) ?? [];
    return toResource(table, paths, { format }, tables);
  });
  const versions = new Set([...parts.values()].flat().map(({ version }) => version));
  const head = findNewest(out, heads, versions);
  if (!head) return;
  using stage = openStage(out, format);
  stage.release([[placePackage(out, toPackageText(head, "nights", resources))]]);
}

/** Finds the newest night with parts, which may also be the one that the package names. */
function findNewest(out: string, heads: readonly PackageHead[], versions: ReadonlySet<string>) {
  const earlier = readPackageHead(out);
  const present = [...heads, ...(earlier ? [earlier] : [])].filter(({ version }) => versions.has(version));
  // Versions sort by time. Tables that the snapshots lack leave no part: the exported nights count then.
  return (present.length > 0 ? present : heads).reduce<PackageHead | undefined>(
    (newest, head) => (newest && newest.version >= head.version ? newest : head),
    undefined,
  );
}

/** Reads the row of the table `snapshot` of a published file. */
export function readHead(file: string): SnapshotTable {
  const db = openCheckedFile(file);
  try {
    return db.prepare("SELECT * FROM snapshot").get() as SnapshotTable;
  } finally {
    db.close();
  }
}

function listParts(out: string, table: string, format: string): { version: string; path: string }[] {
  const folder = `table=${table}`;
  if (!existsSync(join(out, folder))) return [];
  const days = readdirSync(join(out, folder)).filter((name) => /^snapshot_date=\d{4}-\d\d-\d\d$/.test(name));
  return days.sort().flatMap((day) =>
    versionsIn(join(out, folder, day), format).map((version) => ({
      version,
      path: `${folder}/${day}/${version}.${format}`,
    })),
  );
}

function toResource(
  { name, description, columns, key, references = [] }: Described,
  path: string | readonly string[],
  { format, separator = ",", decimal = "." }: Omit<Written, "out">,
  tables: readonly string[],
): PackageResource {
  const fields = Object.entries(columns).map(([column, { type, nullable, description: meaning, unit }]) => ({
    name: column,
    type: FIELD_TYPES[type],
    ...(type === "REAL" && decimal !== "." && { decimalChar: decimal }),
    description: meaning,
    ...(unit !== null && { unit }),
    // A reader of CSV takes an empty text for a missing one.
    ...(!nullable && type !== "TEXT" && { constraints: { required: true } }),
  }));
  const foreignKeys = references
    .filter(({ table }) => tables.includes(table))
    .map((reference) => ({
      fields: reference.columns,
      reference: {
        ...(reference.table !== name && { resource: reference.table }),
        fields: TABLES.find((other) => other.name === reference.table)?.key,
      },
    }));
  return {
    name,
    type: "table",
    path,
    description,
    format,
    mediatype: MEDIA_TYPES[format],
    encoding: "utf-8",
    ...(separator !== "," && { dialect: { delimiter: separator } }),
    schema: { fields, ...(key && { primaryKey: key }), ...(foreignKeys.length > 0 && { foreignKeys }) },
  };
}

const BUFFER_BYTES = 1024 * 1024;

/** Measures size and hash of a file, which may not fit into memory. */
function measure(file: string): { bytes: number; hash: string } {
  const handle = openSync(file, "r");
  try {
    const hash = createHash("sha256");
    const buffer = Buffer.alloc(BUFFER_BYTES);
    for (let read = readSync(handle, buffer); read > 0; read = readSync(handle, buffer))
      hash.update(buffer.subarray(0, read));
    return { bytes: fstatSync(handle).size, hash: `sha256:${hash.digest("hex")}` };
  } finally {
    closeSync(handle);
  }
}

/** Makes the change that places a package. It refuses a foreign one once more: another format may be written to the same folder at once. */
function placePackage(out: string, text: string): Change {
  refuseForeignPackage(out);
  return { file: join(out, PACKAGE_NAME), text };
}
