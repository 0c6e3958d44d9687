import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { crawlNights, type Nights } from "./nights.ts";
import { readUrl, runProcess, startCommand } from "./run.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Base URL of the sample upstream, in a process of its own. */
    upstream: string;
    /** Data folder with one whole snapshot of it: all heroes, all languages. */
    data: string;
    /** The journal that snapshot was built from. */
    journal: string;
    snapshot: string;
    /** The report that the crawl printed. */
    crawl: Record<string, unknown>;
    nights: Nights;
  }
}

/** One sample upstream, one whole crawl of it and three small nights of another, made once and only read by the tests. */
export default async function setup(project: TestProject) {
  const sample = startCommand("sample", ["--port", "0"]);
  const upstream = await readUrl(sample);
  const data = mkdtempSync(join(tmpdir(), "metasnap-world-"));
  const options = ["--upstream", upstream, "--data", data, "--rate", "100000", "--concurrency", "8"];
  const [{ code, stderr, events }, nights] = await Promise.all([runProcess("crawl", options), crawlNights()]);
  if (code !== 0) {
    sample.child.kill();
    throw new Error(`the crawl of the sample ended with ${code}: ${stderr}`);
  }
  const [journal = ""] = readdirSync(join(data, "journals")).filter((name) => name.endsWith(".journal"));
  project.provide("upstream", upstream);
  project.provide("data", data);
  project.provide("journal", join(data, "journals", journal));
  project.provide("snapshot", String(events.find(({ event }) => event === "published")?.file));
  project.provide("crawl", events.find(({ event }) => event === "crawl") ?? {});
  project.provide("nights", nights);
  return () => {
    sample.child.kill();
    for (const folder of [data, nights.data]) rmSync(folder, { recursive: true, force: true });
  };
}
