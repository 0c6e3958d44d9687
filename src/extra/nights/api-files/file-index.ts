import { lstatSync } from "node:fs";
import * as z from "zod";
import { LANG_CODES } from "../../../api/enumerations.ts";
import { sanitizeJson } from "../../../api/sanitize.ts";
import { toListDocument } from "../../../base/files.ts";
import { readDocument } from "../../../snapshot/published/folder.ts";
import { PACKAGE_NAME } from "../export/data-package.ts";

export const INDEX_FILE = "index.json";
export const VERSION_FILE = "version.json";

export interface IndexedFile {
  path: string;
  bytes: number;
  /** The hash in hex. */
  sha256: string;
}

export interface MissingFile {
  path: string;
  reason: string;
  /** The word of the upstream that is in no path. */
  word?: string;
}

/** Marks an index as ours: the files that it names may be removed. */
const FORMAT = "metasnap-api-files-1";

/** An index may come from anywhere. It names nothing outside of the folders that a program of ours fills. */
const API_PATH = new RegExp(`^(?:(?:${LANG_CODES.join("|")})/)?api/(?:[a-z0-9-]+/)*[a-z0-9-]+\\.json$`);

const isOurs = (path: string): boolean => path === VERSION_FILE || path === PACKAGE_NAME || API_PATH.test(path);

const indexSchema = z.object({
  format: z.literal(FORMAT),
  files: z.array(z.object({ path: z.string().refine(isOurs) })),
});

// All endpoints in 17 languages have 40,000 files.
const MAX_BYTES = 64 * 1024 * 1024;

/** The paths that an index of ours names; undefined if the file is not there, or if another program wrote it. */
export function readIndexedPaths(file: string): string[] | undefined {
  try {
    if (lstatSync(file).isSymbolicLink()) return undefined;
    return indexSchema.parse(JSON.parse(readDocument(file, MAX_BYTES))).files.map(({ path }) => path);
  } catch {
    return undefined;
  }
}

/** The names alone, of what is about to be put in its place. */
export const toNameIndex = (paths: Iterable<string>): string =>
  toListDocument({ format: FORMAT }, { files: Array.from(paths, (path) => ({ path })) });

export const toIndex = (
  facts: { version: string; sample: boolean },
  files: readonly IndexedFile[],
  missing: readonly MissingFile[],
): string => sanitizeJson(toListDocument({ format: FORMAT, ...facts }, { files, missing }));
