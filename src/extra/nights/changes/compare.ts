import { dirname } from "node:path";
import { runInProcess } from "../../../base/processes.ts";
import { programFile } from "../../../base/project.ts";
import type { Compare } from "../../../snapshot/published/changes.ts";

/** The reply of the process: empty, or in one line why it could not compare. */
export interface CompareReply {
  problem?: string;
}

/** A night of 133 heroes in 17 languages needs some 3 seconds of one core and 220 MB in all, one with new skill texts 12 and 450. */
const LIMITS = { timeoutMs: 5 * 60_000, maxHeapMegabytes: 256 };

const PROGRAM = programFile("src/extra/nights/changes/compare-main.ts");

/**
 * Compares in a process of its own: nobody waits for an answer meanwhile, and nothing that a night holds can end a publication.
 * Rejects with an AbortError when the signal is aborted.
 */
export const compareInProcess =
  (signal?: AbortSignal): Compare =>
  async (task) => {
    const limits = { ...LIMITS, temporaryFolder: dirname(task.target), signal };
    const toError = (ended: unknown) => new Error(`it ended with ${ended}`);
    const { problem } = await runInProcess<CompareReply>(PROGRAM, task, limits, toError);
    if (problem !== undefined) throw new Error(problem);
  };
