import * as z from "zod";
import { changesSchema } from "./changes.ts";
import { isVersion, manifestOf, readDocument, snapshotFile } from "./folder.ts";
import { essentials, sha256Schema } from "./pointer.ts";

/** The highest number of a journal from another mirror; a higher one is made up and would leave no number for later journals. */
const MAX_JOURNAL = 1_000_000;

const fileSchema = z.object({ size: z.int().min(1), sha256: sha256Schema });

/** The manifest beside a published file: the fields of the pointer, its place among the others, and how its crawl went. */
export const manifestSchema = z.looseObject({
  ...essentials,
  /** False: a subset that was published beside the nights. */
  latest: z.boolean().optional(),
  /** The night that was the latest before; null before the first. */
  follows: z.string().refine(isVersion).nullable().optional(),
  /** The place of the journal that it was built from among the finished ones of its maker's folder. */
  journal: z.int().min(0).max(MAX_JOURNAL).optional().catch(undefined),
  /** Absent for the first night. */
  changes: changesSchema.optional().catch(undefined),
  compressed: fileSchema.optional().catch(undefined),
  analysts: fileSchema.optional().catch(undefined),
  history: fileSchema.optional().catch(undefined),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** Parses a manifest. Throws if the text is not a manifest, or is of another version. */
export function parseManifest(text: string, version: string): Manifest {
  const manifest = manifestSchema.parse(JSON.parse(text));
  if (manifest.version !== version) throw new Error(`names ${manifest.version}`);
  return manifest;
}

/** Reads the manifest of a version, or returns why it cannot be read. */
export function readManifest(data: string, version: string): Manifest | Error {
  try {
    return parseManifest(readDocument(manifestOf(snapshotFile(data, version))), version);
  } catch (error) {
    return error as Error;
  }
}

/** Tells whether a version is a night: subsets are published beside the nights, and never are the latest. */
export const isNight = ({ latest }: Manifest): boolean => latest !== false;
