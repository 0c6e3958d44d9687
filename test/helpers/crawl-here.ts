import { defineCrawl, toCrawlOptions } from "../../scripts/cli/options/crawl.ts";
import { Failure } from "../../src/api/failure.ts";
import { crawl } from "../../src/crawl/crawl.ts";

interface Watched {
  /** Called as each slice is over. */
  onSlice?: (failed: boolean) => void;
  /** How long the lowest pace may give nothing. */
  patienceMs?: number;
  /** How long a host that nobody knows may become known. */
  namePatienceMs?: number;
}

/** A crawl without a build that can be watched while it goes on: the exit code that it fails with, and what it says. */
export async function failToCrawl(
  words: string[],
  { onSlice = () => {}, ...more }: Watched,
): Promise<[number, string]> {
  const flags = defineCrawl().parse(words, { from: "user" }).opts();
  const options = { ...toCrawlOptions(flags as never), ...more };
  const progress = { log() {}, begin() {}, advance: onSlice, end() {} };
  const ended = await crawl(options, progress, new AbortController().signal).catch((error: unknown) => error);
  if (!(ended instanceof Failure)) throw ended;
  return [ended.exit, `${ended.message}; ${ended.hint}`];
}
