import { existsSync } from "node:fs";
import { EXIT, Failure } from "../../../api/failure.ts";
import { DEFAULT_KEEP, listVersions, snapshotFile } from "../../../snapshot/published/folder.ts";
import { readPointer } from "../../../snapshot/published/pointer.ts";
import { type Publication, withdrawAndPrune } from "../../../snapshot/published/publish.ts";
import { rollback } from "../../../snapshot/published/rollback.ts";
import { isLater, readWithdrawn } from "../../../snapshot/published/sequence.ts";
import type { SignedNights } from "../../../snapshot/verify/signed-nights.ts";
import type { Client } from "./client.ts";
import { removeDrafts } from "./fetch.ts";
import { fetchSequence, type Remote } from "./remote.ts";
import { findSigned, isAsSigned } from "./signed.ts";

/** Returns the version in hand if the source published it after the one it points to; compared by name if the source lacks it. */
export async function findNewerInHand(
  client: Client,
  remote: Remote,
  data: string,
  signed: SignedNights | undefined,
): Promise<string | undefined> {
  const inHand = readPointer(data)?.version;
  if (inHand === undefined || inHand === remote.pointer.version) return undefined;
  const published = signed ? await findSigned(signed, inHand) : await fetchSequence(client, remote, inHand);
  return published && isLater(published, remote.pointer) ? inHand : undefined;
}

/** A snapshot that is in the folder already: its missing slices were reported when it came. */
const NOTHING_NEW: Pick<Publication, "newlyClosed" | "holes"> = {
  newlyClosed: [],
  holes: { count: 0, first: "", lost: 0 },
};

/**
 * Takes a version that needs no download: it is in the folder already, and proved if it has to be. Unless older ones are allowed it is not
 * made the latest again, since the operator may have rolled it back. Throws if the source is older than the version in hand.
 */
export async function takeFromHand(
  data: string,
  { pointer }: Remote,
  olderThan: string | undefined,
  { allowOlder = false, signed }: { allowOlder?: boolean; signed?: SignedNights | undefined },
): Promise<Publication | undefined> {
  const { version } = pointer;
  const file = snapshotFile(data, version);
  const latest = readPointer(data)?.version;
  const isFit = existsSync(file) && (!signed || (await isAsSigned(signed, pointer)));
  if (version === latest && isFit) return { version, file, changed: false, latest: true, ...NOTHING_NEW };
  if (olderThan !== undefined && !allowOlder) {
    const message = `the source has ${version}, older than ${olderThan} that is in hand`;
    throw new Failure(EXIT.unchanged, message, "take it with --allow-older if that is right");
  }
  if (version === latest || !listVersions(data).includes(version)) return undefined;
  // A pull that was killed before it moved the pointer has left the version: it is fetched and published again.
  if (olderThan === undefined && !readWithdrawn(data).has(version)) return undefined;
  const isHeld = !allowOlder && (!signed || (latest !== undefined && (await findSigned(signed, latest)) !== undefined));
  if (!isHeld && !isFit) return undefined;
  if (!isHeld) rollback(data, version);
  return { version, file, changed: !isHeld, latest: !isHeld, ...NOTHING_NEW };
}

/** Completes an earlier pull that was killed after it had published. */
export function finishEarlier(data: string, keep = DEFAULT_KEEP) {
  const pointer = readPointer(data);
  if (pointer) withdrawAndPrune(data, pointer, keep);
  removeDrafts(data);
}
