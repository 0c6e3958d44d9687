import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { draftOf, sweep } from "../../base/release.ts";
import { COMPANIONS, lastCrawlFile, pointerFile, snapshotFolder, VERSION_PATTERN, withdrawnFile } from "./folder.ts";
import { isNight } from "./manifest.ts";
import { readPointer } from "./pointer.ts";
import { compareSequence, type PublishedVersions, readPublished } from "./sequence.ts";

const ENDINGS = String.raw`\.(?:json(?:\.minisig)?|sqlite|${Object.values(COMPANIONS).join("|").replaceAll(".", "\\.")})`;
const PUBLISHED_NAME = new RegExp(`^(${VERSION_PATTERN})${ENDINGS}(?:\\.draft)?$`);

/** Returns the version that a file beside the snapshots, or its draft, belongs to; undefined if its name is not one of ours. */
export const versionOf = (name: string): string | undefined => PUBLISHED_NAME.exec(name)?.[1];

/**
 * The last `keep` nights, the last `keep` subsets and what the pointer names. A version with a damaged manifest has no sequence:
 * it counts by its name.
 */
export function chooseKept({ published, damaged }: PublishedVersions, pointer: string | undefined, keep: number) {
  const inOrder = published.toSorted(compareSequence);
  const [nights, subsets] = [inOrder.filter(isNight), inOrder.filter((version) => !isNight(version))];
  const newest = [nights, subsets].flatMap((some) => some.slice(-keep)).map(({ version }) => version);
  const named = [...nights.map(({ version }) => version), ...damaged].sort().slice(-keep);
  const unknown = damaged.filter((version) => named.includes(version));
  return new Set([...newest, ...unknown, ...(pointer === undefined ? [] : [pointer])]);
}

/** Removes the drafts of runs that were killed. */
export function sweepDrafts(data: string) {
  sweep(snapshotFolder(data), (name) => versionOf(name) !== undefined && name.endsWith(".draft"));
  for (const file of [pointerFile, withdrawnFile, lastCrawlFile]) rmSync(draftOf(file(data)), { force: true });
}

/** Removes what is not kept, and the drafts of runs that were killed. Never removes what is not ours. */
export function prune(data: string, keep: number) {
  const versions = readPublished(data);
  const kept = chooseKept(versions, readPointer(data)?.version, keep);
  const old = readdirSync(snapshotFolder(data)).filter((name) => {
    const version = versionOf(name);
    return version !== undefined && !kept.has(version);
  });
  const histories = versions.published
    .map(({ version }) => `${version}.${COMPANIONS.history}`)
    .filter((name) => existsSync(join(snapshotFolder(data), name)));
  // A manifest goes before its file: a file without one is not published.
  for (const name of [...old.sort(), ...histories.slice(0, -1)])
    rmSync(join(snapshotFolder(data), name), { force: true });
  sweepDrafts(data);
}
