import { EXIT, type ExitCode, Failure, isDiskFull } from "../../src/api/failure.ts";
import { describeClosed } from "../../src/api/parts.ts";
import { freeBytes } from "../../src/base/files.ts";
import { yieldOrAbort } from "../../src/base/processes.ts";
import { diskFull, workOfBuild } from "../../src/crawl/disk-space.ts";
import { compareInProcess } from "../../src/extra/nights/changes/compare.ts";
import { historyFile } from "../../src/extra/nights/history/open.ts";
import { compressHistory } from "../../src/extra/nights/history/published.ts";
import { noteBuild } from "../../src/journal/file.ts";
import { lockHistory } from "../../src/journal/lock.ts";
import { openJournal } from "../../src/journal/open.ts";
import { type BuildOptions, type BuildResult, buildAndPublish } from "../../src/snapshot/pipeline.ts";
import type { MakeHistory } from "../../src/snapshot/published/companions.ts";
import type { Publication } from "../../src/snapshot/published/publish.ts";
import type { BuildPublishFlags } from "./options/publish.ts";
import type { Teller } from "./say.ts";

/** Ends after which a build of the same journal would come to nothing else: published, unchanged, or refused. */
const SETTLED: readonly ExitCode[] = [EXIT.done, EXIT.unchanged, EXIT.shrunk, EXIT.newlyClosed];

/**
 * Builds and publishes, or ends with 130 and nothing left behind when it is told to stop. The journal notes how that ended: a
 * crawl takes up what was not settled.
 */
export async function buildStoppable(
  journal: string,
  data: string,
  { historyFile: withHistory, ...options }: BuildOptions & Pick<BuildPublishFlags, "historyFile">,
): Promise<BuildResult> {
  const free = freeBytes(data);
  try {
    await yieldOrAbort(options.stop);
    const published = await buildAndPublish(journal, data, {
      ...options,
      compare: compareInProcess(options.stop),
      makeHistory: withHistory ? makeHistory : undefined,
    });
    noteBuild(journal, { built: exitOfBuild(published) });
    return published;
  } catch (error) {
    if (error instanceof Failure && SETTLED.includes(error.exit)) noteBuild(journal, { built: error.exit });
    if (isDiskFull(error)) {
      noteBuild(journal, { too_little: free });
      throw diskFull(data, error, readWork(journal));
    }
    if (!options.stop?.aborted) throw error;
    const message = `interrupted while building from ${journal}; nothing was published`;
    throw new Failure(EXIT.interrupted, message, "run the same command again to resume", error);
  }
}

/** The history of the folder, which nobody writes meanwhile. */
const makeHistory: MakeHistory = async (data, target) => {
  using _ = lockHistory(historyFile(data));
  return await compressHistory(data, target);
};

function readWork(file: string) {
  const journal = openJournal(file);
  try {
    return workOfBuild(journal);
  } finally {
    journal.close();
  }
}

export const exitOfBuild = ({ changed, newlyClosed, holes }: Publication): ExitCode => {
  if (!changed) return EXIT.unchanged;
  return newlyClosed.length > 0 || holes.lost > 0 ? EXIT.newlyClosed : EXIT.done;
};

/** A publication as an event of `--json`. */
const factsOf = ({ version, file, changed, latest, newlyClosed, holes, ...more }: Publication) => {
  const { corrupt, uncompared, withoutHistory, unsigned } = more;
  return {
    version,
    file,
    changed,
    latest,
    newlyClosed: describeClosed(newlyClosed),
    holes,
    corrupt,
    uncompared,
    withoutHistory,
    unsigned,
  };
};

export function tellPublication(tell: Teller, published: Publication) {
  const event = published.changed ? "published" : "unchanged";
  tell(event, factsOf(published), ...describePublication(published), `${event} ${published.file}`);
}

/**
 * A line each: the latest had been changed, what changed since the night before is not known, no history is published, what is newly
 * closed, and what is missing.
 */
const describePublication = ({ corrupt, uncompared, withoutHistory, newlyClosed, holes }: Publication): string[] => [
  ...(corrupt ? [`${corrupt.version} was not what had been published, and is replaced: ${corrupt.reason}`] : []),
  ...(uncompared ? [`what changed since the night before is not known: ${uncompared}`] : []),
  ...(withoutHistory ? [`no history is published beside it: ${withoutHistory}`] : []),
  ...describeClosed(newlyClosed).map((part) => `newly closed: ${part}`),
  ...(holes.count === 1 ? [`1 slice is missing: ${holes.first}`] : []),
  ...(holes.count > 1 ? [`${holes.count} slices are missing, the first is ${holes.first}`] : []),
  ...(holes.lost > 0 ? [`${holes.lost} of them had an answer in the latest snapshot before`] : []),
];
