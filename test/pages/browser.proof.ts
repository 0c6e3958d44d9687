/** Every page in a browser: at two widths, light and dark, with and without scripts, from left and from right. */
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { hasScripts } from "../../src/extra/pages/assets.ts";
import { PAGES } from "../../src/extra/pages/list.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { findBarriers, openBrowser, openSettled, openWatched } from "../helpers/browser.ts";
import { sentencesApart, wordsIn } from "../helpers/messages.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { world } from "../helpers/world.ts";

/** Where the focus has been. */
interface Stop {
  what: string;
  /** It has an outline, and lies in the window. */
  seen: boolean;
}

const WATCH_FOCUS = `(() => {
  const nameOf = (one) =>
    [one.tagName, one.id, (one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 60)].join(" ");
  globalThis.stops = [];
  document.addEventListener("focusin", ({ target }) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(target);
    const { top, bottom, left, right } = target.getBoundingClientRect();
    const isInside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    stops.push({ what: nameOf(target), seen: outlineStyle !== "none" && outlineWidth !== "0px" && isInside });
  });
  const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
  const isReached = (one) => one.tabIndex >= 0 && !one.matches(":disabled, [type=hidden]") && one.checkVisibility();
  return [...all].filter(isReached).map(nameOf);
})()`;

/** From now on each stop is kept as one of `stops`; tells all that there should be, in the order of the document. */
const watchFocus = (page: Page): Promise<string[]> => page.evaluate<string[]>(WATCH_FOCUS);

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
const browser = await openBrowser();
afterAll(async () => {
  await browser.close();
  await mirror[Symbol.asyncDispose]();
});

const firstStateOf = (route: string) => route.replace("{id}", "1");

const ADDRESSES = [
  ...PAGES.map(({ route }) => firstStateOf(route)),
  "/docs?endpoint=timeline",
  "/heroes?q=an&role=tank",
  "/compare?heroes=1,2,18,30",
  "/trends?heroes=1,2,18,30",
];

const isEnglish = (path: string) => PAGES.some(({ route, english }) => english && path.startsWith(route));

const withLang = (path: string, lang: string) => `${path}${path.includes("?") ? "&" : "?"}lang=${lang}`;

/** One half of all ways, in which any three of the four meet in every way. */
const WAYS = [320, 1400]
  .flatMap((width) =>
    (["light", "dark"] as const).flatMap((colorScheme) =>
      ["en", "ar"].flatMap((lang) =>
        [true, false].map((javaScriptEnabled) => ({ width, colorScheme, lang, javaScriptEnabled })),
      ),
    ),
  )
  .filter((_, index) => [...index.toString(2)].filter((bit) => bit === "1").length % 2 === 0);

/** What is translated, in more states than the first. */
const SPOKEN = [
  ...PAGES.filter(({ english }) => !english).map(({ route }) => firstStateOf(route)),
  "/heroes?q=zzz",
  "/draft?enemies=1,2,3&allies=4,5&bans=6",
  "/compare?heroes=1,2,18,30",
];

const CATALOGUES = LANG_CODES.filter((lang) => lang !== "en" && wordsIn(lang).language === lang);

/** Elements that reach out of the window, without those inside a box that scrolls. */
const FIND_OVERFLOW = `[...document.querySelectorAll("body *")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  const scrolls = (box) => box && (/auto|scroll|hidden/.test(getComputedStyle(box).overflowX) || scrolls(box.parentElement));
  return width > 1 && one.checkVisibility() && (right > innerWidth + 1 || left < -1) && !scrolls(one.parentElement) && !one.matches(".skip, .unseen");
}).slice(0, 3).map((one) => one.outerHTML.slice(0, 120))`;

/** Returns the left edges of the columns of the first table, in pixels. */
const PLACES = `[...document.querySelector(".wide thead tr").children].map((head) => head.getBoundingClientRect().left)`;

/** Returns the same edges as they are while only the first row has come. */
const PLACES_WITH_FIRST_ROW = `(() => {
  const body = document.querySelector(".wide tbody");
  const rest = [...body.children].slice(1);
  for (const row of rest) row.remove();
  const places = ${PLACES};
  body.append(...rest);
  return places;
})()`;

