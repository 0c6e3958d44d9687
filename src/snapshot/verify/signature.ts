import { readSigned } from "../published/signature.ts";
import type { VerifyKey } from "../signature/minisign.ts";
import { expiryOf, findForgery } from "../signature/signed-manifest.ts";
import type { Check } from "./checks.ts";

/** Checks that the manifest beside a file was signed with one of the keys; the file itself is compared with the manifest. */
export function checkSignature(file: string, keys: readonly VerifyKey[]): Check {
  const signed = readSigned(file);
  if (!signed) return { name: "signature", state: "FAILED", figure: "no manifest beside the file" };
  const forgery = findForgery(signed, keys);
  if (forgery !== undefined) return { name: "signature", state: "FAILED", figure: `the manifest ${forgery}` };
  const expiry = signed.signature && expiryOf(signed.signature);
  return { name: "signature", state: "ok", figure: expiry ? `the newest until ${expiry}` : "by one of the keys" };
}
