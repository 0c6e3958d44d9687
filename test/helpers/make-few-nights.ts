import { cpSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { nightsIn } from "./crawl-nights.ts";
import { keepMade } from "./keep-made.ts";
import { publishDays } from "./mirror.ts";
import { RATES } from "./run.ts";

/** Three nights of three heroes and their rates, made in seconds, and copies of the folder as each of them left it. */
export default async function setup(project: TestProject) {
  const copies = (folder: string) => ["first", "second", "third"].map((name) => join(folder, name));
  const [folder, check] = await keepMade("few-nights", "test/helpers/make-few-nights.ts", async (draft) => {
    for (const [day, copy] of copies(draft).entries()) {
      await publishDays(join(draft, "nights"), [day], ...RATES, "--compress");
      cpSync(join(draft, "nights"), copy, { recursive: true });
    }
  });
  project.provide("fewNights", { ...nightsIn(join(folder, "nights")), until: copies(folder) });
  return check;
}
