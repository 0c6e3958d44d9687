import manifest from "../package.json" with { type: "json" };
import { EXIT, type ExitCode, Failure } from "../src/api/failure.ts";
import { describeClosed } from "../src/api/parts.ts";
import { FULL_SELECTION, isFullSelection, type Selection } from "../src/api/selection.ts";
import { crawl, plan } from "../src/crawl/crawl.ts";
import { refuseFullDisk } from "../src/crawl/disk-space.ts";
import { createProgress, type Progress } from "../src/crawl/progress.ts";
import type { CrawlOptions } from "../src/crawl/run.ts";
import { isPoor } from "../src/snapshot/build/quality.ts";
import type { BuildOptions, BuildResult } from "../src/snapshot/pipeline.ts";
import { listBases } from "../src/snapshot/published/current-latest.ts";
import { writeLastCrawl } from "../src/snapshot/published/last-crawl.ts";
import { type BaseId, openBase, type SnapshotBase } from "../src/snapshot/read/base.ts";
import { heldReports } from "../src/snapshot/report/held.ts";
import { asCalled } from "./bin/called.ts";
import { createMain, exitOfError, runMain } from "./cli/command.ts";
import { lockToPublish } from "./cli/folder.ts";
import { io } from "./cli/io.ts";
import { type CrawlFlags, defineCrawl, toCrawlOptions } from "./cli/options/crawl.ts";
import { toSigner } from "./cli/options/keys.ts";
import { printReports } from "./cli/print.ts";
import { printPlan } from "./cli/print-plan.ts";
import { stoppable } from "./cli/stoppable.ts";
import { buildStoppable, exitOfBuild } from "./cli/stoppable-build.ts";

export const main = createMain(
  defineCrawl,
  async (flags: CrawlFlags) => {
    // First of all: who works in the folder has its journals open.
    using lock = lockToPublish(flags.data);
    const options = toCrawlOptions(flags);
    const out = flags.plan ? io().stderr : io().stdout;
    const json = flags.json ?? !out.isTTY;
    const progress = createProgress(out, json, options.rate);
    if (flags.plan) {
      // Why there is no plan is said at the end, once.
      const told: Progress = { ...progress, log: (event, facts) => event === "fault" || progress.log(event, facts) };
      const planned = await stoppable((stop) => withBase(options, told, (whole) => plan(whole, told, stop)));
      printPlan(planned, options.rate, flags.json === true);
      return EXIT.done;
    }
    tellBegin(options, progress);
    refuseFullDisk(options.data);
    return await recordEnd(options.data, async () => {
      // A folder that was made for it goes with it if nothing lies there: then no record is left either.
      using _ = lock;
      const night = await stoppable(async (stop) => {
        const journal = await withBase(options, progress, (whole) => crawl(whole, progress, stop));
        progress.log("building", { journal });
        return await build(journal, flags, {
          latest: isFullSelection(options.selection) || flags.allowPartial,
          stop,
          onStep: (step) => step === "build" && progress.log("verifying"),
        });
      });
      report(night, progress, json);
      return night;
    });
  },
  "log",
);

/** The first line says what begins. */
function tellBegin({ upstreams, data, selection, policy, requestsPerDay, without }: CrawlOptions, { log }: Progress) {
  const parts = Object.entries(selection).filter(
    ([name, part]) => String(part) !== String(FULL_SELECTION[name as keyof Selection]),
  );
  log("begin", {
    version: manifest.version,
    upstreams,
    data,
    mode: policy,
    ...(requestsPerDay !== undefined && { budget: requestsPerDay }),
    selection: parts.length > 0 ? Object.fromEntries(parts) : "all",
    ...(without.size > 0 && { without: [...without] }),
  });
}

/** Tells the exit code of a crawl, and leaves in its folder how it ended, also if it failed. */
async function recordEnd(data: string, run: () => Promise<BuildResult>): Promise<ExitCode> {
  const began_at = new Date().toISOString();
  const record = (exit_code: ExitCode, version: string | null) =>
    writeLastCrawl(data, { began_at, ended_at: new Date().toISOString(), exit_code, version });
  try {
    const night = await run();
    const code = exitOfBuild(night);
    record(code, night.changed ? night.version : null);
    return code;
  } catch (error) {
    record(exitOfError(error), null);
    throw error;
  }
}

/** Runs with the snapshot that the crawl builds on, which is closed before anything is built. */
async function withBase<T>(
  options: CrawlOptions,
  progress: Progress,
  run: (options: CrawlOptions) => Promise<T>,
): Promise<T> {
  const { data, selection, policy } = options;
  using base = await openSoundBase(data, listBases(data, selection), progress);
  // Without anything to carry over there is nothing to leave out.
  return await run({ ...options, base, policy: policy === "reuse" && !base ? "all" : policy });
}

/** Opens the first of these snapshots that is as it was published, and tells why those before it are not; undefined if none is. */
async function openSoundBase(
  data: string,
  ids: readonly BaseId[],
  { log }: Progress,
): Promise<SnapshotBase | undefined> {
  for (const id of ids) {
    try {
      return await openBase(data, id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      log("base-unreadable", { reason: error.message });
    }
  }
  return undefined;
}

async function build(journal: string, flags: CrawlFlags, options: Pick<BuildOptions, "latest" | "stop" | "onStep">) {
  const { data, maxLoss, keep, compress, analystsFile, historyFile } = flags;
  const signer = toSigner(flags);
  const publication = { maxLoss, keep, compress, analystsFile, historyFile, signer };
  return await buildStoppable(journal, data, { ...options, ...publication });
}

function report(night: BuildResult, { log }: Progress, json: boolean) {
  const {
    coverage,
    ages,
    rolling,
    quality,
    stale,
    drift,
    misfits,
    closed,
    withheld,
    endpoints,
    crawl: answered,
    ...more
  } = night;
  const published = { ...more, newlyClosed: describeClosed(more.newlyClosed) };
  if (!json) {
    printReports(...heldReports({ ...night, holes: [] }, rolling));
  } else {
    log("coverage", { coverage });
    log("ages", { rolling, ages });
    log("quality", { poor: quality.filter(isPoor) });
    log("stale", { stale });
    log("drift", { drift });
    log("misfit", { misfits });
    log("closed-parts", { closed, endpoints });
    log("crawl", { ...answered, peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024) });
  }
  if (!published.latest) log("subset", { serve: asCalled(`npm run serve -- --snapshot ${published.file}`) });
  log(published.changed ? "published" : "unchanged", published);
}

if (import.meta.main) await runMain(main);