/** What a page may load of scripts, as it comes over the wire. */
const MOST_SCRIPT_BYTES = 60_000;

/** The sum of all shifts, which is no less than the score of the worst second (https://web.dev/articles/cls). */
const MOST_SHIFT = 0.05;
const WATCH_SHIFTS = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
}).observe({ type: "layout-shift", buffered: true });`;

const SLOW_NETWORK = { offline: false, latency: 200, downloadThroughput: 100_000, uploadThroughput: 100_000 };

/** The official build of SQLite brings its WebAssembly and the script around it. */
const isOfConsole = (address: string) => /\/sql-worker\.|\.wasm$/.test(address);

describe("in a browser", () => {
  test("the scripts are built", () => expect(hasScripts(), "run make install").toBe(true));

  test.for(WAYS)(
    "every page fits and has no barriers, $width px, $colorScheme, $lang, scripts $javaScriptEnabled",
    async ({ width, colorScheme, lang, javaScriptEnabled }) => {
      const options = { viewport: { width, height: 900 }, colorScheme, javaScriptEnabled };
      await using watched = await openWatched(browser, mirror.url, options);
      const { page, faults } = watched;
      for (const path of ADDRESSES) {
        await page.goto(withLang(path, lang));
        const direction = await page.locator("html").getAttribute("dir");
        expect(direction, path).toBe(lang === "ar" && !isEnglish(path) ? "rtl" : "ltr");
        const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
        expect(overflow, `${path} is wider than the window`).toBeLessThanOrEqual(0);
        if (javaScriptEnabled) expect(await findBarriers(page), path).toEqual([]);
        expect(faults, path).toEqual([]);
      }
    },
  );

  test.for(SPOKEN)("%s says all in each language, and no line overflows", async (path) => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 360, height: 740 } });
    const { page, faults } = watched;
    for (const lang of CATALOGUES) {
      await page.goto(withLang(path, lang));
      expect(await page.locator("html").getAttribute("lang")).toBe(lang);
      expect(await page.evaluate<string[]>(FIND_OVERFLOW), lang).toEqual([]);
      const text = (await page.locator("body").textContent()) ?? "";
      expect(
        sentencesApart(lang).filter((sentence) => text.includes(sentence)),
        lang,
      ).toEqual([]);
      expect(faults, lang).toEqual([]);
    }
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
    await page.goto("/draft?enemies=1,18&days=30&side=bans");
    await page.locator("#lane").selectOption("mid");
    await page.waitForURL("**/draft?enemies=1,18&side=bans&days=30&lane=mid");
    expect(faults).toEqual([]);
  });

  const ANSWERS = "main tbody tr, main .portraits, main .figures, main svg.chart, main canvas, main textarea, main dd";
  const WITH_ANSWERS = [
    "/",
    "/tiers",
    "/heroes",
    "/heroes/1",
    "/trends",
    "/matchups",
    "/draft?enemies=1",
    "/compare?heroes=1,2",
    "/sql",
    "/data",
    "/docs",
  ];

  test.for(WITH_ANSWERS)("%s has its answer on the first screen of a phone", async (path) => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 360, height: 740 } });
    const { page } = watched;
    await openSettled(page, path);
    const box = await page.locator(ANSWERS).filter({ visible: true }).first().boundingBox();
    expect(box?.y).toBeLessThan(700);
  });

  test("a phone shows all columns of the rates, and the names of lines below a chart", async () => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 360, height: 740 } });
    const { page } = watched;
    const shown = ["en", "ar", "de", "ja", "th"].flatMap((lang) => ["/", "/tiers"].map((path) => withLang(path, lang)));
    for (const path of shown) {
      await page.goto(path);
      const [needed = 0, room] = await page
        .locator(".wide:has(th)")
        .first()
        .evaluate((region) => [region.scrollWidth, region.clientWidth]);
      expect(needed, path).toBeLessThanOrEqual(room ?? 0);
      expect(await page.evaluate(PLACES_WITH_FIRST_ROW), path).toEqual(await page.evaluate(PLACES));
    }
    const names = page.locator(".key.narrow").first();
    await page.goto("/heroes/1");
    expect(await names.locator("li").allTextContents()).toEqual(["1 day", "3 days", "7 days", "15 days", "30 days"]);
    expect(await names.isVisible()).toBe(true);
    await page.setViewportSize({ width: 800, height: 740 });
    expect(await names.isVisible()).toBe(false);
  });

  test("no page moves while it loads slowly, and none has many scripts", async () => {
    const slow = async (path: string, width: number) => {
      await using watched = await openWatched(browser, mirror.url, { viewport: { width, height: 740 } });
      const { page } = watched;
      const session = await page.context().newCDPSession(page);
      await session.send("Network.emulateNetworkConditions", SLOW_NETWORK);
      await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
      await page.addInitScript(WATCH_SHIFTS);
      const loading: Promise<number>[] = [];
      page.on("requestfinished", (request) => {
        if (request.resourceType() === "script" && !isOfConsole(request.url()))
          loading.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      await openSettled(page, path);
      const sizes = await Promise.all(loading);
      const shift = await page.evaluate<number>("shift");
      return { scripts: sizes.length, bytes: sizes.reduce((a, b) => a + b, 0), shift };
    };
    const faults: string[] = [];
    for (const { route } of PAGES) {
      for (const width of [360, 1400]) {
        const { scripts, bytes, shift } = await slow(route.replace("{id}", "1"), width);
        if (scripts === 0 || bytes > MOST_SCRIPT_BYTES) faults.push(`${route}: ${bytes} bytes of ${scripts} scripts`);
        if (shift > MOST_SHIFT) faults.push(`${route} at ${width} px moves by ${shift.toFixed(3)}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test.for(ADDRESSES)("%s reads at twice the size of text, and has no animations", async (path) => {
    const options = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" } as const;
    await using watched = await openWatched(browser, mirror.url, options);
    const { page } = watched;
    await openSettled(page, path);
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      const wider = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
      expect(wider, `at ${width} px`).toBeLessThanOrEqual(0);
    }
    expect(await page.evaluate<number>("document.getAnimations().length")).toBe(0);
  });

  test.for(ADDRESSES)("%s is gone through by Tab, each stop seen", async (path) => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 800, height: 900 } });
    const { page } = watched;
    await openSettled(page, path);
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
    await Promise.all([page.waitForURL("**/tiers#main"), page.keyboard.press("Enter")]);
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

  test("a hero is found by the names that a field offers, or with a button alone", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, asked, faults } = watched;
    await page.goto("/tiers?lang=ja&rank=mythic");
    expect(await page.locator("datalist").count()).toBe(0);
    const field = page.getByLabel(wordsIn("ja").frame.search.find);
    await field.focus();
    await expect.poll(() => page.locator("datalist option").count()).toBeGreaterThan(200);
    expect(asked.filter((path) => path === "/heroes")).toHaveLength(1);
    const offered = await page.evaluate<string[]>(
      `[...document.getElementById("hero-names").options].map(({ value }) => value)`,
    );
    for (const name of ["ミヤ", "Miya"]) expect(offered.filter((one) => one === name)).toHaveLength(1);
    await field.pressSequentially("Sun");
    expect(new URL(page.url()).pathname).toBe("/tiers");
    // As a browser tells that a name of the list was chosen.
    await page.evaluate(
      `const [field] = document.getElementsByName("q"); field.value = "ミヤ"; field.dispatchEvent(new InputEvent("input", { inputType: "insertReplacementText" }))`,
    );
    await page.waitForURL("**/heroes/1?lang=ja&rank=mythic");
    expect(faults).toEqual([]);
    await using bare = await openWatched(browser, mirror.url, { javaScriptEnabled: false });
    await bare.page.goto("/data");
    await bare.page.getByLabel("Find a hero").fill("tigreaal");
    await bare.page.getByRole("button", { name: "Find" }).click();
    await Promise.all([bare.page.waitForURL("**/heroes/6"), bare.page.getByRole("link", { name: "Tigreal" }).click()]);
  });

  test("an error is a page without barriers", async () => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 320, height: 740 } });
    const { page } = watched;
    for (const path of ["/heroes/miyaa?lang=ar", "/nothing"]) {
      expect((await page.goto(path))?.status()).toBe(404);
      expect(await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth")).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
    }
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
