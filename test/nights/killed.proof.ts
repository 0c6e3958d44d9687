import { cpSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, expect, test } from "vitest";
import { killBefore } from "../helpers/killed/at-steps.ts";
import {
  describeFolder,
  describeShown,
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
    using whole = await runWhole(release);
    // A kill leaves what the copies show: tried for each state that a reader can tell from the others. The run after it takes away what the
    // kill has left outside the folder too.
    for (const copy of whole.lastOfEach(describeShown)) {
      const step = Number(basename(copy));
      using left = temporaryFolder();
      cpSync(whole.before, left.path, { recursive: true });
      expect((await killBefore(step, release.words(left.path))).signal, `step ${step}`).toBe("SIGKILL");
      expect(describeFolder(left.path), `step ${step}`).toEqual(describeFolder(copy));
      await whole.judge(left.path);
    }
    for (const copy of whole.lastOfEach(describeFolder)) await whole.judge(copy);
    expect(whole.steps).toBeGreaterThan(4);
  },
);
