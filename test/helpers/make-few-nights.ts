import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { nightsIn } from "./crawl-nights.ts";
import { keepMade } from "./keep-made.ts";
import { publishDays } from "./mirror.ts";
import { RATES } from "./run.ts";

/** Three nights of three heroes and their rates, made in seconds, and the folder as each of them left it. */
export default async function setup(project: TestProject) {
  const foldersIn = (folder: string) => ["first", "second", "third"].map((name) => join(folder, name));
  const [made, check] = await keepMade("few-nights", "test/helpers/make-few-nights.ts", async (draft) => {
    let before = "";
    for (const [day, data] of foldersIn(draft).entries()) {
      if (existsSync(before)) cpSync(before, data, { recursive: true });
      await publishDays(data, [day], ...RATES, "--compress");
      before = data;
    }
  });
  const until = foldersIn(made);
  project.provide("fewNights", { ...nightsIn(until.at(-1) ?? ""), until });
  return check;
}
