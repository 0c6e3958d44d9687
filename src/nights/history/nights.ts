import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { manifestOf, snapshotFile, snapshotFolder } from "../../snapshot/published/folder.ts";
import { readNights } from "../../snapshot/published/sequence.ts";
import type { Night } from "./history.ts";

/** What is to be folded of a folder. */
export interface FolderNights {
  nights: Night[];
  /** Manifests that cannot be read. */
  damaged: string[];
}

/** The nights of the data folder that the history belongs to. */
export function readOwnNights(data: string): FolderNights {
  const { nights, damaged } = readNights(data);
  return {
    nights: nights.map(({ version, sequence = null, withdrawn = false }) => ({
      file: snapshotFile(data, version),
      sequence,
      withdrawn,
    })),
    damaged: damaged.map((version) => manifestOf(snapshotFile(data, version))),
  };
}

/** Those of another data folder, or of a folder of files. Its numbers say nothing here: they are placed by their names. */
export function readOtherNights(from: string): FolderNights {
  if (existsSync(snapshotFolder(from))) {
    const { nights, damaged } = readOwnNights(from);
    return { nights: nights.map((night) => ({ ...night, sequence: null })), damaged };
  }
  return { nights: listFolder(from).map((file) => ({ file, sequence: null, withdrawn: false })), damaged: [] };
}

/** Snapshots in any folder, but for drafts and for subsets that their manifest tells apart. */
function listFolder(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".sqlite") && !name.startsWith("."));
  return names.map((name) => join(folder, name)).filter((file) => !isSubset(manifestOf(file)));
}

function isSubset(manifest: string): boolean {
  try {
    return (JSON.parse(readFileSync(manifest, "utf8")) as { latest?: unknown }).latest === false;
  } catch {
    // Without one it is a snapshot like any other.
    return false;
  }
}
