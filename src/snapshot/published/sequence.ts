import * as z from "zod";
import { toDocument } from "../../base/files.ts";
import { replaceFile } from "../../base/release.ts";
import { listVersions, readDocument, withdrawnFile } from "./folder.ts";
import { isNight, type Manifest, readManifest } from "./manifest.ts";
import { type Pointer, readPointer } from "./pointer.ts";
import type { Origin } from "./signature.ts";

/** A manifest, with what its folder knows about the version. */
export interface Published extends Manifest {
  /** True if the pointer was moved back past it. */
  withdrawn: boolean;
}

/** Versions in the order of publication, not of names: names come from a clock, which may have been set back. */
export interface PublishedVersions<T extends Manifest = Manifest> {
  published: T[];
  /** Versions whose manifest cannot be read. */
  damaged: string[];
}

export type Sequenced = Pick<Pointer, "sequence" | "version">;

/** A version that may have no number in the same folder. */
export interface MaybeSequenced {
  version: string;
  sequence?: number | null | undefined;
}

/** Compares places in the order: negative if `a` was published before `b`. */
export const compareSequence = (a: Sequenced, b: Sequenced): number =>
  a.sequence - b.sequence || Number(a.version > b.version) - Number(a.version < b.version);

/** Tells whether `a` was published after `b`; by name if one of them has no number. */
export const isLater = (a: MaybeSequenced, b: MaybeSequenced): boolean =>
  a.sequence == null || b.sequence == null ? a.version > b.version : a.sequence > b.sequence;

export function readPublished(data: string): PublishedVersions<Published> {
  const read = listVersions(data).map((version) => [version, readManifest(data, version)] as const);
  const marked = readWithdrawn(data);
  const isWithdrawn = (version: string) => marked.has(version);
  return {
    published: read
      .flatMap(([version, said]) => (said instanceof Error ? [] : [{ ...said, withdrawn: isWithdrawn(version) }]))
      .sort(compareSequence),
    damaged: read.flatMap(([version, said]) => (said instanceof Error ? [version] : [])),
  };
}

const withdrawnSchema = z.object({ withdrawn: z.array(z.string()) });

/** Reads the versions that the pointer was moved back past; none if the list of them is damaged. */
export function readWithdrawn(data: string): ReadonlySet<string> {
  try {
    return new Set(withdrawnSchema.parse(JSON.parse(readDocument(withdrawnFile(data)))).withdrawn);
  } catch {
    return new Set();
  }
}

/** Reads the versions that were published as the latest: a subset that lies beside them is no night. */
export function readNights(data: string): { nights: Published[]; damaged: string[] } {
  const { published, damaged } = readPublished(data);
  return { nights: published.filter(isNight), damaged };
}

const nextSequence = (published: readonly Manifest[], pointer: Pointer | undefined): number =>
  Math.max(0, ...published.map(({ sequence }) => sequence), pointer?.sequence ?? 0) + 1;

/** Finds the night that was the latest before this one; undefined before the first, or if it is gone. */
function findFollowed(nights: readonly Published[], night: Published): Published | undefined {
  const earlier = nights.filter((other) => compareSequence(other, night) < 0);
  return night.follows === undefined ? earlier.at(-1) : earlier.find(({ version }) => version === night.follows);
}

/** Finds the night that a rollback goes to. */
export function findPrevious(nights: readonly Published[], pointer: Sequenced): Published | undefined {
  const night = nights.find(({ version }) => version === pointer.version);
  const followed = night && findFollowed(nights, night);
  return followed ?? nights.findLast((other) => !other.withdrawn && compareSequence(other, pointer) < 0);
}

/**
 * Follows the chain of `follows` back from the pointer's night. Nights of the chain are standing, and are not withdrawn any more; later
 * nights beside it, which the pointer was moved back past, are.
 */
export function markWithdrawn(data: string, pointer: Sequenced): void {
  const { nights } = readNights(data);
  const standing = new Set<Published>();
  let night = nights.find(({ version }) => version === pointer.version);
  for (; night; night = findFollowed(nights, night)) standing.add(night);
  // Nights before the first known night of the chain stay as they are.
  const first: Sequenced = [...standing].at(-1) ?? pointer;
  // Also those of nights that are gone: a place that this folder is published to may still have them.
  const before = readWithdrawn(data);
  const marked = new Set(before);
  for (const night of nights)
    if (standing.has(night)) marked.delete(night.version);
    else if (compareSequence(night, first) > 0) marked.add(night.version);
  if (marked.symmetricDifference(before).size > 0)
    replaceFile(withdrawnFile(data), toDocument({ withdrawn: [...marked].sort() }));
}

/** The highest number from another mirror; a higher one is made up and would leave no number for later nights. */
const MAX_SEQUENCE = 1_000_000;

/** Returns the number of this publication and the night that it follows. The last version published again keeps both. */
export function assignSequence(data: string, version: string, origin: Origin | undefined) {
  const pointer = readPointer(data);
  // A rollback that was killed may not have marked the nights that it withdrew.
  if (pointer) markWithdrawn(data, pointer);
  const { published } = readPublished(data);
  const next = nextSequence(published, pointer);
  const { sequence: theirs = 0, follows: followed, older = false, isSigned = false } = origin ?? {};
  const isFree = isSigned || theirs >= next || (older && published.every(({ sequence }) => sequence !== theirs));
  if (followed !== undefined && theirs > 0 && theirs <= MAX_SEQUENCE && isFree)
    return { sequence: theirs, follows: followed };
  const last = published.at(-1);
  const again = last?.version === version ? last : undefined;
  const before = pointer?.version === version ? findPrevious(published.filter(isNight), pointer) : pointer;
  return {
    sequence: again?.sequence ?? next,
    follows: again?.follows === undefined ? (before?.version ?? null) : again.follows,
  };
}
