import { Failure } from "../../../api/failure.ts";
import { snapshotFile } from "../../../snapshot/published/folder.ts";
import type { Manifest } from "../../../snapshot/published/manifest.ts";
import { type Pointer, readPointer, toPointer } from "../../../snapshot/published/pointer.ts";
import { isLater } from "../../../snapshot/published/sequence.ts";
import { readSignature, readSigned, replaceSignature } from "../../../snapshot/published/signature.ts";
import type { VerifyKey } from "../../../snapshot/signature/minisign.ts";
import { expiryOf, findForgery } from "../../../snapshot/signature/signed-manifest.ts";
import type { SignedNights } from "../../../snapshot/verify/signed-nights.ts";
import type { Client } from "./client.ts";
import { SourceRefused } from "./errors.ts";
import { fetchSignature, type Remote, type RemoteDocuments } from "./remote.ts";

/**
 * Returns the version that a source points to, as the holder of one of the keys has published it: only the name is taken from
 * `latest.json`. Throws `SourceRefused` if none of the keys signed it, or if the time is over for which it may be taken for the newest.
 */
export function toSignedRemote(
  remote: Remote,
  { manifest, text, signature }: RemoteDocuments,
  keys: readonly VerifyKey[],
): Remote {
  const { version, expires_at } = remote.pointer;
  const forgery = findForgery({ manifest: text, signature }, keys);
  if (forgery !== undefined) throw new SourceRefused(`the manifest of ${version} ${forgery}`);
  if (manifest.latest === false) throw new SourceRefused(`${version} is not a night, says its signed manifest`);
  for (const [what, time] of [
    ["its signature", signature && expiryOf(signature)],
    ["latest.json", expires_at],
  ])
    if (time !== undefined && Date.parse(time) < Date.now())
      throw new SourceRefused(`${version} expired at ${time}, says ${what}: the source is stale, or is held back`);
  return { ...remote, pointer: { ...toPointer(manifest), ...(expires_at && { expires_at }) } };
}

/** Returns the manifest of a night in hand that is proved; undefined if it is not. */
export async function findSigned(signed: SignedNights, version: string): Promise<Manifest | undefined> {
  const verdict = await signed.prove(version);
  return verdict instanceof Failure ? undefined : verdict;
}

/** Tells whether a night in hand is proved, and is the one that a source has signed, or later. */
export async function isAsSigned(signed: SignedNights, theirs: Pointer): Promise<boolean> {
  const manifest = await findSigned(signed, theirs.version);
  return manifest !== undefined && (manifest.sha256 === theirs.sha256 || isLater(manifest, theirs));
}

/**
 * Renews only the signature of a night that is in hand as it was signed: it becomes that of the source, which may be none, as without a key
 * nobody can tell which of two is right. With keys it was checked; it gives way to one in hand by a key that holds for longer.
 */
export function renewInHand(
  data: string,
  version: string,
  { text, signature }: RemoteDocuments,
  keys: readonly VerifyKey[] = [],
) {
  const ours = readSigned(snapshotFile(data, version));
  if (ours?.manifest !== text || ours.signature === signature) return;
  const until = (signature: string | undefined) => Date.parse(expiryOf(signature ?? "") ?? "") || 0;
  const isSignedHere = keys.length > 0 && findForgery(ours, keys) === undefined;
  if (!isSignedHere || until(signature) > until(ours.signature)) replaceSignature(data, version, signature);
}

/** Tells whether a source has another signature of the night that it points to than the one in hand. */
export async function hasOtherSignature(client: Client, remote: Remote, data: string): Promise<boolean> {
  const { version, expires_at } = remote.pointer;
  const inHand = readPointer(data);
  if (version !== inHand?.version || (expires_at ?? inHand.expires_at) === undefined) return false;
  const theirs = expires_at === undefined ? undefined : await fetchSignature(client, remote);
  return theirs !== readSignature(snapshotFile(data, version));
}
