import { EXIT, Failure } from "../../api/failure.ts";
import { lockFolder } from "../../journal/lock.ts";
import { openSnapshotFile } from "../read/open.ts";
import type { Signer } from "../signature/signed-manifest.ts";
import { hintWithoutSnapshot, manifestOf, pointerFile, requireVersion, snapshotFile } from "./folder.ts";
import { isNight, type Manifest, readManifest } from "./manifest.ts";
import { DamagedPointer, type Pointer, readPointer, toPointer, writePointer } from "./pointer.ts";
import { findPrevious, markWithdrawn, readNights } from "./sequence.ts";
import { readSignature, signAgain, withExpiry } from "./signature.ts";

/**
 * Moves the pointer to a published version: to the one that was the latest before by default, to any one with `to`. Versions published
 * since are marked as withdrawn. Throws a Failure for usage if there is no version to go to. Reads the pointer only to find the one before
 * it, so that a pointer which is beyond reading can be repaired.
 */
export function rollback(data: string, to?: string, signer?: Signer): Pointer {
  if (to !== undefined) requireVersion(data, to, data, "build");
  const manifest = readManifestOrFail(data, to ?? findPreviousVersion(data));
  if (!isNight(manifest)) {
    const hint = "name another version with --to; a crawl makes a subset the latest with --allow-partial";
    throw new Failure(EXIT.usage, `${manifest.version}: is a subset of a night`, hint);
  }
  const pointer = toPointer(manifest);
  openSnapshotFile(snapshotFile(data, pointer.version)).close();
  pointTo(data, pointer);
  markWithdrawn(data, pointer);
  if (signer) signAgain(data, pointer.version, signer);
  return pointer;
}

const pointTo = (data: string, pointer: Pointer) =>
  writePointer(data, withExpiry(pointer, readSignature(snapshotFile(data, pointer.version))));

/**
 * Writes a damaged pointer again, as it was: the last night that is not withdrawn has all that it says. Returns what was done, in one line
 * at most. Throws a `DamagedPointer` if no night is here.
 */
export function restorePointer(data: string): string[] {
  if (!findDamage(data)) return [];
  using _ = lockFolder(data);
  // Another command may have been quicker.
  const damage = findDamage(data);
  if (!damage) return [];
  const night = readNights(data).nights.findLast(({ withdrawn }) => !withdrawn);
  if (!night) throw damage;
  pointTo(data, toPointer(night));
  return [`${damage.message}, and was written again: latest is ${night.version}`];
}

function findDamage(data: string): DamagedPointer | undefined {
  try {
    readPointer(data);
    return undefined;
  } catch (error) {
    if (error instanceof DamagedPointer) return error;
    throw error;
  }
}

function findPreviousVersion(data: string): string {
  const pointer = readPointer(data);
  if (!pointer) {
    const hint = hintWithoutSnapshot(data, "name a version with --to");
    throw new Failure(EXIT.usage, `${pointerFile(data)}: does not exist`, hint);
  }
  const { nights, damaged } = readNights(data);
  const previous = findPrevious(nights, pointer);
  if (previous) return previous.version;
  // A damaged one may be the one before: that is reported, and it can be named with --to.
  const [unknown] = damaged.filter((version) => version !== pointer.version);
  if (unknown) readManifestOrFail(data, unknown);
  const message = `${data}: holds nothing to roll back to, ${pointer.version} is the first that was published`;
  throw new Failure(EXIT.usage, message, "name another version with --to");
}

function readManifestOrFail(data: string, version: string): Manifest {
  const manifest = readManifest(data, version);
  if (!(manifest instanceof Error)) return manifest;
  const file = manifestOf(snapshotFile(data, version));
  const hint = "build it again with `npm run build`, or name another version with --to";
  throw new Failure(EXIT.usage, `${file}: is not the manifest of ${version}`, hint, manifest);
}
