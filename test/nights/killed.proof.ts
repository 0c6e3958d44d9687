import { cpSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { killBefore } from "../helpers/killed/at-steps.ts";
import { exportReleases, makeNights, nightReleases, runWhole, tablesRelease } from "../helpers/killed/releases.ts";
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
    let count = 0;
    using whole = await runWhole(release, async (folder) => {
      count = (await killBefore(undefined, release.words(folder))).steps.length;
    });
    for (let step = 0; step < count; step += 1) {
      using left = temporaryFolder();
      cpSync(whole.before, left.path, { recursive: true });
      expect((await killBefore(step, release.words(left.path))).signal, `step ${step}`).toBe("SIGKILL");
      await whole.judge(left.path, `step ${step}`);
    }
    expect(count).toBeGreaterThan(4);
  },
);
