import { EXIT, type ExitCode, Failure } from "../../src/api/failure.ts";
import { describeGroups } from "../../src/api/refusals.ts";
import { yieldOrAbort } from "../../src/journal/yield.ts";
import { compareInProcess } from "../../src/nights/changes/compare.ts";
import { type BuildOptions, type BuildResult, buildAndPublish } from "../../src/snapshot/pipeline.ts";
import type { Publication } from "../../src/snapshot/published/publish.ts";

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

export const exitOfBuild = ({ changed, newlyRefused }: Publication): ExitCode =>
  !changed ? EXIT.unchanged : newlyRefused.length > 0 ? EXIT.newlyRefused : EXIT.done;

/** One line for each group that nobody knew as refused. */
export const describeNewlyRefused = ({ newlyRefused }: Publication): string[] =>
  describeGroups(newlyRefused).map((group) => `newly refused by the upstream: ${group}`);
