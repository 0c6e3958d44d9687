/** Drawings in a browser: where their names lie, and what they tell to mouse, finger and keys. */
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { widthOfText } from "../../src/extra/pages/charts/text-width.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { findBarriers, openBrowser, openWatched } from "../helpers/browser.ts";
import { toPlainWords } from "../helpers/charts.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const mirror = await startFollowing(world.data, { pages: createPages({ pictures: true }) });
const browser = await openBrowser();
afterAll(async () => {
  await browser.close();
  await mirror[Symbol.asyncDispose]();
});

/** For a browser: whatever lies over something else in a drawing of the page, or out of it. */
const FIND_OVERLAPS = `[...document.querySelectorAll("svg.chart")].flatMap((chart) => {
  const whole = chart.getBoundingClientRect();
  const boxes = (selector) => [...chart.querySelectorAll(selector)].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { what: one.textContent || one.parentElement.getAttribute("aria-label"), left, right, top, bottom };
  });
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const isOut = (a) => a.left < whole.left || a.right > whole.right || a.top < whole.top || a.bottom > whole.bottom;
  const [texts, dots] = [boxes("text"), boxes("use")];
  return [
    ...texts.filter(isOut).map(({ what }) => what + " is out"),
    ...texts.flatMap((text, index) =>
      [...texts.slice(index + 1), ...dots].filter((other) => meet(text, other)).map(({ what }) => text.what + " over " + what),
    ),
  ];
})`;

describe("in a browser", () => {
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
    for (const { lang, rank } of NAMED) {
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
    for (const [index, day] of days.entries()) {
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
