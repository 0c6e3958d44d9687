import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";
import { fsyncPath, makeFolder } from "../../base/files.ts";
import { isVersion } from "../../snapshot/published/folder.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";

/** The date of a snapshot for its partition. Throws for a version or date that must not become the name of a file. */
export function partitionDate(
  snapshot: string,
  { version, started_at }: Pick<SnapshotTable, "version" | "started_at">,
): string {
  const day = started_at.slice(0, 10);
  if (isVersion(version) && /^\d{4}-\d\d-\d\d$/.test(day)) return day;
  const message = `${snapshot}: says that it is version ${version} of ${started_at}, which no snapshot is`;
  throw new Failure(EXIT.usage, message, "look at it with `npm run verify`, or export it without --partition");
}

export const partitionFolder = (out: string, table: string, day: string) =>
  join(out, `table=${table}`, `snapshot_date=${day}`);

/** The versions that have a part here, one but for what was killed. Files with other names are not ours, and stay. */
export function versionsIn(folder: string, format: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const ours = files.filter(({ name }) => name.endsWith(`.${format}`));
  return ours.map(({ name }) => name.slice(0, -1 - format.length)).filter(isVersion);
}

/**
 * Puts a part in its place and returns the other versions that had it: a day keeps the snapshot that was exported last. The old
 * part gets the new name before the new one replaces it: two would count each row twice, at any moment.
 */
export function placePart(draft: string, folder: string, version: string, format: string): string[] {
  makeFolder(folder);
  const fileOf = (name: string) => join(folder, `${name}.${format}`);
  const others = versionsIn(folder, format).filter((other) => other !== version);
  const [first, ...rest] = others;
  const isThere = existsSync(fileOf(version));
  for (const other of isThere ? others : rest) rmSync(fileOf(other), { force: true });
  if (first !== undefined && !isThere) renameSync(fileOf(first), fileOf(version));
  renameSync(draft, fileOf(version));
  fsyncPath(folder);
  return others;
}

/** Empties the place of a table that a snapshot lacks, and returns the versions that had it. */
export function removeParts(folder: string, format: string): string[] {
  const versions = versionsIn(folder, format);
  for (const version of versions) rmSync(join(folder, `${version}.${format}`), { force: true });
  if (versions.length > 0) fsyncPath(folder);
  return versions;
}

/** Removes a withdrawn version from all partitions; returns how many tables had it. */
export function removeVersion(out: string, version: string, format: string): number {
  if (!existsSync(out)) return 0;
  const day = version.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3");
  const tables = readdirSync(out).filter((name) => name.startsWith("table="));
  const files = tables
    .map((table) => join(out, table, `snapshot_date=${day}`, `${version}.${format}`))
    .filter((file) => existsSync(file));
  for (const file of files) rmSync(file, { force: true });
  return files.length;
}
