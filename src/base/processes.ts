import { fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { setImmediate } from "node:timers/promises";

/** Gives the event loop a turn, in which signals are heard. Rejects with the reason of `stop` when it is aborted. */
export async function yieldOrAbort(stop?: AbortSignal): Promise<void> {
  await setImmediate();
  stop?.throwIfAborted();
}

export interface ProcessLimits {
  timeoutMs: number;
  maxHeapMegabytes: number;
  /** Where SQLite puts its temporary files: where there is room for them. */
  temporaryFolder: string;
  /** Kills the process when aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program of ours in a process of its own, with bounded memory and time: it gets its task as JSON in its first argument,
 * and sends one message. Rejects with what `toError` makes of how it ended where it sent none, and with an AbortError when the
 * signal is aborted.
 */
export function runInProcess<Reply>(
  program: string,
  task: object,
  { timeoutMs, maxHeapMegabytes, temporaryFolder, signal }: ProcessLimits,
  toError: (ended: NodeJS.Signals | number | null) => Error,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [JSON.stringify(task)], {
      execArgv: [...LOADER, "--max-semi-space-size=4", `--max-old-space-size=${maxHeapMegabytes}`],
      env: { ...process.env, SQLITE_TMPDIR: temporaryFolder, NODE_COMPILE_CACHE: getCompileCacheDir() },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      ...(signal && { signal }),
    });
    // It must not outlive us.
    const end = () => child.kill("SIGKILL");
    process.once("exit", end);
    child.once("message", (reply) => resolve(reply as Reply));
    child.once("error", reject);
    // Not "exit", which may come before the last message is read.
    child.once("close", (code, killed) => {
      process.off("exit", end);
      reject(toError(killed ?? code));
    });
  });
}

/**
 * What a process or thread of our own must be started with to read TypeScript. Those do with the little that Node 24 reads by
 * itself, and sooner. But Node 22 does not know `using`: there they take what this process was started with, which is nothing in
 * a package of JavaScript.
 */
export const LOADER: readonly string[] = Number.parseInt(process.versions.node, 10) < 24 ? ownLoader() : [];

function ownLoader() {
  const index = process.execArgv.indexOf("--import");
  return index < 0 ? [] : process.execArgv.slice(index, index + 2);
}
