/** Matchups and drafts in a browser. */
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { figuresIn } from "../../src/extra/pages/figures.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { findBarriers, openBrowser, openSettled, openWatched } from "../helpers/browser.ts";
import { startWithPages } from "../helpers/mirror.ts";
import { readCsv } from "../helpers/people.ts";
import { AGAINST, BESIDE, filePoints, type Point } from "../helpers/rates.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const mirror = await startWithPages(world.snapshot, createPages({ pictures: true }));
const browser = await openBrowser();
afterAll(async () => {
  await browser.close();
  await mirror[Symbol.asyncDispose]();
});

describe("in a browser", () => {
  const names = new Map(
    queryFile<{ hero_id: number; name: string }>(
      world.snapshot,
      "SELECT hero_id, name FROM hero_text WHERE lang = 'en'",
    ).map(({ hero_id, name }) => [hero_id, name]),
  );

  /** What is told of a cell, once the matrix is there. */
  const wordsOf = (page: Page) => page.locator("[aria-live]:not(:empty)").textContent();

  /** The pair that the address names, and what is told of it. */
  async function toldOf(page: Page) {
    const text = await wordsOf(page);
    const [, hero, other] = /#(\d+)-(\d+)$/.exec(await page.evaluate<string>("location.href")) ?? [];
    return { hero: Number(hero), other: Number(other), text };
  }

  const inWords = (points: readonly Point[], order: readonly number[], hero: number, played: string, other: number) => {
    const by = points.find((one) => one.hero_id === hero && one.other_hero_id === other)?.increase_win_rate;
    const size = by === undefined ? "unknown" : `${figuresIn("en").writePoints(by)} points`;
    const [row, column] = [hero, other].map((id) => `${order.indexOf(id) + 1} of ${order.length}`);
    return `${names.get(hero)} ${played} ${names.get(other)}: ${size}. Row ${row}, column ${column}.`;
  };

  const SIDES = [
    ["against", AGAINST],
    ["with", BESIDE],
  ] as const;
  test.for(SIDES)(
    "the matrix tells of each cell that the keys lead to, %s the other hero, and keeps it in the address",
    async ([played, type]) => {
      await using watched = await openWatched(browser, mirror.url);
      const { page, faults } = watched;
      await page.goto(`/matchups?rank=epic&played=${played}&sort=role#18-30`);
      const plane = page.getByRole("application");
      await plane.focus();
      const points = filePoints("epic", type);
      const { rows } = await readCsv(mirror, `/matchups?rank=epic&played=${played}&sort=role&format=csv`);
      const order = rows.map(([id]) => Number(id));
      expect((await toldOf(page)).text).toBe(inWords(points, order, 18, played, 30));
      const last = order.length - 1;
      const at = { row: order.indexOf(18), column: order.indexOf(30) };
      const steps: Record<string, () => number> = {
        ArrowDown: () => ++at.row,
        ArrowUp: () => --at.row,
        ArrowRight: () => ++at.column,
        ArrowLeft: () => --at.column,
        PageDown: () => (at.row = Math.min(last, at.row + 10)),
        PageUp: () => (at.row = Math.max(0, at.row - 10)),
        End: () => (at.column = last),
        Home: () => (at.column = 0),
      };
      for (const key of ["ArrowDown", "PageDown", "Home", "ArrowRight", "PageUp", "ArrowUp", "End", "ArrowLeft"]) {
        steps[key]?.();
        await page.keyboard.press(key);
        const [hero = 0, other = 0] = [order[at.row], order[at.column]];
        expect(await toldOf(page), key).toEqual({ hero, other, text: inWords(points, order, hero, played, other) });
      }
      expect(await findBarriers(page)).toEqual([]);
      const { text } = await toldOf(page);
      await page.reload();
      expect(await wordsOf(page)).toBe(text);
      const { hero, other } = await toldOf(page);
      await page.getByLabel("Rank").selectOption("glory");
      await page.waitForURL(/rank=glory/);
      expect(await toldOf(page)).toEqual({
        hero,
        other,
        text: inWords(filePoints("glory", type), order, hero, played, other),
      });
      await page.getByRole("application").focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(`hero=${hero}#${hero}-${other}$`));
      await expect.poll(() => page.locator("h2").nth(1).textContent()).toContain(names.get(hero));
      await page.getByLabel("Hero", { exact: true }).selectOption("2");
      await page.waitForURL(/hero=2$/);
      expect(await wordsOf(page)).toContain(`Balmond ${played} `);
      expect(faults).toEqual([]);
    },
  );

  test.for(["light", "dark"] as const)(
    "the matrix is blue where it is better and orange where it is worse, %s",
    async (colorScheme) => {
      await using watched = await openWatched(browser, mirror.url, { colorScheme });
      const { page } = watched;
      const points = filePoints("all", AGAINST).filter(({ increase_win_rate: by }) => Math.abs(by) > 0.05);
      for (const { hero_id, other_hero_id, increase_win_rate: by } of [points[0], points.at(-1)].flatMap(
        (one) => one ?? [],
      )) {
        await page.goto("/");
        await page.goto(`/matchups#${hero_id}-${other_hero_id}`);
        await wordsOf(page);
        const [red = 0, , blue = 0] = await page.evaluate<number[]>(`(() => {
        const canvas = document.querySelector("canvas");
        const cell = document.querySelector(".cell");
        const middle = cell.offsetWidth / 2;
        return [...canvas.getContext("2d").getImageData(cell.offsetLeft + middle, cell.offsetTop + middle, 1, 1).data];
      })()`);
        expect(blue - red > 0).toBe(by > 0);
      }
    },
  );

  const ROOMS = [360, 1400].flatMap((width) =>
    [true, false].map((javaScriptEnabled) => ({ width, javaScriptEnabled })),
  );
  test.for(ROOMS)(
    "a board is filled by taps that stay where they are, $width px, scripts $javaScriptEnabled",
    async ({ width, javaScriptEnabled }) => {
      const options = { viewport: { width, height: 740 }, javaScriptEnabled };
      await using watched = await openWatched(browser, mirror.url, options);
      const { page, faults } = watched;
      const topOf = async (place: string) => (await page.locator(place).first().boundingBox())?.y ?? Number.NaN;
      await page.goto("/draft?enemies=1&allies=2");
      expect(await topOf("#picks tbody tr")).toBeLessThan(700);
      await page.getByRole("link", { name: "Choose an enemy" }).click();
      await page.waitForURL(/#heroes$/);
      for (const id of [10, 50, 100]) {
        const hero = page.locator(`#h${id} a`);
        await hero.click();
        await page.waitForURL(new RegExp(`,${id}&allies=2#h${id}$`));
        expect(await hero.getAttribute("class")).toBe("taken");
        const top = await topOf(`#h${id}`);
        // Below what is chosen and the best picks, which stay in sight.
        expect(top).toBeGreaterThanOrEqual(((await topOf(".now")) || 0) + 100);
        expect(top).toBeLessThan(740 - 44);
        expect(
          await page
            .locator(".now")
            .getByRole("link", { name: /^Best: / })
            .isVisible(),
        ).toBe(true);
      }
      if (width > 1000) expect(await page.evaluate<number>("scrollY")).toBe(0);
      if (javaScriptEnabled) expect(await findBarriers(page)).toEqual([]);
      await page.locator("#board .slot").nth(1).click();
      await page.waitForURL(/enemies=1,50,100&allies=2#board$/);
      const small = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll(".draft :is(.slot, .heroes a, .chips a, summary, .now p a)")]
        .filter((one) => { const { width, height } = one.getBoundingClientRect(); return Math.min(width, height) < 43.99; })
        .map((one) => one.outerHTML.slice(0, 80))`);
      expect(small).toEqual([]);
      expect(faults).toEqual([]);
    },
  );

  test("the matrix follows the mouse, and keeps what is clicked", async () => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 1400, height: 1400 } });
    const { page } = watched;
    await page.goto("/matchups");
    const canvas = page.locator("canvas");
    const told = () => wordsOf(page);
    const before = await told();
    await canvas.hover({ position: { x: 404, y: 304 } });
    const there = await told();
    expect(there).not.toBe(before);
    await page.getByRole("heading", { level: 1 }).hover();
    expect(await told()).toBe(before);
    expect(page.url()).not.toContain("#");
    await canvas.click({ position: { x: 404, y: 304 } });
    const { hero, other, text } = await toldOf(page);
    expect(text).toBe(there);
    const order = (await readCsv(mirror, "/matchups?format=csv")).rows.map(([id]) => Number(id));
    expect(text).toBe(inWords(filePoints("all", AGAINST), order, hero, "against", other));
  });

  test("is shown row by row on a phone, with links that a finger hits", async () => {
    await using watched = await openWatched(browser, mirror.url, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    });
    const { page, faults, asked } = watched;
    await openSettled(page, "/matchups?hero=18");
    expect(await page.locator("#matrix").isVisible()).toBe(false);
    expect(
      asked.filter((path) => path === "/matchups"),
      "without its values",
    ).toHaveLength(1);
    const small = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll(".matchups a, .matchups summary")].flatMap((one) => {
      const { width, height } = one.getBoundingClientRect();
      return Math.min(width, height) < 43.9 ? [one.textContent + " " + width + " × " + height] : [];
    })`);
    expect(small).toEqual([]);
    await page.getByRole("link", { name: "Choose another hero" }).click();
    const other = page.locator("h2#every ~ .wide").getByRole("link", { name: "Balmond" });
    await Promise.all([page.waitForURL(/hero=2$/), other.click()]);
    expect(await page.locator("h2").filter({ visible: true }).first().textContent()).toContain("Balmond");
    // A tablet that is turned has room for the whole.
    await page.setViewportSize({ width: 1000, height: 740 });
    await expect.poll(() => wordsOf(page)).toContain("Balmond against ");
    expect(faults).toEqual([]);
  });

  test("is printed on one page, with its colours", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page } = watched;
    await openSettled(page, "/matchups");
    // A page of A4 within margins of a centimetre.
    const [width, height] = [718, 1047];
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width, height });
    const boxOf = async (selector: string) => page.locator(selector).boundingBox();
    // What was chosen is on the paper, the form is not.
    expect(await page.locator(".choosing > summary").isVisible()).toBe(true);
    expect(await page.locator(".choosing select").first().isVisible()).toBe(false);
    expect((await boxOf("#matrix"))?.height).toBeLessThan(height);
    const canvas = await boxOf("#matrix canvas");
    expect(canvas?.width).toBeLessThanOrEqual(width);
    expect(canvas?.width).toBeGreaterThan(width / 2);
    for (const selector of [".scale", "canvas", ".bar"]) {
      const one = page.locator(selector).first();
      expect(await one.isVisible()).toBe(true);
      const adjusted = `getComputedStyle(document.querySelector("${selector}")).printColorAdjust`;
      expect(await page.evaluate<string>(adjusted)).toBe("exact");
    }
  });

  test("the matrix leaves the tables where it cannot be loaded", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page } = watched;
    await page.route(/format=csv/, (route) => route.abort());
    await page.goto("/matchups");
    await page.getByText("It could not be loaded.").waitFor();
    expect(await page.getByRole("table").count()).toBe(2);
  });
});
