import { afterAll, expect, test } from "vitest";
import {
  describeShown,
  exportReleases,
  makeNights,
  nightReleases,
  runWhole,
  tablesRelease,
} from "../helpers/killed/releases.ts";

const nights = await makeNights();
afterAll(() => nights[Symbol.asyncDispose]());

/** One for each way in which a folder changes; `killed.proof.ts` has the others. */
const RELEASES = [
  ...nightReleases(nights).filter(({ name }) => name !== "pull --history"),
  tablesRelease(nights, "csv", true),
  ...exportReleases(nights).filter(({ name }) => name === "export of files" || name === "export by month"),
];

test.for(RELEASES)(
  "after each step of $name lies what was or what is, and the next run goes on from it",
  async (release) => {
    using whole = await runWhole(release);
    const lefts = whole.lastOfEach(describeShown);
    for (const left of lefts) await whole.judge(left);
    expect(lefts.length).toBeGreaterThan(1);
  },
);
