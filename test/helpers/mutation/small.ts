import { FULL_SELECTION } from "../../../src/api/selection.ts";
import { crawl } from "../../../src/crawl/crawl.ts";
import { temporaryFolder } from "../run.ts";
import { startUpstream } from "../upstream/upstream.ts";

/** A small crawl: all endpoints, few heroes, two languages. */
export async function crawlSmall() {
  const folder = temporaryFolder();
  await using sample = await startUpstream(4);
  const progress = { log() {}, begin() {}, advance() {}, end() {} };
  const selection = { ...FULL_SELECTION, languages: ["en" as const, "ja" as const] };
  const pace = { concurrency: 8, rate: 100_000, timeoutMs: 20_000, attempts: 3, fresh: true };
  const place = { upstreams: [sample.url], data: folder.path, lastPublished: 0, startedAt: new Date(0) };
  const journal = await crawl({ ...place, ...pace, selection }, progress, new AbortController().signal);
  return { journal, remove: () => folder[Symbol.dispose]() };
}
