import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { parseSignature } from "../signature/minisign.ts";
import {
  expiryOf,
  MAX_SIGNATURE_BYTES,
  type SignedManifest,
  type Signer,
  signManifest,
} from "../signature/signed-manifest.ts";
import { manifestOf, readDocument, signatureOf, snapshotFile } from "./folder.ts";
import { fsyncPath, replaceFile, toDocument } from "./fsync.ts";
import { manifestSchema } from "./manifest.ts";
import { type Pointer, readPointer, toPointer, writePointer } from "./pointer.ts";

/** What lies beside a file: its manifest, and that one's signature where there is one. Undefined where there is no manifest. */
export function readSigned(file: string): { manifest: string; signature: string | undefined } | undefined {
  try {
    return { manifest: readDocument(manifestOf(file)), signature: readSignature(file) };
  } catch {
    return undefined;
  }
}

/** The signature beside a published file; undefined where there is none. */
export function readSignature(file: string): string | undefined {
  try {
    const text = readDocument(signatureOf(file), MAX_SIGNATURE_BYTES);
    return parseSignature(text) && text;
  } catch {
    return undefined;
  }
}

/** A pointer says until when a signed night shall be believed to be the newest. */
export function withExpiry(pointer: Pointer, signature: string | undefined): Pointer {
  const { expires_at: _, ...rest } = pointer;
  const expires_at = signature === undefined ? undefined : expiryOf(signature);
  return { ...rest, ...(expires_at !== undefined && { expires_at }) };
}

/** Signs a published manifest once more: nothing is newer, which holds again for so long. */
export function signAgain(data: string, version: string, signer: Signer) {
  const manifest = readDocument(manifestOf(snapshotFile(data, version)));
  replaceSignature(data, version, signManifest(manifest, version, signer));
}

/** Puts another signature beside a published manifest, or none, and its expiry into the pointer that names it. */
export function replaceSignature(data: string, version: string, signature: string | undefined) {
  const file = signatureOf(snapshotFile(data, version));
  if (signature === undefined) rmSync(file, { force: true });
  else replaceFile(file, signature);
  fsyncPath(dirname(file));
  const pointer = readPointer(data);
  if (pointer?.version === version) writePointer(data, withExpiry(pointer, signature));
}

/**
 * What another mirror's maker signed, where it is also true here: the same place in the order, as the latest, with the bytes that
 * a manifest of ours would have. Where it is not, the manifest is one of this mirror, which nobody has signed.
 */
export function keepSigned(
  signed: SignedManifest | undefined,
  pointer: Pointer,
  follows: string | null,
): SignedManifest | undefined {
  if (signed === undefined) return undefined;
  const json = JSON.parse(signed.manifest) as object;
  const { data: said } = manifestSchema.safeParse(json);
  if (!said || said.withdrawn || said.latest !== true || said.follows !== follows) return undefined;
  const isSame = toDocument(toPointer(said)) === toDocument(toPointer(pointer));
  return isSame && toDocument(json) === signed.manifest ? signed : undefined;
}
