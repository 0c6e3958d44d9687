import { EXIT, Failure } from "../api/failure.ts";
import { listVersions, snapshotFile, snapshotFolder } from "../snapshot/publish.ts";
import { readManifest } from "../snapshot/rollback.ts";

/** Versions that were published as the latest, oldest first. A subset that was published beside them is no night. */
export const listNights = (data: string): string[] =>
  listVersions(data)
    .filter((version) => readManifest(data, version).latest !== false)
    .reverse();

/** The file of a published version. */
export function fileOfVersion(data: string, version: string): string {
  const versions = listVersions(data);
  if (versions.includes(version)) return snapshotFile(data, version);
  const hint = versions.length > 0 ? `published are ${versions.join(", ")}` : "publish one with `npm run crawl`";
  throw new Failure(EXIT.usage, `${snapshotFolder(data)}: holds no published version ${version}`, hint);
}
