import { existsSync } from "node:fs";
import { manifestOf, readDocument } from "../published/folder.ts";
import { readSignature } from "../published/signature.ts";
import type { VerifyKey } from "../signature/minisign.ts";
import { expiryOf, findForgery } from "../signature/signed-manifest.ts";
import type { Check } from "./checks.ts";

/** Whether the manifest beside a file was signed with one of the keys; the file itself is held against the manifest. */
export function checkSignature(file: string, keys: readonly VerifyKey[]): Check {
  const beside = manifestOf(file);
  if (!existsSync(beside)) return { name: "signature", state: "FAILED", figure: "no manifest beside the file" };
  const signature = readSignature(file);
  const forgery = findForgery({ manifest: readDocument(beside), signature }, keys);
  if (forgery !== undefined) return { name: "signature", state: "FAILED", figure: `the manifest ${forgery}` };
  const expiry = signature && expiryOf(signature);
  return { name: "signature", state: "ok", figure: expiry ? `the newest until ${expiry}` : "by one of the keys" };
}
