import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPages } from "../../src/extra/pages/pages.ts";
import { openBrowser, openWatched } from "../helpers/browser.ts";
import { startWithPages } from "../helpers/mirror.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const HOSTILE = `</script><script>document.title='owned'</script><!--&\u2028"\\ ]]>`;

test("the first page as a data set passes the policy of the page in a browser, and runs nothing", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "hostile.sqlite");
  copyFileSync(world.nights.files[2] ?? "", file);
  editFile(file, `UPDATE snapshot SET attribution = '${HOSTILE.replaceAll("'", "''")}'`);
  await using hostile = await startWithPages(file, createPages({ pictures: false }));
  const browser = await openBrowser();
  try {
    await using watched = await openWatched(browser, hostile.url);
    const { page, faults } = watched;
    await page.goto("/");
    const [block] = await page.locator('script[type="application/ld+json"]').allTextContents();
    expect(JSON.parse(block ?? "").creditText).toBe(HOSTILE);
    expect(await page.title()).toContain("Win rates, matchups and builds");
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
  }
});
