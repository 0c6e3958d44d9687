import { existsSync, statSync } from "node:fs";
import { EXIT, Failure } from "../../api/failure.ts";
import { createFileMemory } from "../../base/file-memory.ts";
import { fileIdentity, hashFile } from "../../base/files.ts";
import { TAKE_ANOTHER } from "../../snapshot/read/open.ts";
import type { ExpectedFile } from "../../snapshot/verify/checks.ts";
import type { ProvedNights } from "../../snapshot/verify/signed-nights.ts";
import { isVerified } from "../../snapshot/verify/verified.ts";
import { findFault, verifyInProcess } from "../../snapshot/verify/verify-process.ts";

/** Resolves when a published file may be served; rejects with a Failure that says why it must not. */
export type VerifyFile = (file: string, expected: ExpectedFile, signal?: AbortSignal) => Promise<void>;

/**
 * Verifies files of a folder without blocking requests: each is read once, in this run or when it was published. The bytes of what is
 * `proved` are known already.
 */
export function createFileVerifier(data: string, proved?: ProvedNights): VerifyFile {
  const verdicts = createFileMemory<{ problem: Failure | undefined }>();
  return async (file, expected, signal) => {
    const verdict = await verdicts.find(
      () => `${file} ${fileIdentity(file)} ${expected.sha256}`,
      async () => ({ problem: await findProblem(data, file, expected, proved, signal) }),
    );
    const { problem } = verdict ?? { problem: refusal(file, "changes while it is read") };
    if (problem) throw problem;
  };
}

async function findProblem(
  data: string,
  file: string,
  expected: ExpectedFile,
  proved?: ProvedNights,
  signal?: AbortSignal,
) {
  const refuse = (what: string) => refusal(file, what);
  try {
    if (!existsSync(file)) return refuse("does not exist");
    if (!isVerified(data, expected)) {
      const fault = findFault(await verifyInProcess(file, "reader", expected, { signal }));
      return fault === undefined ? undefined : refuse(`does not hold what it says, ${fault}`);
    }
    if (proved?.isProved(expected.version)) return undefined;
    const { size } = statSync(file);
    if (size !== expected.size) return refuse(`has ${size} bytes, its manifest says ${expected.size}`);
    if ((await hashFile(file)) !== expected.sha256) return refuse("does not have the sha256 of its manifest");
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

const refusal = (file: string, what: string) => new Failure(EXIT.usage, `${file}: ${what}`, TAKE_ANOTHER);
