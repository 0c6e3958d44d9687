import { EXIT, Failure } from "../../src/api/failure.ts";
import { yieldOrAbort } from "../../src/journal/yield.ts";
import { compareInProcess } from "../../src/nights/changes/compare.ts";
import { type BuildOptions, type BuildResult, buildAndPublish } from "../../src/snapshot/pipeline.ts";

/** Builds and publishes, or ends with 130 and nothing left behind when it is told to stop. */
export async function buildStoppable(journal: string, data: string, options: BuildOptions): Promise<BuildResult> {
  try {
    await yieldOrAbort(options.stop);
    return await buildAndPublish(journal, data, { ...options, compare: compareInProcess(options.stop) });
  } catch (error) {
    if (!options.stop?.aborted) throw error;
    const message = `interrupted while building from ${journal}; nothing was published`;
    throw new Failure(EXIT.interrupted, message, "run the same command again to continue", error);
  }
}
