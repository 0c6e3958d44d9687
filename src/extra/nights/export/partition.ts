import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { EXIT, Failure } from "../../../api/failure.ts";
import { type Change, release } from "../../../base/release.ts";
import { isVersion } from "../../../snapshot/published/folder.ts";
import type { SnapshotTable } from "../../../snapshot/schema/row-types.ts";

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
 * Puts a part in its place, or empties that if the snapshot lacks the table. A day keeps the snapshot that was exported last. The old
 * part gets the new name before the new one replaces it: two would count each row twice, at any moment.
 */
export function placePart(
  draft: string | undefined,
  folder: string,
  version: string,
  format: string,
): { changes: Change[]; replaced: string[] } {
  const fileOf = (name: string) => join(folder, `${name}.${format}`);
  const there = versionsIn(folder, format);
  const replaced = there.filter((other) => other !== version);
  const [renamed] = draft !== undefined && !there.includes(version) ? replaced : [];
  const gone = (draft === undefined ? there : replaced).filter((other) => other !== renamed);
  const file = fileOf(version);
  const changes: Change[] = gone.map((other) => ({ file: fileOf(other), gone: true }));
  for (const from of [...(renamed === undefined ? [] : [fileOf(renamed)]), ...(draft === undefined ? [] : [draft])])
    changes.push({ file, draft: from });
  return { changes, replaced };
}

/** Removes a withdrawn version from all partitions; returns how many tables had it. */
export function removeVersion(out: string, version: string, format: string): number {
  if (!existsSync(out)) return 0;
  const day = version.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3");
  const tables = readdirSync(out).filter((name) => name.startsWith("table="));
  const files = tables
    .map((table) => join(out, table, `snapshot_date=${day}`, `${version}.${format}`))
    .filter((file) => existsSync(file));
  release([files.map((file) => ({ file, gone: true }))]);
  return files.length;
}
