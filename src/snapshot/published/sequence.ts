import { renameSync } from "node:fs";
import { listVersions, manifestOf, snapshotFile } from "./folder.ts";
import { draftOf, writeDraft } from "./fsync.ts";
import { isNight, type Manifest, readManifest } from "./manifest.ts";
import type { Pointer } from "./pointer.ts";

/** What a folder has published, first published first. The clock only names: one that was set back changes no order. */
export interface PublishedFiles {
  published: Manifest[];
  /** Versions whose manifest cannot be read, and so has no place. */
  damaged: string[];
}

/** Earlier programs gave no number: what they published comes first, by its name. */
const numberOf = ({ sequence = 0 }: Pick<Pointer, "sequence">) => sequence;

export type Place = Pick<Pointer, "sequence" | "version">;

/** A place that may have no number of the same folder. */
interface LoosePlace {
  version: string;
  sequence?: number | null | undefined;
}

/** Negative where `a` was published before `b`. */
export const comparePlaces = (a: Place, b: Place): number =>
  numberOf(a) - numberOf(b) || Number(a.version > b.version) - Number(a.version < b.version);

/** Whether `a` was published after `b`; by their names where one of them has no number of the same folder. */
export const isLater = (a: LoosePlace, b: LoosePlace): boolean =>
  a.sequence == null || b.sequence == null ? a.version > b.version : a.sequence > b.sequence;

export function readPublished(data: string): PublishedFiles {
  const read = listVersions(data).map((version) => [version, readManifest(data, version)] as const);
  return {
    published: read.flatMap(([, manifest]) => (manifest instanceof Error ? [] : [manifest])).sort(comparePlaces),
    damaged: read.flatMap(([version, manifest]) => (manifest instanceof Error ? [version] : [])),
  };
}

/** Those of them that were published as the latest: a subset that lies beside them is no night. */
export function readNights(data: string): { nights: Manifest[]; damaged: string[] } {
  const { published, damaged } = readPublished(data);
  return { nights: published.filter(isNight), damaged };
}

export const nextSequence = (published: readonly Manifest[], pointer: Pointer | undefined): number =>
  Math.max(0, ...published.map(numberOf), pointer ? numberOf(pointer) : 0) + 1;

/** The night that was the latest before this one; none before the first, or where it is gone. */
function findFollowed(nights: readonly Manifest[], night: Manifest): Manifest | undefined {
  const earlier = nights.filter((other) => comparePlaces(other, night) < 0);
  return night.follows === undefined ? earlier.at(-1) : earlier.find(({ version }) => version === night.follows);
}

/** The night to go back to from what the pointer names. */
export function findPrevious(nights: readonly Manifest[], pointer: Place): Manifest | undefined {
  const night = nights.find(({ version }) => version === pointer.version);
  const followed = night && findFollowed(nights, night);
  return followed ?? nights.findLast((other) => !other.withdrawn && comparePlaces(other, pointer) < 0);
}

/**
 * Marks in their manifests the nights that what the pointer names does not come from: it was moved back past them. Nights
 * that it comes from lose the mark, as it was moved forward to them again.
 */
export function markWithdrawn(data: string, pointer: Place): void {
  const { nights } = readNights(data);
  const standing = new Set<Manifest>();
  let night = nights.find(({ version }) => version === pointer.version);
  for (; night; night = findFollowed(nights, night)) standing.add(night);
  // Before the first of them nobody knows the way.
  const first: Place = [...standing].at(-1) ?? pointer;
  for (const one of nights)
    if (standing.has(one)) mark(data, one, false);
    else if (comparePlaces(one, first) > 0) mark(data, one, true);
}

function mark(data: string, { withdrawn: marked = false, ...manifest }: Manifest, withdrawn: boolean) {
  if (marked === withdrawn) return;
  const file = manifestOf(snapshotFile(data, manifest.version));
  writeDraft(file, { ...manifest, ...(withdrawn && { withdrawn }) });
  renameSync(draftOf(file), file);
}
