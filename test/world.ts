import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";
import { EVERYTHING } from "../src/api/selection.ts";
import { crawl } from "../src/crawl/crawl.ts";
import { buildAndPublish } from "../src/snapshot/night.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Base URL of the sample upstream, in a process of its own. */
    upstream: string;
    /** Data folder with one whole snapshot of it: all heroes, all languages. */
    data: string;
    /** The journal that snapshot was built from. */
    journal: string;
    snapshot: string;
  }
}

/** One sample upstream and one whole crawl of it, made once and only read by the tests. */
export default async function setup(project: TestProject) {
  const sample = spawn(process.execPath, ["--import", "tsx", "scripts/sample.ts", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const upstream = await readUrl(sample.stdout);
  const data = mkdtempSync(join(tmpdir(), "metasnap-world-"));
  const quiet = { log: () => {}, begin: () => {}, advance: () => {}, end: () => {} };
  const options = {
    upstreams: [upstream],
    data,
    selection: EVERYTHING,
    concurrency: 8,
    rate: 100_000,
    timeout: 30,
    attempts: 3,
    fresh: false,
    startedAt: new Date(),
  };
  const journal = await crawl(options, quiet, new AbortController().signal);
  const { file } = await buildAndPublish(journal, data, { latest: true });
  project.provide("upstream", upstream);
  project.provide("data", data);
  project.provide("journal", journal);
  project.provide("snapshot", file);
  return () => {
    sample.kill();
    rmSync(data, { recursive: true, force: true });
  };
}

async function readUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const url = / on (\S+),/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error("the sample upstream did not start");
}
