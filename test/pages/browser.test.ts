/** Every page in a real browser: at two widths, light and dark, with and without scripts, from left and from right. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { hasScripts } from "../../src/pages/assets.ts";
import { PAGES } from "../../src/pages/list.ts";
import { createPages } from "../../src/pages/pages.ts";
import { findBarriers, noBrowser, openBrowser, openWatched, type Stop, watchFocus } from "../helpers/browser.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { type RunningMirror, startFollowing } from "../helpers/mirror.ts";

if (noBrowser) process.stdout.write(`pages are not tried in a browser: ${noBrowser}\n`);

const ADDRESSES = [
  ...PAGES.map(({ route }) => route.replace("{id}", "1")),
  "/docs?endpoint=timeline",
  "/compare?heroes=1,2,18,30",
  "/trends?heroes=1,2,18,30",
];

const WAYS = [320, 1400].flatMap((width) =>
  (["light", "dark"] as const).flatMap((colorScheme) =>
    ["en", "ar"].flatMap((lang) =>
      [true, false].map((javaScriptEnabled) => ({ width, colorScheme, lang, javaScriptEnabled })),
    ),
  ),
);

const CASES = ADDRESSES.flatMap((path) => WAYS.map((way) => ({ path, ...way })));
const draw = createDraw("browser");
const tried = draw.some(CASES, 4);

/** What a page may load of scripts, as it comes over the wire. */
const MOST_SCRIPT_BYTES = 60_000;

/** The official build of SQLite brings its WebAssembly and the script around it. */
const isOfConsole = (address: string) => /\/sql-worker\.|\.wasm$/.test(address);

describe.skipIf(noBrowser)(`in a browser (${drawn})`, () => {
  drawTests(5);

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
    await page.goto(`${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
    expect(await page.locator("main").getAttribute("dir")).toBe(lang === "ar" ? "rtl" : "ltr");
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
    expect(overflow, "wider than the window").toBeLessThanOrEqual(0);
    if (javaScriptEnabled) expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("form and table agree after a choice, after Back and after a reload, at a short address", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, faults } = watched;
    const state = async () => {
      const chosen = await page.locator("#rank").inputValue();
      const caption = await page.locator("main caption").first().textContent();
      return [new URL(page.url()).search, chosen, caption?.split(", ")[1]];
    };
    await page.goto("/tiers");
    await page.locator("#rank").selectOption("mythic");
    await page.waitForURL("**/tiers?rank=mythic");
    expect(await state()).toEqual(["?rank=mythic", "mythic", "Mythic"]);
    await page.goBack();
    await expect.poll(state).toEqual(["", "all", "All ranks"]);
    await page.goForward();
    await page.reload();
    expect(await state()).toEqual(["?rank=mythic", "mythic", "Mythic"]);
    await page.goto("/draft?enemies=1&days=30");
    await page.getByText("Choose by name").click();
    await page.getByLabel("Choose an enemy").selectOption("18");
    await page.waitForURL("**/draft?enemies=1,18&days=30#heroes");
    expect(faults).toEqual([]);
  });

  const ANSWERS = "main tbody tr, main .figures, main svg.chart, main canvas, main textarea";
  const FOR_PLAYERS = ["/", "/tiers", "/heroes/1", "/trends", "/matchups", "/draft?enemies=1", "/compare?heroes=1,2"];

  test.for(draw.some(FOR_PLAYERS, 2))("%s has its answer on the first screen of a phone", async (path) => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 360, height: 740 } });
    const { page } = watched;
    await page.goto(path, { waitUntil: "networkidle" });
    const box = await page.locator(ANSWERS).filter({ visible: true }).first().boundingBox();
    expect(box?.y).toBeLessThan(700);
  });

  test.for(draw.some(ADDRESSES, 1))("%s is light, reads at twice the size of text, and does not move", async (path) => {
    const options = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" } as const;
    await using watched = await openWatched(browser, mirror.url, options);
    const { page } = watched;
    const loading: Promise<number>[] = [];
    page.on("requestfinished", (request) => {
      if (request.resourceType() === "script" && !isOfConsole(request.url()))
        loading.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto(path, { waitUntil: "networkidle" });
    const sizes = await Promise.all(loading);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(MOST_SCRIPT_BYTES);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      const wider = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
      expect(wider, `at ${width} px`).toBeLessThanOrEqual(0);
    }
    expect(await page.evaluate<number>("document.getAnimations().length")).toBe(0);
  });

  test.for(draw.some(ADDRESSES, 1))("%s is gone through by Tab, each stop seen", async (path) => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 800, height: 900 } });
    const { page } = watched;
    await page.goto(path, { waitUntil: "networkidle" });
    const expected = await watchFocus(page);
    for (const _ of expected) await page.keyboard.press("Tab");
    const stops = await page.evaluate<Stop[]>("stops");
    expect(stops.map(({ what }) => what)).toEqual(expected);
    expect(stops[0]?.what).toContain("Skip to the content");
    expect(stops.filter(({ seen }) => !seen)).toEqual([]);
  });

  test.for([true, false])("a form is filled in by keyboard, scripts %s", async (javaScriptEnabled) => {
    await using watched = await openWatched(browser, mirror.url, { javaScriptEnabled });
    const { page } = watched;
    await page.goto("/tiers");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(page.url()).toContain("#main");
    await page.keyboard.press("Tab");
    expect(await page.locator("#rank").evaluate((field) => field.matches(":focus"))).toBe(true);
    for (const _ of ["epic", "legend"]) await page.keyboard.press("ArrowDown");
    expect(new URL(page.url()).search).toBe("");
    await page.locator("form.choices button").focus();
    await Promise.all([page.waitForURL(/rank=legend/), page.keyboard.press("Enter")]);
    expect(await page.locator("#rank").inputValue()).toBe("legend");
  });

  test("a choice by mouse is shown at once", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page } = watched;
    await page.goto("/tiers");
    await Promise.all([page.waitForURL(/days=30/), page.locator("#days").selectOption("30")]);
  });

  test("the form of an endpoint shows what the API answers", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, faults } = watched;
    await page.goto("/docs?endpoint=relations");
    await page.getByLabel("hero_identifier").fill("layla");
    await page.getByLabel("lang", { exact: true }).selectOption("ja");
    await page.getByLabel("hero_identifier").press("Enter");
    await page.getByRole("status").filter({ hasText: "200 OK" }).waitFor();
    const shown = await page.getByLabel("Body").textContent();
    const answer = await fetch(`${mirror.url}/api/heroes/layla/relations?lang=ja&size=1`);
    expect(JSON.parse(shown ?? "")).toEqual(await answer.json());
    expect(await page.getByLabel("Headers").textContent()).toContain("x-data-at: ");
    expect(await page.getByLabel("curl").textContent()).toContain(`${mirror.url}/api/heroes/1/relations`);
    await page.getByLabel("hero_identifier").fill("<nobody>");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("status").filter({ hasText: "404 Not Found" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(faults.filter((fault) => !fault.includes("404"))).toEqual([]);
  });
});
