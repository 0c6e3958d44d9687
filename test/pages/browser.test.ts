/** Every page in a real browser: at two widths, light and dark, with and without scripts, from left and from right. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { hasScripts } from "../../src/pages/assets.ts";
import { fitText, widthOfText } from "../../src/pages/charts/text-width.ts";
import { PAGES } from "../../src/pages/list.ts";
import { createPages } from "../../src/pages/pages.ts";
import { findBarriers, noBrowser, openBrowser, openWatched, type Stop, watchFocus } from "../helpers/browser.ts";
import { FIND_OVERLAPS, toPlainWords } from "../helpers/charts.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { wordsIn } from "../helpers/messages.ts";
import { type RunningMirror, startFollowing } from "../helpers/mirror.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

if (noBrowser) process.stdout.write(`pages are not tried in a browser: ${noBrowser}\n`);

const ADDRESSES = [
  ...PAGES.map(({ route }) => route.replace("{id}", "1")),
  "/docs?endpoint=timeline",
  "/heroes?q=an&role=tank",
  "/compare?heroes=1,2,18,30",
  "/trends?heroes=1,2,18,30",
];

const draw = createDraw("browser");

const ALL_WAYS = [320, 1400].flatMap((width) =>
  (["light", "dark"] as const).flatMap((colorScheme) =>
    ["en", "ar"].flatMap((lang) =>
      [true, false].map((javaScriptEnabled) => ({ width, colorScheme, lang, javaScriptEnabled })),
    ),
  ),
);

/** Of each page one half, by the seed: in either half any three of the four meet in every way. */
const waysOf = (half: number) =>
  ALL_WAYS.filter((_, index) => [...index.toString(2)].filter((bit) => bit === "1").length % 2 === half);

/** Each page that is translated, in each language besides English that has a catalogue. */
const SPOKEN = [
  ...PAGES.filter(({ english }) => !english).map(({ route }) => route.replace("{id}", "1")),
  "/heroes?q=zzz",
  "/draft?enemies=1,2,3&allies=4,5&bans=6",
  "/compare?heroes=1,2,18,30",
].flatMap((path) =>
  LANG_CODES.filter((lang) => lang !== "en" && wordsIn(lang).frame.language === lang).map((lang) => ({
    path,
    lang,
  })),
);

const plainOf = (catalogue: object): string[] =>
  Object.values(catalogue).flatMap((message) =>
    typeof message === "object" ? plainOf(message as object) : typeof message === "string" ? message : [],
  );

const ENGLISH_SENTENCES = plainOf(wordsIn("en")).filter((message) => message.split(" ").length > 3);

/** Elements that reach out of the window, without those inside a box that scrolls. */
const FIND_OVERFLOW = `[...document.querySelectorAll("body *")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  const scrolls = (box) => box && (/auto|scroll|hidden/.test(getComputedStyle(box).overflowX) || scrolls(box.parentElement));
  return width > 1 && one.checkVisibility() && (right > innerWidth + 1 || left < -1) && !scrolls(one.parentElement) && !one.matches(".skip, .unseen");
}).slice(0, 3).map((one) => one.outerHTML.slice(0, 120))`;

const CASES = ADDRESSES.flatMap((path) => waysOf(draw.below(2)).map((way) => ({ path, ...way })));

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

