import { keyNumber, parseSignature, type SigningKey, signText, type VerifyKey, verifyText } from "./minisign.ts";

/** The key of a publisher, and how long a night that it signs may be taken for the newest. */
export interface Signer {
  key: SigningKey;
  validForMs: number;
}

/** A manifest as its maker published it, byte for byte, and the signature beside it. */
export interface SignedManifest {
  manifest: string;
  signature: string;
}

/** A real one has 350 bytes. */
export const MAX_SIGNATURE_BYTES = 16 * 1024;

/** The time in a trusted comment, which has fields like minisign's own. */
const EXPIRES_AT = /(?:^|\t)expires_at:(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)(?:\t|$)/;

export function signManifest(manifest: string, version: string, { key, validForMs }: Signer): string {
  const now = Date.now();
  const comment = [
    `timestamp:${Math.floor(now / 1000)}`,
    `file:${version}.json`,
    `expires_at:${new Date(now + validForMs).toISOString().replace(/\.\d+Z$/, "Z")}`,
  ].join("\t");
  return signText(Buffer.from(manifest), key, comment);
}

/**
 * Returns the time until which a night may be taken for the newest, by its signature (ISO 8601, UTC); undefined if that has none, or is no
 * signature.
 */
export const expiryOf = (signature: string): string | undefined => readExpiry(parseSignature(signature)?.comment ?? "");

/** Tells why a manifest must not be taken for one that was signed by any of the keys; undefined if it was. */
export function findForgery(
  { manifest, signature }: { manifest: string; signature: string | undefined },
  keys: readonly VerifyKey[],
): string | undefined {
  if (signature === undefined) return "has no signature";
  if (verifyText(Buffer.from(manifest), signature, keys) !== undefined) return undefined;
  return `is not what was signed by ${keys.map(keyNumber).join(" or ")}`;
}

function readExpiry(comment: string): string | undefined {
  const [, time] = EXPIRES_AT.exec(comment) ?? [];
  return time !== undefined && !Number.isNaN(Date.parse(time)) ? time : undefined;
}
