import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../api/failure.ts";
import { listVersions, manifestOf, snapshotFile, snapshotFolder } from "../snapshot/folder.ts";
import { readManifest } from "../snapshot/rollback.ts";

/** Versions that were published as the latest, oldest first. A subset that was published beside them is no night. */
export const listNights = (data: string): string[] =>
  listVersions(data)
    .filter((version) => readManifest(data, version).latest !== false)
    .reverse();

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
  const versions = listVersions(data);
  if (versions.includes(version)) return snapshotFile(data, version);
  const hint = versions.length > 0 ? `published are ${versions.join(", ")}` : "publish one with `npm run crawl`";
  throw new Failure(EXIT.usage, `${snapshotFolder(data)}: holds no published version ${version}`, hint);
}
