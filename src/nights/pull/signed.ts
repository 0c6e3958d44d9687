import { snapshotFile } from "../../snapshot/published/folder.ts";
import { parseManifest } from "../../snapshot/published/manifest.ts";
import { toPointer } from "../../snapshot/published/pointer.ts";
import type { Sequenced } from "../../snapshot/published/sequence.ts";
import { readSigned, replaceSignature } from "../../snapshot/published/signature.ts";
import type { VerifyKey } from "../../snapshot/signature/minisign.ts";
import { expiryOf, findForgery } from "../../snapshot/signature/signed-manifest.ts";
import { Refused } from "./errors.ts";
import type { Remote, RemoteDocuments } from "./remote.ts";

/**
 * The version that a source points to, as the holder of one of the keys has published it: nothing of `latest.json` but its name is
 * taken. Throws `Refused` where nobody of them signed it, or where the time has passed for which that shall be believed.
 */
export function proveRemote(
  remote: Remote,
  { manifest, text, signature }: RemoteDocuments,
  keys: readonly VerifyKey[],
): Remote {
  const { version, expires_at } = remote.pointer;
  const forgery = findForgery({ manifest: text, signature }, keys);
  if (forgery !== undefined) throw new Refused(`the manifest of ${version} ${forgery}`);
  if (manifest.latest === false) throw new Refused(`${version} is no night, as its signed manifest says`);
  for (const [what, time] of [
    ["its signature", signature && expiryOf(signature)],
    ["latest.json", expires_at],
  ])
    if (time !== undefined && Date.parse(time) < Date.now())
      throw new Refused(
        `${version} was to be believed until ${time}, says ${what}: the source stands still, or is held back`,
      );
  return { ...remote, pointer: { ...toPointer(manifest), ...(expires_at && { expires_at }) } };
}

/** Where the version in hand stands in the order that the holders of the keys have signed; its name alone where they have not. */
export function signedSequence(data: string, version: string, keys: readonly VerifyKey[]): Sequenced {
  const signed = readSigned(snapshotFile(data, version));
  if (!signed || findForgery(signed, keys) !== undefined) return { version };
  return parseManifest(signed.manifest, version);
}

/** Takes the newer signature of a night that is in hand as it was signed: there still is nothing newer. */
export function renewInHand(data: string, version: string, { text, signature }: RemoteDocuments) {
  const ours = readSigned(snapshotFile(data, version));
  if (signature === undefined || ours?.manifest !== text) return;
  const until = (one: string | undefined) => Date.parse(expiryOf(one ?? "") ?? "") || 0;
  if (until(signature) > until(ours.signature)) replaceSignature(data, version, signature);
}
