import "./node-version.ts";
import { EXIT } from "../src/api/failure.ts";
import { isEverything } from "../src/api/selection.ts";
import { crawl, plan } from "../src/crawl/crawl.ts";
import { createProgress } from "../src/crawl/progress.ts";
import { buildAndPublish } from "../src/snapshot/night.ts";
import { run } from "./command.ts";
import { type CrawlFlags, crawlCommand, toCrawlOptions } from "./crawl-options.ts";
import { printPlan } from "./print.ts";

await run(crawlCommand, async (flags: CrawlFlags) => {
  const options = toCrawlOptions(flags);
  const progress = createProgress(flags.plan ? process.stderr : process.stdout, flags.json);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort()).once("SIGTERM", () => stop.abort());
  if (flags.plan) {
    printPlan(await plan(options, progress, stop.signal), options.rate, flags.json);
    return EXIT.done;
  }
  const journal = await crawl(options, progress, stop.signal);
  const latest = isEverything(options.selection) || flags.allowPartial;
  const published = await buildAndPublish(journal, options.data, { latest });
  progress.log(published.changed ? "published" : "unchanged", published);
  return published.changed ? EXIT.done : EXIT.unchanged;
});
