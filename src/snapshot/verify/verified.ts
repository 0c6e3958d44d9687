import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { toDocument } from "../../base/files.ts";
import { replaceFile } from "../../base/release.ts";
import { readDocument } from "../published/folder.ts";
import { SCHEMA_VERSION } from "../schema/version.ts";

/** A file that passed, and what its pointer or manifest says. */
const verifiedFileSchema = z.object({
  sha256: z.string(),
  version: z.string(),
  content_hash: z.string(),
  size: z.int(),
});
type VerifiedFile = z.infer<typeof verifiedFileSchema>;

/** A file that was refused, by its hash. */
const refusalSchema = z.object({ sha256: z.string(), version: z.string(), reason: z.string() });
export type RefusedFile = z.infer<typeof refusalSchema>;

const storeSchema = z.object({
  /** A program with another schema checks other things. */
  schema_version: z.literal(SCHEMA_VERSION),
  proved: z.array(verifiedFileSchema),
  refused: z.array(refusalSchema),
});
type Store = z.infer<typeof storeSchema>;

/** The newest of each list are kept. */
const MAX_ENTRIES = 200;

const fileOf = (data: string) => join(data, "proofs.json");

/**
 * Reads which files of this folder passed or were refused, by their sha256: verifying takes long, and a file that killed the process would
 * kill the next one too.
 */
function read(data: string): Store {
  try {
    if (existsSync(fileOf(data))) return storeSchema.parse(JSON.parse(readDocument(fileOf(data))));
  } catch {
    // Without it everything is verified again.
  }
  return { schema_version: SCHEMA_VERSION, proved: [], refused: [] };
}

function write(data: string, { schema_version, proved, refused }: Store) {
  const kept = { schema_version, proved: proved.slice(-MAX_ENTRIES), refused: refused.slice(-MAX_ENTRIES) };
  replaceFile(fileOf(data), toDocument(kept));
}

/** True if a file with this very hash passed as this version. */
export const isVerified = (data: string, expected: VerifiedFile): boolean =>
  read(data).proved.some((entry) => KEYS.every((key) => entry[key] === expected[key]));

const KEYS = Object.keys(verifiedFileSchema.shape) as (keyof VerifiedFile)[];

export const refusalOf = (data: string, sha256: string): RefusedFile | undefined =>
  read(data).refused.find((entry) => entry.sha256 === sha256);

/** Remembers a file that passed. There is no lock: only the process that may publish in the folder may call this. */
export function rememberVerified(data: string, { sha256, version, content_hash, size }: VerifiedFile): void {
  const { proved: before, refused, ...rest } = read(data);
  const isOther = (entry: { sha256: string }) => entry.sha256 !== sha256;
  write(data, {
    ...rest,
    proved: [...before.filter(isOther), { sha256, version, content_hash, size }],
    refused: refused.filter(isOther),
  });
}

export function rememberRefused(data: string, refused: RefusedFile): void {
  const { refused: others, ...rest } = read(data);
  write(data, { ...rest, refused: [...others.filter(({ sha256 }) => sha256 !== refused.sha256), refused] });
}
