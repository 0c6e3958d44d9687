import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { medianOf } from "../../src/extra/nights/diff/statistics/noise.ts";
import { commandLine } from "../cli/command-line.cjs";
import type { Budget } from "./budget.ts";
import { startProgram } from "./process.ts";

const CONCURRENCY = 4;

interface CrawlFigures {
  /** Requests a second of the crawl, as a part of those of a bare undici loop. */
  throughput: number;
  /** Megabytes, at the end of crawl, build and publication. */
  memory: number;
}

let measured: Promise<CrawlFigures> | undefined;
// One run gives both figures.
const measure = (rounds: number) => {
  measured ??= benchCrawl(rounds);
  return measured;
};

export const CRAWL_BUDGETS: readonly Budget[] = [
  {
    name: "crawl of an instant upstream",
    how: "asking only, against a bare undici loop",
    cost: "Checks, hashes, transactions.",
    bound: "≥",
    limit: 0.2,
    unit: "",
    measure: async ({ rounds }) => ({ value: (await measure(rounds)).throughput }),
  },
  {
    name: "peak memory of crawl, build and publication",
    how: "largest resident size",
    bound: "≤",
    limit: 300,
    unit: " MB",
    measure: async ({ rounds }) => ({ value: (await measure(rounds)).memory }),
  },
];

/** Crawls an upstream that answers at once, in turns with a loop that asks the same and keeps nothing. */
async function benchCrawl(rounds: number): Promise<CrawlFigures> {
  const data = mkdtempSync(join(tmpdir(), "metasnap-bench-"));
  const sample = await startProgram([...commandLine("sample"), "--port", "0"], / on (\S+),/);
  const instant = fork(join(import.meta.dirname, "instant.ts"), [sample.found]);
  try {
    const [upstream] = (await once(instant, "message")) as [string];
    // The first one fills the upstream, and is not measured.
    await crawl(upstream, data);
    const paths = await pathsOf(instant);
    const ratios: number[] = [];
    const memory: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const bare = await loop(upstream, paths);
      const crawled = await crawl(upstream, data);
      ratios.push(bare / crawled.milliseconds);
      memory.push(crawled.memory);
    }
    return { throughput: medianOf(ratios), memory: Math.max(...memory) };
  } finally {
    instant.disconnect();
    sample.stop();
    rmSync(data, { recursive: true });
  }
}

async function pathsOf(instant: ChildProcess): Promise<string[]> {
  const answer = once(instant, "message");
  instant.send("paths");
  const [paths] = (await answer) as [string[]];
  return paths;
}

async function loop(upstream: string, paths: string[]): Promise<number> {
  const child = fork(join(import.meta.dirname, "loop.ts"));
  child.send({ upstream, paths, concurrency: CONCURRENCY });
  const [milliseconds] = (await once(child, "message")) as [number];
  await once(child, "exit");
  return milliseconds;
}

/** The time is that of the asking, from the first request to the last; what follows is measured by itself. */
async function crawl(upstream: string, data: string) {
  const options = ["--upstream", upstream, "--data", data, "--fresh", "--json"];
  const pace = ["--rate", "100000", "--concurrency", String(CONCURRENCY)];
  const program = await startProgram([...commandLine("crawl"), ...options, ...pace], /^({.*"event":"crawl",.*)$/);
  await program.ended;
  const report = JSON.parse(program.found) as { started_at: string; finished_at: string; peak_memory_mb: number };
  const milliseconds = Date.parse(report.finished_at) - Date.parse(report.started_at);
  return { milliseconds, memory: report.peak_memory_mb };
}
