import { expect, test } from "vitest";
import { createPages } from "../../src/pages/pages.ts";
import { findBarriers, openBrowser, openWatched } from "../helpers/browser.ts";
import { startFollowing } from "../helpers/mirror.ts";
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
