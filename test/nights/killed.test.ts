import { afterAll, expect, test } from "vitest";
import { copyAtSteps } from "../helpers/killed/at-steps.ts";
import {
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

/** One for each way in which a folder changes; `killed.proof.ts` has the others. */
const RELEASES = [
  ...nightReleases(nights),
  tablesRelease(nights, "csv", true),
  ...exportReleases(nights).filter(({ name }) => name === "export of files" || name === "export by month"),
];

test.for(RELEASES)(
  "after each step of $name lies what was or what is, and the next run goes on from it",
  async (release) => {
    using copies = temporaryFolder();
    const lefts: string[] = [];
    using whole = await runWhole(release, async (folder) => {
      lefts.push(...(await copyAtSteps(release.words(folder), { from: folder, to: copies.path })));
    });
    // Of those that look alike to a reader, the one with the most drafts.
    const looks = Map.groupBy(lefts, (left) => JSON.stringify(describeShown(left)));
    for (const alike of looks.values()) await whole.judge(alike.at(-1) ?? "");
    expect(whole.count()).toBeGreaterThan(1);
  },
);
