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
  /** The folder of SQLite's temporary files, on a disk that has room for them. */
  temporaryFolder: string;
  /** Kills the process when aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program of ours in a process of its own, with bounded memory and time: it gets its task as JSON in its first argument, and sends
 * one message. Rejects with `toError` of how it ended if it sent none, and with an AbortError when the signal is aborted.
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
    // "close", as "exit" may come before the last message is read.
    child.once("close", (code, killed) => {
      process.off("exit", end);
      reject(toError(killed ?? code));
    });
  });
}

/**
 * Node options with which a process or thread of our own reads TypeScript. On Node 24 there are none: its built-in support suffices, and
 * starts sooner. But Node 22 does not know `using`: there they are the options of this process, which has none in a package of JavaScript.
 */
export const LOADER: readonly string[] = Number.parseInt(process.versions.node, 10) < 24 ? ownLoader() : [];

function ownLoader() {
  const index = process.execArgv.indexOf("--import");
  return index < 0 ? [] : process.execArgv.slice(index, index + 2);
}
