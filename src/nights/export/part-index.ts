import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { fsyncPath, replaceFile, toDocument } from "../../base/files.ts";
import { isVersion, readDocument } from "../../snapshot/published/folder.ts";

/** The parts of one night that lie in a folder, and what they were written from. */
const writtenSchema = z.object({
  day: z.string(),
  /** Of the snapshot file. */
  sha256: z.string(),
  spreadsheet: z.boolean(),
  /** Of the program that wrote them: views and types of columns are its own. */
  schema: z.string().optional(),
  /** Bytes of the part of each table; null for a table that the snapshot lacks. */
  tables: z.record(z.string(), z.int().nullable()),
});
export type WrittenNight = z.infer<typeof writtenSchema>;

const indexSchema = z.object({
  format: z.literal(1),
  nights: z.record(z.string().refine(isVersion), writtenSchema),
});

/** By version. */
export type WrittenNights = z.infer<typeof indexSchema>["nights"];

// A century of nights has 60 MB.
const MAX_BYTES = 64 * 1024 * 1024;

/** Beside the folders of the tables. Spark and others ignore names that begin with a dot; formats may be written at once. */
const fileOf = (out: string, format: string) => join(out, `.exported-${format}.json`);

/** What lies in a folder; nothing where its index is missing or cannot be read: then all is written again. */
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

/** Gives an index that cannot be read another name, which it returns: somebody else may want it. */
export function setForeignAside(out: string, format: string): { file: string; aside: string } | undefined {
  const file = fileOf(out, format);
  if (!existsSync(file) || parse(file)) return undefined;
  const aside = `${file}.unread`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(file, aside);
  return { file, aside };
}

/** Forgets the parts of a day that are about to be replaced: whoever is killed meanwhile writes them again. */
export function forgetParts(out: string, format: string, day: string, tables: readonly string[]): void {
  const kept = Object.entries(readWritten(out, format)).map(([version, night]) => {
    const left = Object.entries(night.tables).filter(([table]) => night.day !== day || !tables.includes(table));
    return [version, { ...night, tables: Object.fromEntries(left) }] as const;
  });
  write(out, format, Object.fromEntries(kept.filter(([, { tables: left }]) => Object.keys(left).length > 0)));
}

/** Notes parts that are in their places. Those of the night that were written from another file or otherwise are forgotten. */
export function noteParts(out: string, format: string, version: string, night: WrittenNight): void {
  const { [version]: before, ...others } = readWritten(out, format);
  const isSame =
    before?.sha256 === night.sha256 && before.spreadsheet === night.spreadsheet && before.schema === night.schema;
  const tables = { ...(isSame && before.tables), ...night.tables };
  write(out, format, { ...others, [version]: { ...night, tables } });
}

function write(out: string, format: string, nights: WrittenNights) {
  replaceFile(fileOf(out, format), toDocument({ format: 1, nights }));
  fsyncPath(out);
}
