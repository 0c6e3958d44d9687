import { cpSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, expect, test } from "vitest";
import { copyAtSteps, killBefore } from "../helpers/killed/at-steps.ts";
import {
  describeFolder,
  exportReleases,
  makeNights,
  nightReleases,
  runWhole,
  tablesRelease,
} from "../helpers/killed/releases.ts";
import { temporaryFolder } from "../helpers/run.ts";

const nights = await makeNights();
afterAll(() => nights[Symbol.asyncDispose]());

const RELEASES = [
  ...nightReleases(nights, "--compress", "--analysts-file", "--keep", "1"),
  tablesRelease(nights, "parquet", true),
  tablesRelease(nights, "parquet", false),
  ...exportReleases(nights),
];

test.for(RELEASES)(
  "$name, killed before any of its steps, leaves what was or what is, and the next run makes it what is",
  async (release) => {
    using copies = temporaryFolder();
    const lefts: string[] = [];
    using whole = await runWhole(release, async (folder) => {
      lefts.push(...(await copyAtSteps(release.words(folder), { from: folder, to: copies.path })));
    });
    // A kill that leaves the same files as the one before it shows nothing new.
    const looks = Map.groupBy(lefts, (left) => JSON.stringify(describeFolder(left)));
    for (const [look, alike] of looks) {
      const step = Number(basename(alike.at(-1) ?? ""));
      using left = temporaryFolder();
      cpSync(whole.before, left.path, { recursive: true });
      expect((await killBefore(step, release.words(left.path))).signal, `step ${step}`).toBe("SIGKILL");
      expect(JSON.stringify(describeFolder(left.path)), `step ${step}`).toBe(look);
      await whole.judge(left.path, `step ${step}`);
    }
    process.stdout.write(`${release.name}: ${lefts.length} steps, ${looks.size} looks\n`);
    expect(looks.size).toBeGreaterThan(1);
  },
);
