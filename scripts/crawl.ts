import { EXIT } from "../src/api/failure.ts";
import { describeGroups } from "../src/api/refusals.ts";
import { isFullSelection } from "../src/api/selection.ts";
import { crawl, plan } from "../src/crawl/crawl.ts";
import { refuseFullDisk } from "../src/crawl/disk-space.ts";
import { createProgress, type Progress } from "../src/crawl/progress.ts";
import type { CrawlOptions } from "../src/crawl/run.ts";
import { lockFolder } from "../src/journal/lock.ts";
import { isPoor } from "../src/snapshot/build/quality.ts";
import type { BuildOptions, BuildResult } from "../src/snapshot/pipeline.ts";
import { findBase } from "../src/snapshot/published/current-latest.ts";
import { snapshotFile } from "../src/snapshot/published/folder.ts";
import { openBase, type SnapshotBase } from "../src/snapshot/read/base.ts";
import { readInHand } from "../src/snapshot/read/standing.ts";
import { asCalled } from "./bin/called.ts";
import { createMain, runMain } from "./cli/command.ts";
import { io } from "./cli/io.ts";
import { type CrawlFlags, defineCrawl, toCrawlOptions, toRefreshOptions } from "./cli/options/crawl.ts";
import { toSigner } from "./cli/options/keys.ts";
import { printAges, printCoverage, printDrift, printMisfits, printQuality, printStale } from "./cli/print.ts";
import { printPlan } from "./cli/print-plan.ts";
import { stoppable } from "./cli/stoppable.ts";
import { buildStoppable, exitOfBuild } from "./cli/stoppable-build.ts";

export const main = createMain(defineCrawl, async (flags: CrawlFlags) => {
  const options = toCrawlOptions(flags);
  const out = flags.plan ? io().stderr : io().stdout;
  const json = flags.json ?? !out.isTTY;
  const progress = createProgress(out, json, options.rate);
  if (flags.plan) {
    const planned = await stoppable((stop) => withBase(flags, options, (whole) => plan(whole, progress, stop)));
    printPlan(planned, options.rate, flags.json === true);
    return EXIT.done;
  }
  refuseFullDisk(options.data);
  using _ = lockFolder(options.data);
  const night = await stoppable(async (stop) => {
    const journal = await withBase(flags, options, (whole) => crawl(whole, progress, stop));
    progress.log("building", { journal });
    return await build(journal, flags, {
      latest: isFullSelection(options.selection) || flags.allowPartial,
      stop,
      onStep: (step) => step === "build" && progress.log("verifying"),
    });
  });
  report(night, progress, json);
  return exitOfBuild(night);
});

/** Runs with the snapshot in hand, which is opened where something is carried over from it, and closed before anything is built. */
async function withBase<T>(
  flags: CrawlFlags,
  options: CrawlOptions,
  run: (options: CrawlOptions) => Promise<T>,
): Promise<T> {
  const id = findBase(options.data, options.selection);
  const { data } = options;
  let opened: SnapshotBase | undefined;
  const open = async () => {
    opened ??= id && (await openBase(data, id));
    return opened;
  };
  try {
    const refresh = await toRefreshOptions(flags, open);
    const inHand = id && readInHand(snapshotFile(data, id.version));
    return await run({ ...options, refresh, inHand, openBase: open });
  } finally {
    opened?.[Symbol.dispose]();
  }
}

async function build(journal: string, flags: CrawlFlags, options: Pick<BuildOptions, "latest" | "stop" | "onStep">) {
  const { data, allowPartial, maxLoss, keep, compress } = flags;
  const signer = toSigner(flags);
  return await buildStoppable(journal, data, { ...options, allowPartial, maxLoss, keep, compress, signer });
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
    refusals,
    endpoints,
    crawl: answered,
    ...more
  } = night;
  const published = { ...more, newlyRefused: describeGroups(more.newlyRefused) };
  if (!json) {
    printCoverage(coverage);
    if (rolling) printAges(ages);
    printQuality(quality);
    printStale(stale);
    printDrift(drift);
    printMisfits(misfits);
  } else {
    log("coverage", { coverage });
    log("ages", { rolling, ages });
    log("quality", { poor: quality.filter(isPoor) });
    log("stale", { stale });
    log("drift", { drift });
    log("misfit", { misfits });
    log("refusals", { refusals, endpoints });
    log("crawl", { ...answered, peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024) });
  }
  if (!published.latest) log("subset", { serve: asCalled(`npm run serve -- --snapshot ${published.file}`) });
  log(published.changed ? "published" : "unchanged", published);
}

if (import.meta.main) await runMain(main);
