import { listVersions, manifestOf, readDocument, snapshotFile } from "./folder.ts";
import { replaceFile, toDocument } from "./fsync.ts";
import { isNight, type Manifest, readManifest } from "./manifest.ts";
import type { Pointer } from "./pointer.ts";

/** In the order of publication, not of names: names come from a clock, which may have been set back. */
export interface PublishedFiles {
  published: Manifest[];
  /** Versions whose manifest cannot be read. */
  damaged: string[];
}

/** Earlier programs gave no number: what they published comes first, by name. */
const sequenceOf = ({ sequence = 0 }: Pick<Pointer, "sequence">) => sequence;

export type Sequenced = Pick<Pointer, "sequence" | "version">;

/** A version that may have no number in the same folder. */
interface MaybeSequenced {
  version: string;
  sequence?: number | null | undefined;
}

/** Negative where `a` was published before `b`. */
export const compareSequence = (a: Sequenced, b: Sequenced): number =>
  sequenceOf(a) - sequenceOf(b) || Number(a.version > b.version) - Number(a.version < b.version);

/** Whether `a` was published after `b`; by name where one of them has no number. */
export const isLater = (a: MaybeSequenced, b: MaybeSequenced): boolean =>
  a.sequence == null || b.sequence == null ? a.version > b.version : a.sequence > b.sequence;

export function readPublished(data: string): PublishedFiles {
  const read = listVersions(data).map((version) => [version, readManifest(data, version)] as const);
  return {
    published: read.flatMap(([, manifest]) => (manifest instanceof Error ? [] : [manifest])).sort(compareSequence),
    damaged: read.flatMap(([version, manifest]) => (manifest instanceof Error ? [version] : [])),
  };
}

/** Those of them that were published as the latest: a subset that lies beside them is no night. */
export function readNights(data: string): { nights: Manifest[]; damaged: string[] } {
  const { published, damaged } = readPublished(data);
  return { nights: published.filter(isNight), damaged };
}

export const nextSequence = (published: readonly Manifest[], pointer: Pointer | undefined): number =>
  Math.max(0, ...published.map(sequenceOf), pointer ? sequenceOf(pointer) : 0) + 1;

/** The night that was the latest before this one; none before the first, or where it is gone. */
function findFollowed(nights: readonly Manifest[], night: Manifest): Manifest | undefined {
  const earlier = nights.filter((other) => compareSequence(other, night) < 0);
  return night.follows === undefined ? earlier.at(-1) : earlier.find(({ version }) => version === night.follows);
}

/** The night that a rollback goes to. */
export function findPrevious(nights: readonly Manifest[], pointer: Sequenced): Manifest | undefined {
  const night = nights.find(({ version }) => version === pointer.version);
  const followed = night && findFollowed(nights, night);
  return followed ?? nights.findLast((other) => !other.withdrawn && compareSequence(other, pointer) < 0);
}

/**
 * Follows the chain of `follows` back from the pointer's night. Nights of the chain are standing and lose the mark `withdrawn` in
 * their manifests; later nights beside it, which the pointer was moved back past, get it.
 */
export function markWithdrawn(data: string, pointer: Sequenced): void {
  const { nights } = readNights(data);
  const standing = new Set<Manifest>();
  let night = nights.find(({ version }) => version === pointer.version);
  for (; night; night = findFollowed(nights, night)) standing.add(night);
  // What lies before the first known night of the chain stays as it is.
  const first: Sequenced = [...standing].at(-1) ?? pointer;
  for (const one of nights)
    if (standing.has(one)) setWithdrawn(data, one, false);
    else if (compareSequence(one, first) > 0) setWithdrawn(data, one, true);
}

/** All else stays as it stands, byte for byte: it may be signed. */
function setWithdrawn(data: string, { version, withdrawn: marked = false }: Manifest, withdrawn: boolean) {
  if (marked === withdrawn) return;
  const file = manifestOf(snapshotFile(data, version));
  const { withdrawn: _, ...manifest } = JSON.parse(readDocument(file)) as { withdrawn?: boolean };
  replaceFile(file, toDocument({ ...manifest, ...(withdrawn && { withdrawn }) }));
}
