import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestOf, snapshotFile, snapshotFolder } from "../../../snapshot/published/folder.ts";
import { readNights } from "../../../snapshot/published/sequence.ts";
import type { NightFile } from "./history.ts";

/** The nights of a folder. */
export interface FoundNights {
  nights: NightFile[];
  /** Paths of manifests that cannot be read. */
  damaged: string[];
}

/** Nights of the data folder that the history belongs to. */
export function findOwnNights(data: string): FoundNights {
  const { nights, damaged } = readNights(data);
  return {
    nights: nights.map(({ version, sequence = null, withdrawn, follows = null }) => ({
      file: snapshotFile(data, version),
      sequence,
      withdrawn,
      follows,
    })),
    damaged: damaged.map((version) => manifestOf(snapshotFile(data, version))),
  };
}

/**
 * Nights of another data folder, or of a folder of files. Its publication numbers do not apply here, so they are left
 * out.
 */
export function findOtherNights(from: string): FoundNights {
  if (existsSync(snapshotFolder(from))) {
    const { nights, damaged } = findOwnNights(from);
    return { nights: nights.map((night) => ({ ...night, sequence: null })), damaged };
  }
  return { nights: listFolder(from).map((file) => ({ file, sequence: null, withdrawn: false })), damaged: [] };
}

/** Snapshot files of any folder, except drafts and files that a manifest calls a subset. */
function listFolder(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".sqlite") && !name.startsWith("."));
  return names.map((name) => join(folder, name)).filter((file) => !isSubset(manifestOf(file)));
}

function isSubset(manifest: string): boolean {
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { latest?: unknown }).latest === false;
  } catch {
    // No manifest: not known to be a subset.
    return false;
  }
}
