import { type LastCrawl, readLastCrawl } from "../../snapshot/published/last-crawl.ts";
import type { CollectedMetric } from "./prometheus.ts";

const GAUGES: readonly [name: string, help: string, read: (crawl: LastCrawl) => number][] = [
  [
    "timestamp_seconds",
    "Time when the last crawl in the data folder ended, in seconds since 1970.",
    ({ ended_at }) => Date.parse(ended_at) / 1000,
  ],
  [
    "duration_seconds",
    "Time that the last crawl took, with its build.",
    // The clock may have been set meanwhile.
    ({ began_at, ended_at }) => Math.max(0, Date.parse(ended_at) - Date.parse(began_at)) / 1000,
  ],
  ["exit_code", "Exit code of the last crawl.", ({ exit_code }) => exit_code],
];

/** The metrics of the crawl that ended last in a data folder; without values if none has. */
export const crawlMetrics = (data: string): CollectedMetric[] =>
  GAUGES.map(([name, help, read]) => ({
    name: `metasnap_last_crawl_${name}`,
    help,
    type: "gauge",
    read() {
      const crawl = readLastCrawl(data);
      return crawl ? [{ labels: {}, value: read(crawl) }] : [];
    },
  }));
