import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DAY_WINDOWS, RANK_CODES } from "../../src/api/enumerations.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { findBarriers, openBrowser, openWatched } from "../helpers/browser.ts";
import { publishDaysOf, startFollowing } from "../helpers/mirror.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const WAYS = [
  ["/changes", 1400],
  [`/changes?night=${world.nights.versions[1]}&lang=ar`, 320],
] as const;

test("the page of what changed keeps nobody out, in a browser", async () => {
  await using shown = await startFollowing(world.nights.data, { pages: createPages({ pictures: false }) });
  await using browser = await openBrowser();
  for (const [path, width] of WAYS) {
    await using watched = await openWatched(browser, shown.url, { viewport: { width, height: 900 } });
    const { page, faults } = watched;
    await page.goto(path);
    // The answer is on the first screen.
    expect((await page.locator("main tbody tr").first().boundingBox())?.y, path).toBeLessThan(700);
    await page.locator("main details:not(.choosing) > summary").first().click();
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
    expect(overflow, path).toBeLessThanOrEqual(0);
    expect(await findBarriers(page), path).toEqual([]);
    expect(faults, path).toEqual([]);
  }
});

test("the changes of an ordinary night have at most 300 kB, even if every build is a new one", async () => {
  using folder = temporaryFolder();
  const all = ["--ranks", RANK_CODES.join(), "--days", DAY_WINDOWS.join(), "--languages", "en"];
  const endpoints = "heroes,hero,rank,positions,academy-counters,builds,equipment,emblems,spells,trends";
  const [, second] = await publishDaysOf(133, folder.path, [0, 1], ...all, "--endpoints", endpoints);
  const { size } = statSync(join(folder.path, "snapshots", `${second}.changes.json`));
  expect(size).toBeGreaterThan(200_000);
  expect(size).toBeLessThan(300_000);
});
