import type { Lang, Rank } from "../../src/api/enumerations.ts";
import { FULL_SELECTION } from "../../src/api/selection.ts";
import { crawl } from "../../src/crawl/crawl.ts";
import type { Progress } from "../../src/crawl/progress.ts";
import { findLastPublished } from "../../src/snapshot/published/journals.ts";

interface SmallCrawl {
  upstream: string;
  data: string;
  languages: Lang[];
  /** Datasets; all where left out. */
  endpoints?: string[];
  ranks?: Rank[];
  startedAt: Date;
}

const SILENT: Progress = { log() {}, begin() {}, advance() {}, end() {} };

/**
 * A crawl of two windows, and of one rank unless others are named, without a base: what fails is a hole. It is asked for once more, since
 * a connection that broke because the machine was busy must not make one. Returns the journal.
 */
export const crawlSmall = ({
  upstream,
  languages,
  endpoints = FULL_SELECTION.endpoints,
  ranks = ["all"],
  ...options
}: SmallCrawl) =>
  crawl(
    {
      ...options,
      upstreams: [upstream],
      selection: { ...FULL_SELECTION, languages, endpoints, ranks, days: ["1", "7"] },
      concurrency: 8,
      rate: 5000,
      timeoutMs: 15_000,
      attempts: 2,
      closingPauseMs: 0,
      maxMissing: 100,
      fresh: true,
      lastPublished: findLastPublished(options.data),
    },
    SILENT,
    new AbortController().signal,
  );
