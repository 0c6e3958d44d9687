import { EXIT } from "../src/api/failure.ts";
import { isEverything } from "../src/api/selection.ts";
import { crawl, plan } from "../src/crawl/crawl.ts";
import { createProgress, type Progress } from "../src/crawl/progress.ts";
import { lockFolder } from "../src/journal/lock.ts";
import { buildAndPublish, type Night } from "../src/snapshot/night.ts";
import { isPoor } from "../src/snapshot/quality.ts";
import { run } from "./command.ts";
import { type CrawlFlags, crawlCommand, toCrawlOptions } from "./crawl-options.ts";
import { printCoverage, printDrift, printMisfits, printPlan, printQuality, printStale } from "./print.ts";

await run(crawlCommand, async (flags: CrawlFlags) => {
  const options = toCrawlOptions(flags);
  const out = flags.plan ? process.stderr : process.stdout;
  const json = flags.json ?? !out.isTTY;
  const progress = createProgress(out, json);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort()).once("SIGTERM", () => stop.abort());
  if (flags.plan) {
    printPlan(await plan(options, progress, stop.signal), options.rate, flags.json === true);
    return EXIT.done;
  }
  lockFolder(options.data);
  const journal = await crawl(options, progress, stop.signal);
  const latest = isEverything(options.selection) || flags.allowPartial;
  const { allowPartial, maxLoss, keep, compress } = flags;
  const night = await buildAndPublish(journal, options.data, { latest, allowPartial, maxLoss, keep, compress });
  report(night, progress, json);
  return night.changed ? EXIT.done : EXIT.unchanged;
});

function report(night: Night, { log }: Progress, json: boolean) {
  const { coverage, quality, stale, drift, misfits, crawl: answered, ...published } = night;
  if (!json) {
    printCoverage(coverage);
    printQuality(quality);
    printStale(stale);
    printDrift(drift);
    printMisfits(misfits);
  } else {
    log("coverage", { coverage });
    log("quality", { poor: quality.filter(isPoor) });
    log("stale", { stale });
    log("drift", { drift });
    log("misfit", { misfits });
    log("crawl", { ...answered, peak_memory_mb: Math.round(process.resourceUsage().maxRSS / 1024) });
  }
  log(published.changed ? "published" : "unchanged", published);
}
