import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";
import { isVersion } from "../../snapshot/published/folder.ts";
import { fsyncPath } from "../../snapshot/published/fsync.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";

/** The date of a snapshot for its partition. Throws for a version or date that must not become the name of a file. */
export function partitionDate(snapshot: string, { version, started_at }: SnapshotTable): string {
  const day = started_at.slice(0, 10);
  if (isVersion(version) && /^\d{4}-\d\d-\d\d$/.test(day)) return day;
  const message = `${snapshot}: says that it is version ${version} of ${started_at}, which no snapshot is`;
  throw new Failure(EXIT.usage, message, "look at it with `npm run verify`, or export it without --partition");
}

export const partitionFolder = (out: string, table: string, day: string) =>
  join(out, `table=${table}`, `snapshot_date=${day}`);

/**
 * Removes other versions from a partition and returns them: a day keeps the snapshot that was exported last, since two
 * would count each row twice. Files with other names are not ours, and stay.
 */
export function removeOtherVersions(folder: string, version: string, format: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const ours = files
    .filter(({ name }) => name.endsWith(`.${format}`))
    .map(({ name }) => name.slice(0, -1 - format.length));
  const others = ours.filter((name) => isVersion(name) && name !== version);
  for (const other of others) rmSync(join(folder, `${other}.${format}`), { force: true });
  if (others.length > 0) fsyncPath(folder);
  return others;
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
