/** The SQL console in a real browser, against the real server and its file. */
import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import SQLite from "better-sqlite3";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findAsset, scriptPath } from "../../src/pages/assets.ts";
import { toCsv } from "../../src/pages/browser/sql/csv.ts";
import { createPages } from "../../src/pages/pages.ts";
import { findBarriers, noBrowser, openBrowser, openWatched } from "../helpers/browser.ts";
import { createDraw, drawn, drawTests, FULL } from "../helpers/draw.ts";
import { elementsOf, parseHtml } from "../helpers/html.ts";
import { type RunningMirror, startFollowing, startMirror, startWithPages } from "../helpers/mirror.ts";

if (noBrowser) process.stdout.write(`the SQL console is not tried in a browser: ${noBrowser}\n`);

const pages = createPages({ pictures: false });
const file = inject("snapshot");
let mirror: RunningMirror;
beforeAll(async () => {
  mirror = await startFollowing(inject("data"), { pages });
});
afterAll(() => mirror[Symbol.asyncDispose]());

const textOf = async ({ url }: { url: string }) => parseHtml(await (await fetch(`${url}/sql`)).text()).text;
const policyOf = async (path: string) => (await fetch(mirror.url + path)).headers.get("content-security-policy");

describe("the page without scripts", () => {
  test("has the questions of the docs, the schema in the file's words, and the way to the file", async () => {
    const source = await (await fetch(`${mirror.url}/sql`)).text();
    const document = parseHtml(source);
    const queries = elementsOf(document, "pre").map((one) => one.text);
    const asked = [...readFileSync("data/QUESTIONS.md", "utf8").matchAll(/^### 1?\d\. (.*)$/gm)].map(
      ([, title]) => title,
    );
    const titles = elementsOf(document, "h3").map((one) => one.text);
    expect(titles).toEqual(expect.arrayContaining(asked.slice(0, 12)));
    expect(titles).not.toContain(asked[12]);
    expect(queries.length).toBeGreaterThan(25);
    const captions = elementsOf(document, "caption").map((one) => one.text);
    const tables = readRows("SELECT 'Columns of ' || table_name FROM table_doc ORDER BY table_name");
    expect(captions).toEqual(tables.flat());
    expect(document.text).toContain("The console needs scripts");
    expect(source).toContain(`href="/snapshots/${mirror.active.snapshot.head.version}.sqlite"`);
  });

  test("says why a file that was not published here cannot be asked", async () => {
    await using unpublished = await startWithPages(file, pages);
    const text = await textOf(unpublished);
    expect(text).toContain("There is no console here: the file that is served was not published");
    expect(text).toContain("Columns of hero_rate");
  });

  test("is not there without pages, nor what it loads", async () => {
    await using bare = await startMirror(file);
    for (const path of ["/sql", scriptPath("sql"), scriptPath("sql-worker")])
      expect((await fetch(`${bare.url}${path}`)).status, path).toBe(404);
  });
});

test("WebAssembly is allowed on this page and in its worker, and nowhere else", async () => {
  const allowed = /; script-src 'self' 'wasm-unsafe-eval';/;
  for (const path of ["/sql", scriptPath("sql-worker") ?? ""]) expect(await policyOf(path), path).toMatch(allowed);
  for (const path of ["/", "/data", scriptPath("sql") ?? "", scriptPath("page") ?? ""])
    expect(await policyOf(path), path).not.toContain("wasm");
});

test("what the page loads is light, WebAssembly aside", () => {
  const weigh = (name: string) => gzipSync(findAsset(scriptPath(name) ?? "")?.read() ?? "").length;
  expect(weigh("sql") + weigh("page")).toBeLessThan(10_000);
  // Nearly all of it is the official build's own.
  expect(weigh("sql-worker")).toBeLessThan(75_000);
});

test("CSV has all values, and none that a spreadsheet would run", () => {
  const rows = [
    ['a "b", c', -1.5, null],
    ["=1+1", 10n ** 17n, "two\nlines"],
  ];
  expect(toCsv(["x", "y,z", "n"], rows)).toBe(
    'x,"y,z",n\r\n"a ""b"", c",-1.5,\r\n\'=1+1,100000000000000000,"two\nlines"\r\n',
  );
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
const INDEXED =
  "SELECT place, name, win_rate FROM tier_list WHERE rank = 'mythic' AND days = 7 AND lang = 'ja' ORDER BY place";

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

const tableIn = (page: Page) =>
  page
    .locator("#result tbody tr")
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((one) => one.textContent)));

/** Lets a field have a value that it does not offer. */
const limit = (page: Page, id: string, value: string) =>
  page.locator(`#${id} option:checked`).evaluate((option, to) => option.setAttribute("value", to), value);

describe.skipIf(noBrowser)(`in a browser (${drawn})`, () => {
  drawTests(3);

  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test("answers the documented questions as better-sqlite3 does", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, faults } = watched;
    await page.goto("/sql");
    const questions = page.locator("#examples button");
    const queries = [...(await page.locator(".question code").allTextContents()).entries()];
    expect(queries.length).toBeGreaterThanOrEqual(20);
    for (const [place, sql] of FULL ? queries : createDraw("questions").some(queries, 2)) {
      await questions.nth(place).click();
      if ((await done(page)).includes("Go on?")) await page.locator("#result button").click();
      expect(await done(page), sql).toMatch(/^\d+ requests?, \d+ kB, \d+ ms\.$/);
      expect(await tableIn(page), sql).toEqual(shownRows(sql));
      expect(decodeURIComponent(new URL(page.url()).hash)).toBe(`#sql=${sql}`);
    }
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test("reads little, and nothing from the mirror on the second visit", async () => {
    const context = await browser.newContext({ baseURL: mirror.url });
    const page = await context.newPage();
    const before = mirror.statuses.length;
    const parts = () => mirror.statuses.slice(before).filter((status) => status === 206).length;
    for (const _ of ["first", "second"]) {
      await page.goto("/sql");
      const said = await run(page, INDEXED);
      const requests = Number(/^\d+/.exec(said)?.[0]);
      expect(requests).toBeLessThanOrEqual(15);
      await expect.poll(parts).toBe(requests);
      expect(await tableIn(page)).toEqual(shownRows(INDEXED));
    }
    await context.close();
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
    expect(await run(page, RUNAWAY)).toMatch(/^Stopped: the time is up\./);
    expect(await run(page, "SELECT 6 * 7, date('now') > '2020', random() <> random()")).toMatch(/^0 requests/);
    expect(await tableIn(page)).toEqual([["42", "1", "1"]]);
    expect(faults).toEqual([]);
  });

  test("asks before a scan, and reads no more than it may", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page } = watched;
    await page.goto("/sql");
    const scan = "SELECT count(*) FROM skill_text WHERE description_plain LIKE '%shield%'";
    const said = await run(page, scan);
    expect(said).toMatch(/^No index helps this query: it may read up to about \d+\.\d MB of the file\. Go on\?$/);
    const [[bytes]] = readRows("SELECT sum(pgsize) FROM dbstat WHERE name = 'skill_text'") as [[number]];
    const guessed = 1e6 * Number(/[\d.]+/.exec(said)?.[0]);
    expect(guessed).toBeGreaterThan(bytes / 2);
    expect(guessed).toBeLessThan(bytes * 2);
    await page.keyboard.press("Enter");
    expect(await done(page)).toMatch(/^\d+ requests?, \d+ kB/);
    expect(await tableIn(page)).toEqual(shownRows(scan));
    expect(await run(page, "SELECT * FROM record LIMIT 3"), "finds enough soon").toMatch(/^\d+ requests?, \d+ kB/);
    await page.fill("#query", scan);
    await page.click("#run");
    await done(page);
    await page.reload();
    expect(await page.inputValue("#query")).toBe(scan);
    await limit(page, "megabytes", "0.1");
    expect(await run(page, INDEXED)).toMatch(/^The query has read as much as it may\./);
  });

  test("says in one line why a query cannot be run", async () => {
    await using watched = await openWatched(browser, mirror.url);
    const { page, faults } = watched;
    await page.goto("/sql");
    const refused: [sql: string, words: RegExp][] = [
      ["DELETE FROM hero", /^The file is read-only: nothing can be written to it\. /],
      ["CREATE TABLE x (y)", /^The file is read-only/],
      ["VACUUM", /^The file is read-only/],
      ["PRAGMA integrity_check", /^The query has read as much as it may\./],
      ["ATTACH ':memory:' AS x", /^too many attached databases/],
      ["SELECT * FROM nowhere", /^no such table: nowhere /],
      ["SELECT 1; SELECT 2", /^This runs one statement at a time\./],
      [" -- nothing", /^There is nothing to run\./],
      ["SELECT zeroblob(100000000)", /^string or blob too big/],
    ];
    for (const [sql, words] of refused) {
      expect(await run(page, sql)).toMatch(words);
      expect(await tableIn(page)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });

  test("shows texts as text, says what is left out, and has a chart and a CSV", async () => {
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
    expect(await findBarriers(page)).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#result p button")]);
    expect(readFileSync(await download.path(), "utf8").split("\r\n")[1]).toBe(
      `"${hostile.replace('"', '""')}",-5,x'00ff'`,
    );
    expect(faults).toEqual([]);
  });

  test("names a proxy that drops Range, and does not read the file through it", async () => {
    await using proxy = await startBadProxy(mirror.url, () => "whole");
    await using watched = await openWatched(browser, proxy.url);
    const { page, faults } = watched;
    await page.goto("/sql");
    expect(await run(page, INDEXED)).toMatch(DROPPED);
    expect(proxy.asked.length).toBe(1);
    expect(proxy.sent()).toBeLessThan(20_000_000);
    expect(faults).toEqual([]);
  });

  // The file comes once: a request that blocks cannot be given up.
  if (FULL)
    test("asks for nothing more where Range was dropped later", async () => {
      await using proxy = await startBadProxy(mirror.url, (nth) => (nth === 1 ? "part" : "whole"));
      await using watched = await openWatched(browser, proxy.url);
      const { page } = watched;
      await page.goto("/sql");
      for (const _ of ["first", "second"]) expect(await run(page, INDEXED)).toMatch(DROPPED);
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
      const said = await run(page, sql);
      if (up(0)) expect(await tableIn(page)).toEqual(shownRows(sql));
      else expect(said).toMatch(/^The mirror cannot be reached\. /);
    }
  });
});

const DROPPED = /a proxy or CDN, drops Range and answers with the whole file, which is not used\./;

/** What a proxy makes of a request for a part of the file: it passes it on, forgets the range, or breaks off. */
type Mood = "part" | "whole" | "nothing";

async function startBadProxy(url: string, moodOf: (nth: number) => Mood) {
  const asked: string[] = [];
  let sent = 0;
  const server = createServer(({ url: path = "", headers }, response) => {
    const isFile = path.endsWith(".sqlite");
    if (isFile) asked.push(path);
    const mood = isFile ? moodOf(asked.length) : "part";
    if (mood === "nothing") return void response.destroy();
    const { range: _, ...rest } = headers;
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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests for the file. */
    asked,
    /** How many of them there were at some time. */
    before: 0,
    /** Bytes of it. */
    sent: () => sent,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
