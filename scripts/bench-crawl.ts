import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

const CONCURRENCY = 4;
const ROUNDS = 3;

export interface CrawlFigures {
  /** Requests a second of the crawl, as a part of those of a bare undici loop. */
  throughput: number;
  /** Megabytes, at the end of crawl, build and publication. */
  peakMemory: number;
}

/** Crawls an upstream that answers at once, in turns with a loop that asks the same and keeps nothing. */
export async function benchCrawl(sample: string, data: string): Promise<CrawlFigures> {
  const instant = fork(join(import.meta.dirname, "bench-instant.ts"), [sample]);
  try {
    const [upstream] = (await once(instant, "message")) as [string];
    // The first one fills the upstream, and is not measured.
    await crawl(upstream, data);
    const paths = await pathsOf(instant);
    const rounds: { throughput: number; peakMemory: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bare = await loop(upstream, paths);
      const { milliseconds, peakMemory } = await crawl(upstream, data);
      rounds.push({ throughput: bare / milliseconds, peakMemory });
    }
    return {
      throughput: median(rounds.map(({ throughput }) => throughput)),
      peakMemory: Math.max(...rounds.map(({ peakMemory }) => peakMemory)),
    };
  } finally {
    instant.disconnect();
  }
}

async function pathsOf(instant: ChildProcess): Promise<string[]> {
  const answer = once(instant, "message");
  instant.send("paths");
  const [paths] = (await answer) as [string[]];
  return paths;
}

async function loop(upstream: string, paths: string[]): Promise<number> {
  const child = fork(join(import.meta.dirname, "bench-bare.ts"));
  child.send({ upstream, paths, concurrency: CONCURRENCY });
  const [milliseconds] = (await once(child, "message")) as [number];
  await once(child, "exit");
  return milliseconds;
}

/** The time is that of the asking, from the first request to the last; what follows is measured by itself. */
async function crawl(upstream: string, data: string) {
  const [, ...words] = manifest.scripts.crawl.split(" ");
  const options = ["--upstream", upstream, "--data", data, "--fresh", "--json"];
  const pace = ["--rate", "100000", "--concurrency", String(CONCURRENCY)];
  const child = spawn(process.execPath, [...words, ...options, ...pace], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = (await child.stdout.toArray()).join("").split("\n");
  const line = lines.find((text) => text.startsWith('{"event":"crawl"'));
  if (line === undefined) throw new Error("the crawl of the instant upstream did not end well");
  const report = JSON.parse(line) as { started_at: string; finished_at: string; peak_memory_mb: number };
  const milliseconds = Date.parse(report.finished_at) - Date.parse(report.started_at);
  return { milliseconds, peakMemory: report.peak_memory_mb };
}

const median = (figures: number[]) => figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
