import { existsSync, statSync } from "node:fs";
import { EXIT, Failure } from "../../api/failure.ts";
import { hashFile } from "../../snapshot/published/fsync.ts";
import { ANOTHER } from "../../snapshot/read/open.ts";
import type { Promised } from "../../snapshot/verify/checks.ts";
import { isProved } from "../../snapshot/verify/verified.ts";
import { findFault, proveAside } from "../../snapshot/verify/verify-process.ts";

/** Resolves when a published file may be served; rejects with the reason why it must not. Aborting ends it. */
export type Check = (file: string, promised: Promised, signal?: AbortSignal) => Promise<void>;

/** Checks the files of a folder without holding up requests: each is proved once, in this run or when it was published. */
export function createCheck(data: string): Check {
  /** What became of files; as long as they lie there unchanged, they need not be read again. */
  const known = new Map<string, Failure | undefined>();

  return async (file, promised, signal) => {
    const key = `${file} ${identify(file)} ${promised.sha256}`;
    if (!known.has(key)) known.set(key, await findProblem(data, file, promised, signal));
    const problem = known.get(key);
    if (problem) throw problem;
  };
}

async function findProblem(data: string, file: string, promised: Promised, signal?: AbortSignal) {
  const refuse = (what: string) => new Failure(EXIT.usage, `${file}: ${what}`, ANOTHER);
  try {
    if (!existsSync(file)) return refuse("does not exist");
    if (!isProved(data, promised)) {
      const fault = findFault(await proveAside(file, promised, { signal }));
      return fault === undefined ? undefined : refuse(`does not hold what it says, ${fault}`);
    }
    const { size } = statSync(file);
    if (size !== promised.size) return refuse(`has ${size} bytes, its manifest says ${promised.size}`);
    if ((await hashFile(file)) !== promised.sha256) return refuse("does not have the sha256 of its manifest");
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Tells one file under a name from the next. */
export function identify(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.ino}:${found.size}:${found.mtimeNs}` : "none";
}
