import { EXIT, Failure } from "../../api/failure.ts";
import { toDocument } from "../../base/files.ts";
import { release } from "../../base/release.ts";
import { parseSignature } from "../signature/minisign.ts";
import {
  expiryOf,
  MAX_SIGNATURE_BYTES,
  type SignedManifest,
  type Signer,
  signManifest,
} from "../signature/signed-manifest.ts";
import { manifestOf, readDocument, signatureOf, snapshotFile } from "./folder.ts";
import { type Manifest, manifestSchema } from "./manifest.ts";
import { type Pointer, readPointer, toPointer, writePointer } from "./pointer.ts";

/** Reads the manifest beside a file, and its signature if there is one. Undefined if there is no manifest. */
export function readSigned(file: string): { manifest: string; signature: string | undefined } | undefined {
  try {
    return { manifest: readDocument(manifestOf(file)), signature: readSignature(file) };
  } catch {
    return undefined;
  }
}

/** Reads the signature beside a published file; undefined if there is none. */
export function readSignature(file: string): string | undefined {
  try {
    const text = readDocument(signatureOf(file), MAX_SIGNATURE_BYTES);
    return parseSignature(text) && text;
  } catch {
    return undefined;
  }
}

/** Adds to the pointer the time until which a signed night may be taken for the newest. */
export function withExpiry(pointer: Pointer, signature: string | undefined): Pointer {
  const { expires_at: _, ...rest } = pointer;
  const expires_at = signature === undefined ? undefined : expiryOf(signature);
  return { ...rest, ...(expires_at !== undefined && { expires_at }) };
}

/** Signs a published manifest once more, which states for another while that nothing is newer. */
export function signAgain(data: string, version: string, signer: Signer) {
  const manifest = readDocument(manifestOf(snapshotFile(data, version)));
  replaceSignature(data, version, signManifest(manifest, version, signer));
}

/** Puts another signature beside a published manifest, or none, and its expiry into the pointer that names it. */
export function replaceSignature(data: string, version: string, signature: string | undefined) {
  const file = signatureOf(snapshotFile(data, version));
  release([[signature === undefined ? { file, gone: true } : { file, text: signature }]]);
  const pointer = readPointer(data);
  if (pointer?.version === version) writePointer(data, withExpiry(pointer, signature));
}

/** A night at another mirror. */
export interface Origin extends Pick<Manifest, "sequence" | "follows"> {
  older: boolean;
  signed?: SignedManifest | undefined;
  /** True if one of the keys has signed it: then no other manifest is published. */
  isSigned?: boolean;
}

/**
 * Keeps the statement that another mirror's maker signed, if it is also true here: the same place in the order, as the latest, with the
 * bytes that a manifest of ours would have. If it is not, the manifest is one of this mirror, without a signature; throws a Failure for
 * usage if it has to be signed by one of the keys.
 */
export function keepSigned(
  origin: Origin | undefined,
  pointer: Pointer,
  follows: string | null,
): SignedManifest | undefined {
  const { signed, isSigned } = origin ?? {};
  const kept = signed && isTrueHere(signed, pointer, follows) ? signed : undefined;
  if (kept || !isSigned) return kept;
  const message = `${pointer.version}: its signed manifest says what is not true of it; nothing was published`;
  throw new Failure(EXIT.usage, message, "its maker has to publish it again");
}

function isTrueHere(signed: SignedManifest, pointer: Pointer, follows: string | null): boolean {
  const json = JSON.parse(signed.manifest) as object;
  const { data: said } = manifestSchema.safeParse(json);
  if (said?.latest !== true || said.follows !== follows) return false;
  return toDocument(toPointer(said)) === toDocument(toPointer(pointer)) && toDocument(json) === signed.manifest;
}
