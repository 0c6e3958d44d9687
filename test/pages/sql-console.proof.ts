/** The SQL console in a real browser, against the real server and its file. */
import { readFileSync } from "node:fs";
import { request } from "node:http";
import SQLite from "better-sqlite3";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { createPages } from "../../src/extra/pages/pages.ts";
import { findBarriers, openBrowser, openWatched } from "../helpers/browser.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { readPage } from "../helpers/pages.ts";
import { startServer } from "../helpers/server.ts";
import { world } from "../helpers/world.ts";

const file = world.snapshot;
const mirror = await startFollowing(world.data, { pages: createPages({ pictures: false }) });
const browser = await openBrowser();
afterAll(async () => {
  await browser.close();
  await mirror[Symbol.asyncDispose]();
});

function readRows(sql: string): unknown[][] {
  const db = new SQLite(file, { readonly: true });
  try {
    return db.prepare(sql).raw().all() as unknown[][];
  } finally {
    db.close();
  }
}

/** As the table of the console shows them. */
const shownRows = (sql: string) =>
  readRows(sql).map((row) => row.map((value) => (value === null ? "null" : String(value))));

const RUNAWAY = "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
/** From the start of a page on; what moves at once after an input does not count (https://web.dev/articles/cls). */
const WATCH_SHIFTS = `globalThis.shifts = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifts += entry.value;
}).observe({ type: "layout-shift", buffered: true });`;
const INDEXED =
  "SELECT place, name, win_rate FROM tier_list JOIN hero_text USING (hero_id) WHERE rank = 'mythic' AND days = 7 AND lang = 'ja' ORDER BY place";

/** What the console says once it is done. */
async function done(page: Page) {
  await page.locator('#run[aria-disabled="false"]').waitFor();
  return (await page.locator("#status").textContent()) ?? "";
}

async function run(page: Page, sql: string) {
  await page.fill("#query", sql);
  await page.press("#query", "Control+Enter");
  return done(page);
}

const complaintIn = async (page: Page) => (await page.locator("#fault").textContent()) ?? "";

/** The values as they are: one that is shown rounded has them in its title. */
const tableIn = (page: Page) =>
  page
    .locator("#result tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children].map((one) => one.getAttribute("title") ?? one.textContent.replace(/^−(?=\d)/, "-")),
      ),
    );

/** Lets a field have a value that it does not offer. */
const limit = (page: Page, id: string, value: string) =>
  page.locator(`#${id} option:checked`).evaluate((option, to) => option.setAttribute("value", to), value);

