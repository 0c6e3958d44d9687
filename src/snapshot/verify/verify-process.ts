import { fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../../api/failure.ts";
import { ANOTHER } from "../read/open.ts";
import type { Promised } from "./checks.ts";
import type { Proof } from "./verify.ts";

export interface Task {
  file: string;
  promised?: Promised;
}

/** What the process says: the proof, or in one line why there is none. */
export type Told = { proof: Proof } | { problem: string };

export interface ProofLimits {
  milliseconds?: number;
  heapMegabytes?: number;
  /** Kills it when aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * What a proof may take: an honest file of 1 GB, the largest that is taken from anywhere, needs some 80 seconds of one core
 * and 250 MB. SQLite has a limit of its own (verify.ts).
 */
export const PROOF = { milliseconds: 15 * 60_000, heapMegabytes: 256 };

const PROGRAM = join(import.meta.dirname, "process-main.ts");

/**
 * Proves a file in a process of its own, with bounded memory and time, killed hard beyond. Rejects with a Failure in one
 * line for what is no snapshot, and for what cannot be proved within the limits.
 */
export async function proveAside(file: string, promised?: Promised, limits: ProofLimits = {}): Promise<Proof> {
  const told = await ask({ file, ...(promised && { promised: pick(promised) }) }, { ...PROOF, ...limits });
  if ("proof" in told) return told.proof;
  throw new Failure(EXIT.usage, told.problem, ANOTHER);
}

/** What the first check that failed says. Holes are no damage. */
export function findFault({ checks }: Proof): string | undefined {
  const wrong = checks.find(({ name, state }) => state === "FAILED" && name !== "coverage");
  return wrong && `${wrong.name}: ${wrong.figure}`;
}

const pick = ({ version, content_hash, sha256, size }: Promised): Promised => ({ version, content_hash, sha256, size });

function ask(task: Task, { milliseconds, heapMegabytes, signal }: ProofLimits & typeof PROOF): Promise<Told> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, [JSON.stringify(task)], {
      execArgv: ["--max-semi-space-size=4", `--max-old-space-size=${heapMegabytes}`],
      // What it makes again lies beside the file, where there is room for it.
      env: { ...process.env, SQLITE_TMPDIR: dirname(task.file), NODE_COMPILE_CACHE: getCompileCacheDir() },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      timeout: milliseconds,
      killSignal: "SIGKILL",
      ...(signal && { signal }),
    });
    // Whoever asks for a proof and ends does not wait for it.
    const end = () => child.kill("SIGKILL");
    process.once("exit", end);
    child.once("message", (told) => resolve(told as Told));
    child.once("error", reject);
    child.once("exit", (code, killed) => {
      process.off("exit", end);
      const limits = `${milliseconds / 60_000} minutes and ${heapMegabytes} MB`;
      reject(new Failure(EXIT.usage, `${task.file}: cannot be proved within ${limits} (${killed ?? code})`, ANOTHER));
    });
  });
}
