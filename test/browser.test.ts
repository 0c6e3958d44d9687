/** Every page in a real browser: at two widths, light and dark, with and without scripts, from left and from right. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { hasScripts } from "../src/pages/assets.ts";
import { PAGES } from "../src/pages/list.ts";
import { createPages } from "../src/pages/pages.ts";
import { findBarriers, noBrowser, openBrowser, openWatched } from "./helpers/browser.ts";
import { createDraw, drawn, FULL } from "./helpers/draw.ts";
import { type RunningMirror, startFollowing } from "./helpers/mirror.ts";

if (noBrowser && process.env.CI_RUN) throw new Error(noBrowser);
if (noBrowser) process.stdout.write(`pages are not tried in a browser: ${noBrowser}\n`);

const ADDRESSES = PAGES.map(({ route }) => route.replace("{id}", "1"));

const WAYS = [320, 1400].flatMap((width) =>
  (["light", "dark"] as const).flatMap((colorScheme) =>
    ["en", "ar"].flatMap((lang) =>
      [true, false].map((javaScriptEnabled) => ({ width, colorScheme, lang, javaScriptEnabled })),
    ),
  ),
);

const CASES = ADDRESSES.flatMap((path) => WAYS.map((way) => ({ path, ...way })));
const tried = FULL ? CASES : createDraw("browser").some(CASES, 12);

describe.skipIf(noBrowser)(`in a browser (${drawn})`, () => {
  let mirror: RunningMirror;
  let browser: Browser;
  beforeAll(async () => {
    [mirror, browser] = await Promise.all([
      startFollowing(inject("data"), { pages: createPages({ pictures: true }) }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await mirror[Symbol.asyncDispose]();
  });

  test("the scripts are built", () => expect(hasScripts(), "run make install").toBe(true));

  test.for([...tried])("$path, $width px, $colorScheme, $lang, scripts $javaScriptEnabled", async (way) => {
    const { path, width, colorScheme, lang, javaScriptEnabled } = way;
    const options = { viewport: { width, height: 900 }, colorScheme, javaScriptEnabled };
    await using watched = await openWatched(browser, mirror.url, options);
    const { page, faults } = watched;
    await page.goto(`${path}?lang=${lang}`);
    expect(await page.locator("main").getAttribute("dir")).toBe(lang === "ar" ? "rtl" : "ltr");
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
    expect(overflow, "wider than the window").toBeLessThanOrEqual(0);
    if (javaScriptEnabled) expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
