import { fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { LOADER } from "../../snapshot/loader.ts";
import type { Compare } from "../../snapshot/published/changes.ts";

/** What the process gets, as JSON in its first argument. */
export interface CompareTask {
  before: string;
  after: string;
  target: string;
}

/** A night of 133 heroes in 17 languages needs some 3 seconds of one core and 220 MB in all, one with new skill texts 12 and 450. */
const LIMITS = { timeoutMs: 5 * 60_000, maxHeapMegabytes: 256 };

const PROGRAM = join(import.meta.dirname, "process-main.ts");

/**
 * Compares in a process of its own, with bounded memory and time: nobody waits for an answer meanwhile, and nothing that a
 * night holds can end a publication. Rejects with an AbortError when the signal is aborted.
 */
export const compareInProcess =
  (signal?: AbortSignal): Compare =>
  (before, after, target) =>
    new Promise((resolve, reject) => {
      const task: CompareTask = { before, after, target };
      const child = fork(PROGRAM, [JSON.stringify(task)], {
        execArgv: [...LOADER, "--max-semi-space-size=4", `--max-old-space-size=${LIMITS.maxHeapMegabytes}`],
        env: { ...process.env, SQLITE_TMPDIR: dirname(target), NODE_COMPILE_CACHE: getCompileCacheDir() },
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        timeout: LIMITS.timeoutMs,
        killSignal: "SIGKILL",
        ...(signal && { signal }),
      });
      // It must not outlive us.
      const end = () => child.kill("SIGKILL");
      process.once("exit", end);
      let problem: string | undefined;
      child.once("message", (said) => {
        problem = String(said);
      });
      child.once("error", reject);
      child.once("close", (code, killed) => {
        process.off("exit", end);
        if (code === 0) resolve();
        else reject(new Error(problem ?? `it ended with ${killed ?? code}`));
      });
    });