describe("in a browser", () => {
  test("answers the documented questions as better-sqlite3 does", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, faults } = watched;
    await page.goto("/sql");
    const questions = page.locator(".question button");
    const queries = [...(await page.locator(".question code").allTextContents()).entries()];
    expect(queries.length).toBeGreaterThanOrEqual(20);
    for (const [place, sql] of queries) {
      await questions.nth(place).click();
      while ((await done(page)).includes("Go on?")) await page.locator("#result button").click();
      expect(await done(page), sql).toMatch(/^\d+ requests?, \d+ kB, \d+ ms\.$/);
      expect(await tableIn(page), sql).toEqual(shownRows(sql));
      await page.waitForURL(({ hash }) => decodeURIComponent(hash) === `#sql=${sql}`);
    }
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("reads little for the questions of the README, and nothing from the mirror on the second visit", async () => {
    const readme = readPage("README.md");
    const [, first = ""] = /```sql\n(SELECT other[^`]+?);\n```/.exec(readme) ?? [];
    const [, second = ""] = /```sql\n(SELECT dataset[^`]+?);\n```/.exec(readme) ?? [];
    for (const [sql, most] of [
      [first, { requests: 8, kilobytes: 1000 }],
      [second, { requests: 3, kilobytes: 600 }],
      [INDEXED, { requests: 8, kilobytes: 1000 }],
    ] as const) {
      const context = await browser.newContext({ baseURL: mirror.url });
      const page = await context.newPage();
      const before = mirror.statuses.length;
      const parts = () => mirror.statuses.slice(before).filter((status) => status === 206).length;
      for (const _ of ["first", "second"]) {
        await page.goto("/sql");
        const [, requests, kilobytes] = /^(\d+) requests, (\d+) kB/.exec(await run(page, sql)) ?? [];
        expect(Number(requests), sql).toBeLessThanOrEqual(most.requests);
        expect(Number(kilobytes), sql).toBeLessThanOrEqual(most.kilobytes);
        await expect.poll(parts).toBe(Number(requests));
        expect(await tableIn(page)).toEqual(shownRows(sql));
      }
      await context.close();
    }
  });

  test("stops a query, by hand and by time, and goes on", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, faults } = watched;
    await page.goto("/sql");
    await page.fill("#query", RUNAWAY);
    await page.click("#run");
    await page.click("#stop");
    expect(await done(page)).toBe("Stopped.");
    await limit(page, "seconds", "0.2");
    expect(await run(page, RUNAWAY)).toMatch(/^\d+ requests/);
    expect(await complaintIn(page)).toBe("Stopped: the time is up.");
    await limit(page, "seconds", "60");
    expect(await run(page, "SELECT 6 * 7, date('now') > '2020', random() <> random()")).toMatch(/^0 requests/);
    expect(await tableIn(page)).toEqual([["42", "1", "1"]]);
    expect(faults).toEqual([]);
  });

  test("asks before it reads much, whatever the plan, and says of how much", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page } = watched;
    await page.goto("/sql");
    const scan = "SELECT count(*) FROM skill_text WHERE description_plain LIKE '%shield%'";
    const said =
      /^The query has read (\d\.\d) MB and is not finished\. It goes through whole tables of about (\d+\.\d) MB\. Go on\?$/;
    const [, read, whole] = said.exec(await run(page, scan)) ?? [];
    expect(Number(read)).toBeLessThanOrEqual(2);
    const [[bytes]] = readRows("SELECT sum(pgsize) FROM dbstat WHERE name = 'skill_text'") as [[number]];
    expect(1e6 * Number(whole)).toBeGreaterThan(bytes / 2);
    expect(1e6 * Number(whole)).toBeLessThan(bytes * 2);
    await page.keyboard.press("Enter");
    expect(await done(page)).toMatch(/^\d+ requests?, \d+ kB/);
    expect(await tableIn(page)).toEqual(shownRows(scan));
    const search = "SELECT count(other_win_rate) FROM hero_pairing WHERE source = 'counters'";
    await page.reload();
    expect(await run(page, search)).toMatch(/^The query has read \d\.\d MB and is not finished\. Go on\?$/);
    await page.keyboard.press("Enter");
    expect(await done(page)).toMatch(/^\d+ requests?, \d+ kB/);
    expect(await tableIn(page)).toEqual(shownRows(search));
    expect(await run(page, "SELECT * FROM record LIMIT 3"), "finds enough soon").toMatch(/^\d+ requests?, \d+ kB/);
  });

  test("says why a query cannot be run, apart from its cost", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, faults } = watched;
    await page.goto("/sql");
    const refused: [sql: string, words: RegExp][] = [
      ["DELETE FROM hero", /^The file is read-only: nothing can be written to it\.$/],
      ["CREATE TABLE x (y)", /^The file is read-only/],
      ["VACUUM", /^The file is read-only/],
      ["ATTACH ':memory:' AS x", /^too many attached databases/],
      ["SELECT * FROM nowhere", /^no such table: nowhereLine 1, column 15:SELECT \* FROM nowhere$/],
      ['SELECT * FROM "a-b(c"', /^no such table: a-b\(cLine 1, column 15:/],
      ["SELECT 1; SELECT 2", /^This runs one statement at a time\.$/],
      [" -- nothing", /^There is nothing to run\.$/],
      ["SELECT zeroblob(100000000)", /^string or blob too big/],
      ["SELECT zeroblob(1001)", /^The result has a blob of more than 1000 bytes: select hex/],
    ];
    for (const [sql, words] of refused) {
      expect(await run(page, sql)).toMatch(/^\d+ requests?, \d+ kB, \d+ ms\.$/);
      expect(await complaintIn(page)).toMatch(words);
      expect(await tableIn(page)).toEqual([]);
    }
    expect(await run(page, "PRAGMA integrity_check")).toMatch(/ MB and is not finished\. Go on\?$/);
    expect(await page.locator("#fault").getAttribute("role")).toBe("alert");
    expect(faults).toEqual([]);
  });

  test("marks what is wrong in a query, and names what may be meant", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, faults } = watched;
    await page.goto("/sql");
    for (const [sql, place, token, meant] of [
      ["SELECT name\nFROM heros", "Line 2, column 6:", "heros", "hero"],
      ["SELECT 'ё', hero.nam FROM hero", "Line 1, column 18:", "nam", "name"],
      ["SELECT place, winrate\nFROM tier_list", "Line 1, column 15:", "winrate", "win_rate"],
      ["SELECT rond(1.5)", "Line 1, column 8:", "rond", "round"],
    ] as const) {
      await run(page, sql);
      const complaint = await complaintIn(page);
      expect(complaint).toContain(`${place}${sql.split("\n").find((line) => line.includes(token))}`);
      expect(await page.locator("#fault mark").textContent()).toBe(token);
      expect(complaint).toContain(`Did you mean ${meant}?`);
      expect(await findBarriers(page)).toEqual([]);
      await page.click("#fault button");
      expect(await page.inputValue("#query")).toBe(sql.replace(token, meant));
      expect(await complaintIn(page)).toBe("");
    }
    await run(page, "SELECT name FORM hero ORDER place");
    expect(await page.locator("#fault mark").textContent()).toBe("hero");
    expect(await complaintIn(page)).not.toContain("Did you mean");
    expect(faults).toEqual([]);
  });

  test("is there from the start, has each answer in view on a phone, and moves nothing", async () => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 360, height: 740 } });
    const { page, faults, asked } = watched;
    await page.addInitScript(WATCH_SHIFTS);
    await page.goto("/sql", { waitUntil: "networkidle" });
    const isInView = async (selector: string) => {
      const { y = -1, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
      return y >= 0 && y + height <= 740;
    };
    for (const seen of ["#query", "#run"]) expect(await isInView(seen), seen).toBe(true);
    await page.locator(".question button").nth(2).click();
    await done(page);
    for (const seen of ["#status", "#result caption", "#result tbody tr:first-child"])
      expect(await isInView(seen), seen).toBe(true);
    await page.waitForURL(({ hash }) => hash.startsWith("#sql="));
    const link = page.url();
    await page.goto("about:blank");
    asked.length = 0;
    await page.goto(link, { waitUntil: "networkidle" });
    expect(await page.inputValue("#query")).toContain("trend_rise");
    expect(await page.locator("#status").textContent()).toContain("look at it, then run it");
    expect(asked.filter((path) => path.endsWith(".sqlite"))).toEqual([]);
    await page.locator("#run").click();
    await done(page);
    expect(await page.evaluate("shifts")).toBeLessThanOrEqual(0.05);
    expect(faults).toEqual([]);
  });

  test("names of tables and columns stand beside the query, and go into it", async () => {
    await using watched = await openWatched(browser, mirror.url, { viewport: { width: 1000, height: 800 } });
    const { page, faults } = watched;
    await page.goto("/sql");
    const [query, names] = await Promise.all(["#query", "#names"].map((one) => page.locator(one).boundingBox()));
    expect(names?.x).toBeGreaterThan((query?.x ?? 0) + (query?.width ?? 0));
    await page.fill("#query", "SELECT count(*) FROM");
    await page.locator("#names summary", { hasText: "duo_list" }).click();
    const opened = page.locator("#names details[open]");
    await opened.getByRole("button", { name: "duo_list" }).click();
    expect(await page.inputValue("#query")).toBe("SELECT count(*) FROM duo_list");
    await page.evaluate("document.getElementById('query').setSelectionRange(7, 15)");
    await opened.getByRole("button", { name: "hero_id", exact: true }).click();
    expect(await page.inputValue("#query")).toBe("SELECT hero_id FROM duo_list");
    await page.selectOption("#example", "1");
    expect(await page.inputValue("#query")).toBe(await page.locator(".question code").nth(1).textContent());
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("shows texts as text, says what is left out, and has a chart, a CSV and JSON", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, faults } = watched;
    await page.goto("/sql");
    await page.selectOption("#rows", "100");
    const hostile = `<img src=x onerror=alert(1)>"'\u202e`;
    await run(
      page,
      `WITH RECURSIVE c (n) AS (SELECT -5 UNION ALL SELECT n + 1 FROM c) SELECT '${hostile.replace("'", "''")}' AS name, n, x'00ff' AS b FROM c`,
    );
    const rows = await tableIn(page);
    expect(rows).toHaveLength(100);
    expect(rows[0]).toEqual([hostile, "-5", "x'00ff'"]);
    expect(await page.locator("#result caption").textContent()).toBe("100 rows; there are more rows than shown");
    await page.click("#result summary");
    expect(await page.locator("#result svg rect").count()).toBe(40);
    await page.selectOption("#chart-kind", "line");
    expect(await page.locator("#result svg circle").count()).toBe(100);
    await page.selectOption("#chart-x", "1");
    expect(await page.locator("#result svg").getAttribute("aria-label")).toMatch(/^n by n; /);
    expect(await findBarriers(page)).toEqual([]);
    const load = async (name: string) => {
      const button = page.getByRole("button", { name: `The rows shown as ${name}` });
      const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
      return readFileSync(await download.path(), "utf8");
    };
    expect((await load("CSV")).split("\r\n")[1]).toBe(`"${hostile.replace('"', '""')}",-5,x'00ff'`);
    expect((JSON.parse(await load("JSON")) as unknown[])[0]).toEqual({ name: hostile, n: -5, b: "x'00ff'" });
    expect(faults).toEqual([]);
  });

  test("names a proxy that drops Range, and does not read the file through it", async () => {
    await using proxy = await startBadProxy(mirror.url, () => "whole");
    await using watched = await openWatched(browser, proxy.url);
    const { page, faults } = watched;
    await page.goto("/sql");
    await run(page, INDEXED);
    expect(await complaintIn(page)).toMatch(DROPPED);
    expect(proxy.asked.length).toBe(1);
    expect(proxy.sent()).toBeLessThan(20_000_000);
    expect(faults).toEqual([]);
  });

  // The file comes once: a request that blocks cannot be given up.
  test("asks for nothing more where Range was dropped later", async () => {
    await using proxy = await startBadProxy(mirror.url, (nth) => (nth === 1 ? "part" : "whole"));
    await using watched = await openWatched(browser, proxy.url);
    const { page } = watched;
    await page.goto("/sql");
    for (const _ of ["first", "second"]) {
      await run(page, INDEXED);
      expect(await complaintIn(page)).toMatch(DROPPED);
    }
    expect(proxy.asked.length).toBe(2);
  });

  test("goes on when the mirror is back", async () => {
    let isUp = (_: number) => true;
    await using proxy = await startBadProxy(mirror.url, (nth) => (isUp(nth) ? "part" : "nothing"));
    await using watched = await openWatched(browser, proxy.url);
    const { page } = watched;
    await page.goto("/sql");
    const other = "SELECT * FROM hero_trend LIMIT 1";
    for (const [sql, up] of [
      [INDEXED, () => false],
      [INDEXED, (nth: number) => nth === proxy.before + 1],
      [INDEXED, () => true],
      [other, () => false],
      [other, () => true],
    ] as const) {
      proxy.before = proxy.asked.length;
      isUp = up;
      await run(page, sql);
      if (up(0)) expect(await tableIn(page)).toEqual(shownRows(sql));
      else expect(await complaintIn(page)).toBe("The mirror cannot be reached.");
    }
  });
});

const DROPPED = /a proxy or CDN, drops Range and answers with the whole file, which is not used\./;

/** What a proxy makes of a request for a part of the file: it passes it on, forgets the range, or breaks off. */
type Mood = "part" | "whole" | "nothing";

async function startBadProxy(url: string, moodOf: (nth: number) => Mood) {
  const asked: string[] = [];
  let sent = 0;
  const server = await startServer((_, response, { url: path, headers }) => {
    const isFile = path.endsWith(".sqlite");
    if (isFile) asked.push(path);
    const mood = isFile ? moodOf(asked.length) : "part";
    if (mood === "nothing") return response.destroy();
    const { range, ...rest } = headers;
    const onward = request(url + path, { headers: mood === "whole" ? rest : headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("data", (bytes: Buffer) => {
        if (isFile) sent += bytes.length;
      });
      answer.on("error", () => response.destroy());
      answer.pipe(response);
      response.once("close", () => answer.destroy());
    });
    onward.end();
  });
  return {
    url: server.url,
    /** Requests for the file. */
    asked,
    /** How many of them there were at some time. */
    before: 0,
    /** Bytes of it. */
    sent: () => sent,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