describe.skipIf(noBrowser)(`in a browser (${drawn})`, () => {
  drawTests(6);

  let mirror: RunningMirror;
  let browser: Browser;
  beforeAll(async () => {
    [mirror, browser] = await Promise.all([
      startFollowing(world.data, { pages: createPages({ pictures: true }) }),
      openBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await mirror[Symbol.asyncDispose]();
  });

  test("the scripts are built", () => expect(hasScripts(), "run make install").toBe(true));

  test.for(draw.some(CASES, 4))("$path, $width px, $colorScheme, $lang, scripts $javaScriptEnabled", async (way) => {
    const { path, width, colorScheme, lang, javaScriptEnabled } = way;
    const options = { viewport: { width, height: 900 }, colorScheme, javaScriptEnabled };
    await using watched = await openWatched(browser, mirror.url, options);
    const { page, faults } = watched;
    await page.goto(`${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
    const isEnglish = PAGES.some(({ route, english }) => english && path.startsWith(route));
    expect(await page.locator("html").getAttribute("dir")).toBe(lang === "ar" && !isEnglish ? "rtl" : "ltr");
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
    expect(overflow, "wider than the window").toBeLessThanOrEqual(0);
    if (javaScriptEnabled) expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test.for(draw.some(SPOKEN, 4))("$path says all in $lang, and no line overflows", async ({ path, lang }) => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 360, height: 740 } });
    const { page, faults } = watched;
    await page.goto(`${path}${path.includes("?") ? "&" : "?"}lang=${lang}`);
    expect(await page.locator("html").getAttribute("lang")).toBe(lang);
    const wide = await page.evaluate<string[]>(FIND_OVERFLOW);
    expect(wide).toEqual([]);
    const text = (await page.locator("body").textContent()) ?? "";
    expect(ENGLISH_SENTENCES.filter((sentence) => text.includes(sentence))).toEqual([]);
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
    await page.locator("#add-enemies").selectOption("18");
    await page.waitForURL("**/draft?days=30&enemies=1,18#heroes");
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

  test.for(draw.some(WITH_ANSWERS, 2))("%s has its answer on the first screen of a phone", async (path) => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 360, height: 740 } });
    const { page } = watched;
    await page.goto(path, { waitUntil: "networkidle" });
    const box = await page.locator(ANSWERS).filter({ visible: true }).first().boundingBox();
    expect(box?.y).toBeLessThan(700);
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
      await page.goto(path, { waitUntil: "networkidle" });
      const sizes = await Promise.all(loading);
      const shift = await page.evaluate<number>("shift");
      return { scripts: sizes.length, bytes: sizes.reduce((a, b) => a + b, 0), shift };
    };
    const faults: string[] = [];
    for (const { route } of PAGES) {
      for (const width of draw.some([360, 1400], 1)) {
        const { scripts, bytes, shift } = await slow(route.replace("{id}", "1"), width);
        if (scripts === 0 || bytes > MOST_SCRIPT_BYTES) faults.push(`${route}: ${bytes} bytes of ${scripts} scripts`);
        if (shift > MOST_SHIFT) faults.push(`${route} at ${width} px moves by ${shift.toFixed(3)}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test.for(draw.some(ADDRESSES, 1))("%s reads at twice the size of text, and has no animations", async (path) => {
    const options = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" } as const;
    await using watched = await openWatched(browser, mirror.url, options);
    const { page } = watched;
    await page.goto(path, { waitUntil: "networkidle" });
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

  /** The drawings of the tier list, unfolded. */
  async function openDrawn(page: Page, query: string) {
    await page.goto(`/tiers?${query}`);
    const summary = page.locator("details.drawn > summary");
    // Where there is room it is always open.
    if (await summary.isVisible()) await summary.click();
    await page.locator(".drawn svg.chart").first().waitFor();
  }

  const NAMED = ["en", "ar", "ja", "th", "km", "ru"].flatMap((lang) =>
    ["all", "glory"].map((rank) => ({ lang, rank })),
  );

  test("names in a drawing lie over nothing, and whole within it", async () => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 1400, height: 900 } });
    const { page, faults } = watched;
    for (const { lang, rank } of draw.some(NAMED, 4)) {
      await openDrawn(page, `lang=${lang}&rank=${rank}&least=0`);
      expect(await page.locator("text.label").count(), lang).toBeGreaterThan(25);
      // Where there is no font for a script, a browser writes wide boxes, which it makes narrow when it has seen them.
      const overlaps = async () => [lang, rank, ...(await page.evaluate<string[]>(FIND_OVERLAPS))];
      await expect.poll(overlaps).toEqual([lang, rank]);
    }
    expect(faults).toEqual([]);
  });

  test("the width of a text is known before a browser has drawn it", async () => {
    const written = queryFile<{ name: string }>(
      world.snapshot,
      "SELECT DISTINCT name FROM hero_text WHERE lang IN ('en', 'de', 'tr', 'vi', 'ru', 'ar') AND name <> ''",
    ).map(({ name }) => name);
    const names = [...written, "Nguyễn Đức Thắng", "Ægir Åström", "Ёжик Щука"];
    await using watched = await openWatched(browser, mirror.url);
    const widths = await watched.page.evaluate<number[]>(`(() => {
      const context = document.createElement("canvas").getContext("2d");
      context.font = "12px system-ui, sans-serif";
      return ${JSON.stringify(names)}.map((name) => context.measureText(name).width);
    })()`);
    const off = names.filter((name, index) => {
      const share = (widths[index] ?? 0) / widthOfText(name);
      return share > 1.12 || share < 0.45;
    });
    expect(names.length).toBeGreaterThan(300);
    expect(off).toEqual([]);
    // Marks take no room, and are not parted from their letters.
    for (const [marked, plain] of [
      ["กี่", "ก"],
      ["ស្ត្រី", "ស"],
      ["e\u0302\u0301", "ế"],
      ["مُحَمَّد", "محمد"],
    ] as const)
      expect(widthOfText(marked), marked).toBe(widthOfText(plain));
    expect(widthOfText("漢字かなカナ한글")).toBe(8 * 12);
    expect(fitText("กี่กี่กี่กี่", widthOfText("กก…"))).toBe("กี่กี่…");
  });

  test("a dot tells its values to mouse, finger and keys, and leads to its hero", async () => {
    await using watched = await openWatched(browser, mirror.url, {
      hasTouch: true,
      viewport: { width: 800, height: 900 },
    });
    const { page, faults } = watched;
    await openDrawn(page, "rank=glory&least=0");
    const name = await page.locator("text.label").first().textContent();
    const dot = page.getByRole("link", { name: `\u2068${name}\u2069 · ` }).first();
    const use = dot.locator("use");
    const reading = page.locator(".reading").first();
    const open = async () => {
      await openDrawn(page, "rank=glory&least=0");
      await use.scrollIntoViewIfNeeded();
    };
    await open();
    const words = (await dot.getAttribute("aria-label")) ?? "";
    expect(words).toMatch(/ · Win rate [\d.]+% · Pick rate [\d.]+%$/);
    // Another dot may lie over it in part.
    const force = { force: true } as const;
    await use.hover(force);
    expect(await reading.textContent()).toBe(words);
    expect(await page.locator(".tip").textContent()).toBe(words);
    await page.mouse.move(1, 1);
    expect(await reading.textContent()).toContain("arrow keys");
    await use.tap(force);
    expect(await reading.textContent()).toBe(words);
    expect(new URL(page.url()).pathname).toBe("/tiers");
    await Promise.all([page.waitForURL(/\/heroes\/\d+\?rank=glory$/), use.tap(force)]);
    const there = page.url();
    await open();
    await Promise.all([page.waitForURL(there), use.click(force)]);
    await open();
    await page.locator(".drawn .wide").first().focus();
    await page.keyboard.press("Home");
    // From the left to the right, and back.
    for (let steps = 0; steps < 133 && (await reading.textContent()) !== words; steps += 1)
      await page.keyboard.press("ArrowRight");
    expect(await reading.textContent()).toBe(words);
    await page.keyboard.press("ArrowLeft");
    expect(await reading.textContent()).not.toBe(words);
    await page.keyboard.press("ArrowRight");
    expect(await reading.textContent()).toBe(words);
    expect(await findBarriers(page)).toEqual([]);
    await Promise.all([page.waitForURL(there), page.keyboard.press("Enter")]);
    expect(faults).toEqual([]);
  });

  test("a day of lines tells the values of all of them to mouse, finger and keys", async () => {
    await using watched = await openWatched(browser, mirror.url, {
      hasTouch: true,
      viewport: { width: 800, height: 900 },
    });
    const { page, faults } = watched;
    await page.goto("/compare?heroes=1,18");
    const days = queryFile<{ date: string; one: number; other: number }>(
      world.snapshot,
      `SELECT date, one.win_rate AS one, other.win_rate AS other FROM hero_trend AS one JOIN hero_trend AS other USING (rank, date)
       WHERE rank = 'all' AND one.hero_id = 1 AND other.hero_id = 18 ORDER BY date`,
    );
    const toText = ({ date, one, other }: (typeof days)[number]) =>
      `${date} · Miya ${(100 * one).toFixed(1)}% · Layla ${(100 * other).toFixed(1)}%`;
    const told = async () => toPlainWords(await page.locator(".reading").textContent());
    const bands = page.locator(".mark rect");
    expect(await bands.count()).toBe(days.length);
    for (const [index, day] of draw.some([...days.entries()], 3)) {
      await bands.nth(index).hover();
      expect(await told()).toBe(toText(day));
      await bands.nth(days.length - 1 - index).tap();
      expect(await told()).toBe(toText(days.at(-1 - index) ?? day));
    }
    await page.locator(".plot .wide").focus();
    for (const [key, index] of [
      ["End", -1],
      ["ArrowLeft", -2],
      ["Home", 0],
      ["ArrowRight", 1],
    ] as const) {
      await page.keyboard.press(key);
      const day = days.at(index);
      expect(await told(), key).toBe(day && toText(day));
    }
    expect(faults).toEqual([]);
  });
});
