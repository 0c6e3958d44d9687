import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import type { TestProject } from "vitest/node";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { crawlNights, nightsIn } from "./crawl-nights.ts";
import { fileOf } from "./data-folder.ts";
import { importsOf } from "./imports.ts";
import { runProcess } from "./run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const CACHE = join(ROOT, "node_modules", ".cache", "world");

/** What the world is made by: another one is crawled when any of it changes. */
const MADE_BY = ["scripts/crawl.ts", "test/helpers/make-world.ts", "package-lock.json"];

/**
 * The world: one whole crawl of the sample upstream, and three small nights of another. It is made once, kept on the disk, shared
 * by all runs, and only read by the tests.
 */
export default async function setup(project: TestProject) {
  const folder = join(CACHE, hashOf(importsOf(...MADE_BY)));
  if (!existsSync(folder)) await make(folder);
  const before = describeFiles(folder);
  const [data, nights] = [join(folder, "data"), join(folder, "nights")];
  const [journal = ""] = readdirSync(join(data, "journals")).filter((name) => name.endsWith(".journal"));
  project.provide("world", {
    data,
    journal: join(data, "journals", journal),
    snapshot: fileOf(data),
    crawl: JSON.parse(readFileSync(join(folder, "crawl.json"), "utf8")),
    nights: nightsIn(nights),
  });
  return () => {
    if (describeFiles(folder) === before) return;
    rmSync(folder, { recursive: true, force: true });
    throw new Error(
      `a test has changed the world, which is only read: ${relative(ROOT, folder)} is made anew next time`,
    );
  };
}

function hashOf(files: Iterable<string>): string {
  const hash = createHash("sha256").update(process.version);
  for (const file of [...files].sort()) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex").slice(0, 16);
}

/** Makes it beside its place. A run that is killed leaves a draft behind, which the next one clears. */
async function make(folder: string) {
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, "draft-"));
  const [crawl] = await Promise.all([crawlWhole(join(draft, "data")), crawlNights(join(draft, "nights"))]);
  writeFileSync(join(draft, "crawl.json"), JSON.stringify(crawl));
  renameSync(draft, folder);
}

async function crawlWhole(data: string) {
  const sample = await startSample();
  const options = ["--upstream", sample.url, "--data", data, "--rate", "100000", "--concurrency", "8"];
  const { code, stderr, events } = await runProcess("crawl", options);
  await sample.close();
  if (code !== 0) throw new Error(`the crawl of the sample ended with ${code}: ${stderr}`);
  return events.find(({ event }) => event === "crawl");
}

const describeFiles = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => ({ name, stats: statSync(join(folder, name)) }))
    .map(({ name, stats: { size, mtimeMs } }) => `${name} ${size} ${mtimeMs}`)
    .sort()
    .join("\n");
