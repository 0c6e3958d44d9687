import { statSync } from "node:fs";
import { hashFile } from "../../../src/base/files.ts";
import { type VerifiedBy, verifyFile } from "../../../src/snapshot/verify/verify.ts";
import { findFault } from "../../../src/snapshot/verify/verify-process.ts";

/** Returns the reason why a file is refused; its manifest says this, with its size and hash as they are now. */
export async function findProblem(
  file: string,
  by: VerifiedBy,
  { version, content_hash }: { version: string; content_hash: string },
): Promise<string | undefined> {
  const expected = { version, content_hash, sha256: await hashFile(file), size: statSync(file).size };
  return verifyFile(file, by, expected).then(findFault, (error: Error) => error.message);
}
