import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { crawlNights, nightsIn } from "./crawl-nights.ts";
import { fileOf } from "./data-folder.ts";
import { keepMade } from "./keep-made.ts";
import { runProcess } from "./run.ts";

/** The world: one whole crawl of the sample upstream, and three small nights of another. */
export default async function setup(project: TestProject) {
  const [folder, check] = await keepMade("world", "test/helpers/make-world.ts", async (draft) => {
    const [crawl] = await Promise.all([crawlWhole(join(draft, "data")), crawlNights(join(draft, "nights"))]);
    writeFileSync(join(draft, "crawl.json"), JSON.stringify(crawl));
  });
  const data = join(folder, "data");
  const [journal = ""] = readdirSync(join(data, "journals")).filter((name) => name.endsWith(".journal"));
  project.provide("world", {
    data,
    journal: join(data, "journals", journal),
    snapshot: fileOf(data),
    crawl: JSON.parse(readFileSync(join(folder, "crawl.json"), "utf8")),
    nights: nightsIn(join(folder, "nights")),
  });
  return check;
}

async function crawlWhole(data: string) {
  const sample = await startSample();
  const options = ["--upstream", sample.url, "--data", data, "--rate", "100000", "--concurrency", "8"];
  const { code, stderr, events } = await runProcess("crawl", options);
  await sample.close();
  if (code !== 0) throw new Error(`the crawl of the sample ended with ${code}: ${stderr}`);
  return events.find(({ event }) => event === "crawl");
}
