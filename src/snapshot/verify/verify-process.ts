import { fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";
import { LOADER } from "../loader.ts";
import { TAKE_ANOTHER } from "../read/open.ts";
import type { ExpectedFile } from "./checks.ts";
import { readExpected } from "./expected.ts";
import type { Verification } from "./verify.ts";

/** What the process gets, as JSON in its first argument. */
export interface VerifyTask {
  file: string;
  expected?: ExpectedFile | string | undefined;
}

/** What it sends: the verification, or in one line why there is none. */
export type WorkerReply = { verification: Verification } | { problem: string };

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
export const DEFAULT_LIMITS = { timeoutMs: 15 * 60_000, maxHeapMegabytes: 256 };

const PROGRAM = join(import.meta.dirname, "process-main.ts");

/**
 * Verifies a file in a process of its own, with bounded memory and time. `expected` is what the manifest beside the file
 * says, unless given. Rejects with a Failure for usage where the file is no snapshot or is not done within the limits, and
 * with an AbortError when the signal is aborted.
 */
export async function verifyInProcess(
  file: string,
  expected: ExpectedFile | string | undefined = readExpected(file),
  limits: VerifyLimits = {},
): Promise<Verification> {
  const task = { file, expected: typeof expected === "object" ? pick(expected) : expected };
  const reply = await runProcess(task, { ...DEFAULT_LIMITS, ...limits });
  if ("verification" in reply) return reply.verification;
  throw new Failure(EXIT.usage, reply.problem, TAKE_ANOTHER);
}

/** What the first failed check says. Missing slices are no fault. */
export function findFault({ checks }: Verification): string | undefined {
  const failed = checks.find(({ name, state }) => state === "FAILED" && name !== "coverage");
  return failed && `${failed.name}: ${failed.figure}`;
}

const pick = ({ version, content_hash, sha256, size }: ExpectedFile): ExpectedFile => ({
  version,
  content_hash,
  sha256,
  size,
});

type SetLimits = Required<Pick<VerifyLimits, "timeoutMs" | "maxHeapMegabytes">> & Pick<VerifyLimits, "signal">;

function runProcess(task: VerifyTask, { timeoutMs, maxHeapMegabytes, signal }: SetLimits): Promise<WorkerReply> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, [JSON.stringify(task)], {
      execArgv: [...LOADER, "--max-semi-space-size=4", `--max-old-space-size=${maxHeapMegabytes}`],
      // SQLite puts the rebuilt tables beside the file, where there is room for them.
      env: { ...process.env, SQLITE_TMPDIR: dirname(task.file), NODE_COMPILE_CACHE: getCompileCacheDir() },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      ...(signal && { signal }),
    });
    // It must not outlive us.
    const end = () => child.kill("SIGKILL");
    process.once("exit", end);
    child.once("message", (reply) => resolve(reply as WorkerReply));
    child.once("error", reject);
    // Not "exit", which may come before the last message is read.
    child.once("close", (code, killed) => {
      process.off("exit", end);
      const within = `${timeoutMs / 60_000} minutes and ${maxHeapMegabytes} MB`;
      reject(
        new Failure(EXIT.usage, `${task.file}: cannot be proved within ${within} (${killed ?? code})`, TAKE_ANOTHER),
      );
    });
  });
}
