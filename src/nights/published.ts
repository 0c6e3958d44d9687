import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../api/failure.ts";
import { listFiles, manifestOf, snapshotFile, snapshotFolder } from "../snapshot/published/folder.ts";
import type { Manifest } from "../snapshot/published/pointer.ts";
import { isNight, readPublished } from "../snapshot/published/sequence.ts";

export interface Nights {
  /** What was published as the latest, the first first. A subset that was published beside them is no night. */
  nights: Manifest[];
  /** Versions whose manifest cannot be read: each costs nobody but itself. */
  damaged: string[];
}

export function listNights(data: string): Nights {
  const { published, damaged } = readPublished(data);
  return { nights: published.filter(isNight), damaged };
}

/** Those that stand: the pointer was not moved back past them. */
export const isStanding = ({ withdrawn }: Manifest): boolean => !withdrawn;

/** Snapshots in any folder, but for drafts and for subsets that their manifest tells apart. */
export function listFolder(folder: string): string[] {
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

/** The file of a published version. */
export function fileOfVersion(data: string, version: string): string {
  const versions = listFiles(data);
  if (versions.includes(version)) return snapshotFile(data, version);
  const hint =
    versions.length > 0 ? `published are ${versions.toReversed().join(", ")}` : "publish one with `npm run crawl`";
  throw new Failure(EXIT.usage, `${snapshotFolder(data)}: holds no published version ${version}`, hint);
}
