import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectServed, readIndex } from "../helpers/api-files.ts";
import { blocksOf } from "../helpers/pages.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

test("each file of a whole night has the records that a server answers, by default and in a language", async () => {
  using folder = temporaryFolder();
  const lang = "th";
  const words = ["--format", "api", "--out", folder.path, "--languages", lang, world.snapshot];
  expect(await runCommand("export", words)).toMatchObject({ code: 0, stderr: "" });
  expectServed(world.snapshot, folder.path);
  const { files, missing } = readIndex(folder.path);
  expect(missing).toEqual([]);
  const paths = files.map(({ path }) => path);
  for (const path of ["rank.json", "rank/glory.json", "rank/30.json", "rank/mythic/7.json", "1/counters/7.json"])
    expect(paths).toContain(`api/heroes/${path}`);
  for (const path of ["1.json", "miya.json", "positions.json", "rank/7.json", "1/skill-combos.json"])
    expect(paths).toContain(`${lang}/api/heroes/${path}`);
  expect(paths.filter((path) => /counters\.json|counters\/glory|trends|builds/.test(path))).toEqual([]);
  expect(paths.filter((path) => path.startsWith(lang) && /relations|counters|versions/.test(path))).toEqual([]);
});

test("the command of the page names each file that is not what was written", async () => {
  using folder = temporaryFolder();
  const words = ["--format", "api", "--out", folder.path, "--languages", "de", world.nights.files[0] ?? ""];
  expect((await runCommand("export", words)).code).toBe(0);
  const [block = ""] = blocksOf("scripts/export.md", "bash");
  const check = () => spawnSync("bash", ["-c", block], { cwd: folder.path, encoding: "utf8" });
  expect(check()).toMatchObject({ status: 0, stdout: "" });
  writeFileSync(join(folder.path, "api/heroes/1.json"), "{}");
  rmSync(join(folder.path, "de/api/heroes.json"));
  expect(check().stdout.split("\n").sort()).toEqual([
    "",
    "api/heroes/1.json: FAILED",
    "de/api/heroes.json: FAILED open or read",
  ]);
});
