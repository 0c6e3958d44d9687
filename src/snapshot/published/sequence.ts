import { existsSync } from "node:fs";
import * as z from "zod";
import { Failure } from "../../api/failure.ts";
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
  const { published, damaged } = readVersions(data);
  const marked = readMarks(data) ?? findMarks(data, published);
  return { published: published.map((said) => ({ ...said, withdrawn: marked.has(said.version) })), damaged };
}

function readVersions(data: string): PublishedVersions {
  const read = listVersions(data).map((version) => [version, readManifest(data, version)] as const);
  return {
    published: read.flatMap(([, said]) => (said instanceof Error ? [] : [said])).sort(compareSequence),
    damaged: read.flatMap(([version, said]) => (said instanceof Error ? [version] : [])),
  };
}

/** Reads the versions that the pointer was moved back past. */
export const readWithdrawn = (data: string): ReadonlySet<string> =>
  readMarks(data) ?? findMarks(data, readVersions(data).published);

const withdrawnSchema = z.object({ withdrawn: z.array(z.string()) });

/** Reads the list of withdrawn versions, which is there from the first rollback on; undefined if it is damaged. */
function readMarks(data: string): ReadonlySet<string> | undefined {
  const file = withdrawnFile(data);
  if (!existsSync(file)) return new Set();
  try {
    return new Set(withdrawnSchema.parse(JSON.parse(readDocument(file))).withdrawn);
  } catch {
    return undefined;
  }
}

/** Finds what a damaged list would say; nothing if the pointer cannot be read either, which its readers report. */
function findMarks(data: string, published: readonly Manifest[]): ReadonlySet<string> {
  try {
    const pointer = readPointer(data);
    return pointer ? findWithdrawn(published.filter(isNight), pointer, new Set()) : new Set();
  } catch (error) {
    if (error instanceof Failure) return new Set();
    throw error;
  }
}

/** Says in one line if the list of withdrawn versions is damaged. */
export function describeDamagedMarks(data: string): string[] {
  const file = withdrawnFile(data);
  const what = "is damaged: later nights that the latest does not come from count as withdrawn";
  return readMarks(data) ? [] : [`${file}: ${what}; the next publication or \`npm run rollback\` writes it again`];
}

/** Reads the versions that were published as the latest: a subset that lies beside them is no night. */
export function readNights(data: string): { nights: Published[]; damaged: string[] } {
  const { published, damaged } = readPublished(data);
  return { nights: published.filter(isNight), damaged };
}

const nextSequence = (published: readonly Manifest[], pointer: Pointer | undefined): number =>
  Math.max(0, ...published.map(({ sequence }) => sequence), pointer?.sequence ?? 0) + 1;

/** Finds the night that was the latest before this one; undefined before the first, or if it is gone. */
function findFollowed<T extends Manifest>(nights: readonly T[], night: Manifest): T | undefined {
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
function findWithdrawn(nights: readonly Manifest[], pointer: Sequenced, before: ReadonlySet<string>): Set<string> {
  const standing = new Set<Manifest>();
  let night = nights.find(({ version }) => version === pointer.version);
  for (; night; night = findFollowed(nights, night)) standing.add(night);
  // Nights before the first known night of the chain stay as they are.
  const first: Sequenced = [...standing].at(-1) ?? pointer;
  // Also those of nights that are gone: a place that this folder is published to may still have them.
  const marked = new Set(before);
  for (const night of nights)
    if (standing.has(night)) marked.delete(night.version);
    else if (compareSequence(night, first) > 0) marked.add(night.version);
  return marked;
}

/** Writes which nights are withdrawn, if that has changed or the list is damaged. */
export function markWithdrawn(data: string, pointer: Sequenced): void {
  const before = readMarks(data);
  const nights = readVersions(data).published.filter(isNight);
  const marked = findWithdrawn(nights, pointer, before ?? new Set());
  if (!before || marked.symmetricDifference(before).size > 0)
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
