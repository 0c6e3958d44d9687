import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { toDocument } from "../../../base/files.ts";
import type { Change } from "../../../base/release.ts";
import { isVersion, readDocument } from "../../../snapshot/published/folder.ts";

/** The parts of one night in a folder, and how they were written. */
const writtenSchema = z.object({
  day: z.string(),
  /** The hash of the snapshot file. */
  sha256: z.string(),
  spreadsheet: z.boolean(),
  /** The schema of the program that wrote them: views and types of columns are its own. */
  schema: z.string().optional(),
  /** Bytes of the part of each table; null for a table that the snapshot lacks. */
  tables: z.record(z.string(), z.int().nullable()),
});
export type WrittenNight = z.infer<typeof writtenSchema>;

const indexSchema = z.object({
  format: z.literal(1),
  nights: z.record(z.string().refine(isVersion), writtenSchema),
});

/** Written nights by version. */
export type WrittenNights = z.infer<typeof indexSchema>["nights"];

// A century of nights has 60 MB.
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Returns the path of the index, beside the folders of the tables. Spark and others ignore names that begin with a dot; formats may be
 * written at once.
 */
const fileOf = (out: string, format: string) => join(out, `.exported-${format}.json`);

/** Reads the index of a folder; empty if it is missing or cannot be read: all is written again then. */
export function readWritten(out: string, format: string): WrittenNights {
  return parse(fileOf(out, format)) ?? {};
}

function parse(file: string): WrittenNights | undefined {
  try {
    return indexSchema.parse(JSON.parse(readDocument(file, MAX_BYTES))).nights;
  } catch {
    return undefined;
  }
}

/** Renames an index that cannot be read, and returns the new name: somebody else may want it. */
export function setForeignAside(out: string, format: string): { file: string; aside: string } | undefined {
  const file = fileOf(out, format);
  if (!existsSync(file) || parse(file)) return undefined;
  const aside = `${file}.unread`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(file, aside);
  return { file, aside };
}

/**
 * Makes the index before the parts of a day are placed, and after: a run that is killed meanwhile writes them again. Without `night` they
 * are unknown. Parts of the night that were written from another file, or in another way, are forgotten.
 */
export function noteParts(
  out: string,
  format: string,
  { version, day, tables }: { version: string; day: string; tables: readonly string[] },
  night: WrittenNight | undefined,
): [before: Change[], after: Change[]] {
  const toChange = (nights: WrittenNights) => ({ file: fileOf(out, format), text: toDocument({ format: 1, nights }) });
  const kept = Object.entries(readWritten(out, format)).map(([version, night]) => {
    const left = Object.entries(night.tables).filter(([table]) => night.day !== day || !tables.includes(table));
    return [version, { ...night, tables: Object.fromEntries(left) }] as const;
  });
  const before = Object.fromEntries(kept.filter(([, { tables: left }]) => Object.keys(left).length > 0));
  if (!night) return [[toChange(before)], []];
  const own = before[version];
  const isSame = own?.sha256 === night.sha256 && own.spreadsheet === night.spreadsheet && own.schema === night.schema;
  const after = { ...before, [version]: { ...night, tables: { ...(isSame && own.tables), ...night.tables } } };
  return [[toChange(before)], [toChange(after)]];
}
