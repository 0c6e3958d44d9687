import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pointerFile, snapshotFolder, VERSION_PATTERN } from "./folder.ts";
import { draftOf } from "./fsync.ts";
import { isNight } from "./manifest.ts";
import { readPointer } from "./pointer.ts";
import { readPublished } from "./sequence.ts";

const PUBLISHED_NAME = new RegExp(
  `^(${VERSION_PATTERN})\\.(?:json(?:\\.minisig)?|changes\\.json|sqlite|sqlite\\.zst)(?:\\.draft)?$`,
);

/**
 * Removes all but the last `keep` nights and the last `keep` subsets, and the drafts of runs that were killed. Never removes
 * what the pointer names, or what is not ours. A version with a damaged manifest has no sequence: it counts by its name.
 */
export function prune(data: string, keep: number) {
  const { published, damaged } = readPublished(data);
  const [nights, subsets] = [published.filter(isNight), published.filter((one) => !isNight(one))];
  const newest = [nights, subsets].flatMap((some) => some.slice(-keep)).map(({ version }) => version);
  const named = [...nights.map(({ version }) => version), ...damaged].sort().slice(-keep);
  const unknown = damaged.filter((version) => named.includes(version));
  const kept = new Set([...newest, ...unknown, readPointer(data)?.version]);
  const old = readdirSync(snapshotFolder(data)).filter((name) => {
    const version = PUBLISHED_NAME.exec(name)?.[1];
    return version !== undefined && (!kept.has(version) || name.endsWith(".draft"));
  });
  // A manifest goes before its file: a file without one is not published.
  for (const name of old.sort()) rmSync(join(snapshotFolder(data), name), { force: true });
  rmSync(draftOf(pointerFile(data)), { force: true });
}
