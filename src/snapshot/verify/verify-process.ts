import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { EXIT, Failure, isDiskFull } from "../../api/failure.ts";
import { runInProcess } from "../../base/processes.ts";
import { programFile } from "../../base/project.ts";
import { manifestOf, readDocument } from "../published/folder.ts";
import { pointerSchema } from "../published/pointer.ts";
import { TAKE_ANOTHER } from "../read/open.ts";
import type { ExpectedFile } from "./checks.ts";
import type { Verification, VerifiedBy } from "./verify.ts";

/** The input of the process. */
export interface VerifyTask {
  file: string;
  by: VerifiedBy;
  expected?: ExpectedFile | string | undefined;
}

/** The reply of the process: the verification, or the problem that prevents it, in one line, and a hint that says what to do. */
export type WorkerReply = { verification: Verification } | ({ problem: string; hint: string } & SystemError);

/** The facts of an error of SQLite or of the system, besides its message. */
type SystemError = Partial<Pick<NodeJS.ErrnoException, "code" | "syscall" | "path">>;

export interface VerifyLimits {
  timeoutMs?: number;
  maxHeapMegabytes?: number;
  /** Kills the process when aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * An honest file of 1 GB, the largest that is taken from anywhere, needs some 80 seconds of one core and 250 MB. SQLite has a
 * limit of its own (verify.ts).
 */
const DEFAULT_LIMITS = { timeoutMs: 15 * 60_000, maxHeapMegabytes: 256 };

const PROGRAM = programFile("src/snapshot/verify/verify-main.ts");

/**
 * Verifies a file in a process of its own, with bounded memory and time. `expected` is what the manifest beside the file
 * says, unless given. Rejects with a Failure for usage where the file is no snapshot or is not done within the limits, with an
 * error of the system where the disk is full or the file may not be read, which says nothing about the file, and with an AbortError
 * when the signal is aborted.
 */
export async function verifyInProcess(
  file: string,
  by: VerifiedBy,
  expected: ExpectedFile | string | undefined = readExpected(file),
  limits: VerifyLimits = {},
): Promise<Verification> {
  const task = { file, by, expected: typeof expected === "object" ? pick(expected) : expected };
  const { timeoutMs, maxHeapMegabytes, signal } = { ...DEFAULT_LIMITS, ...limits };
  const toError = (ended: unknown) => {
    const within = `${timeoutMs / 60_000} minutes and ${maxHeapMegabytes} MB`;
    return new Failure(EXIT.usage, `${file}: cannot be proved within ${within} (${ended})`, TAKE_ANOTHER);
  };
  // The tables that are made again lie beside the file.
  const bounds = { timeoutMs, maxHeapMegabytes, temporaryFolder: dirname(file), signal };
  const reply = await runInProcess<WorkerReply>(PROGRAM, task, bounds, toError);
  if ("verification" in reply) return reply.verification;
  // A full disk, or a file that may not be read, says nothing of what is in the file.
  if (isDiskFull(reply)) throw Object.assign(new Error(`${bounds.temporaryFolder}: ${reply.problem}`), reply);
  if (reply.syscall) throw Object.assign(new Error(reply.problem), reply);
  throw new Failure(EXIT.usage, reply.problem, reply.hint);
}

/** Returns the name and figure of the first failed check. */
export function findFault({ checks }: Verification): string | undefined {
  const failed = checks.find(({ state }) => state === "FAILED");
  return failed && `${failed.name}: ${failed.figure}`;
}

const pick = ({ version, content_hash, sha256, size }: ExpectedFile): ExpectedFile => ({
  version,
  content_hash,
  sha256,
  size,
});

/** Reads the manifest beside a file; returns a reason if it cannot be read, undefined if the file has none. */
export function readExpected(file: string): ExpectedFile | string | undefined {
  const beside = manifestOf(file);
  if (!existsSync(beside)) return undefined;
  try {
    return pointerSchema.parse(JSON.parse(readDocument(beside)));
  } catch {
    return "the file beside it is not a manifest";
  }
}
