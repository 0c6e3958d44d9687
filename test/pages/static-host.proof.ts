/** The page of another site, in a real browser, which reads what a static host has of `/api` as files. */
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort, startNginx } from "../../scripts/bench/nginx.ts";
import { readIndex } from "../helpers/api-files.ts";
import { openBrowser } from "../helpers/browser.ts";
import { blocksOf } from "../helpers/pages.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServer } from "../helpers/server.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const PAGE = join(import.meta.dirname, "../../scripts/deploy/github/tier-list.html");

/** Another site with the page, which reads from `files`. */
function startSite(files: string) {
  const page = readFileSync(PAGE, "utf8");
  expect(page).toContain("https://OWNER.github.io/REPOSITORY");
  return startServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(page.replace("https://OWNER.github.io/REPOSITORY", files));
  });
}

describe("files on a static host", () => {
  const folder = temporaryFolder();
  const [snapshot, site] = [join(folder.path, "night.sqlite"), join(folder.path, "site")];
  const [, , BLOCK = ""] = blocksOf("scripts/deploy/README.md", "nginx");
  const MARKUP = "<img src=x onerror=document.title=1>";
  /** What the records after the first one lack. */
  const ABSENT = ["$.data.main_hero.data", "$.data.main_hero", "$.data.main_hero_ban_rate"];
  let browser: Browser;

  /** nginx as the page configures it, or with another block. */
  async function startHost(block = BLOCK) {
    const port = await freePort();
    for (const word of ["listen 80", "/srv/www/site"]) expect(block).toContain(word);
    const config = block.replace("listen 80", `listen 127.0.0.1:${port}`).replace("/srv/www/site", site);
    const nginx = await startNginx(folder.path, config, { port, host: "127.0.0.1" });
    return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: nginx.stop };
  }

  beforeAll(async () => {
    browser = await openBrowser();
    copyFileSync(world.nights.files[0] ?? "", snapshot);
    editFile(
      snapshot,
      `UPDATE record SET json = json_set(json, '$.data.main_hero.data.name', '${MARKUP}')
         WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'rank' AND slice = 'rank=all&days=7&lang=en') AND position = 1`,
    );
    for (const [position, path] of ABSENT.entries())
      editFile(
        snapshot,
        `UPDATE record SET json = json_remove(json, '${path}')
         WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'rank' AND slice = 'rank=all&days=7&lang=en') AND position = ${position + 2}`,
      );
    const { code, stderr } = await runCommand("export", ["--format", "api", "--out", site, snapshot]);
    expect([code, stderr]).toEqual([0, ""]);
  });
  afterAll(async () => {
    await browser.close();
    folder[Symbol.dispose]();
  });

  test("are a tier list on a page of another origin, in which no name is markup and any value may be missing", async () => {
    await using host = await startHost();
    await using other = await startSite(host.url);
    expect(new URL(host.url).origin).not.toBe(new URL(other.url).origin);
    const page = await browser.newPage();
    const faults: unknown[] = [];
    page.on("pageerror", (error) => faults.push(error));
    await page.goto(other.url);
    await page.waitForFunction(`!document.querySelector("#about").textContent.startsWith("Loading")`);
    const shown = await page.evaluate(
      `Array.from(document.querySelectorAll("tbody tr"), (row) => Array.from(row.cells, (cell) => cell.textContent))`,
    );
    const rates = queryFile<{ name: string; win: number; pick: number; ban: number }>(
      snapshot,
      `SELECT name, win_rate AS win, appearance_rate AS pick, ban_rate AS ban FROM hero_rate JOIN hero USING (hero_id)
       WHERE rank = 'all' AND days = 7 ORDER BY win_rate DESC, hero_id`,
    );
    const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
    const names = [MARKUP, "?", "?"];
    const expected = rates.map(({ name, win, pick, ban }, index) => [
      String(index + 1),
      names[index] ?? name,
      ...[win, pick].map(percent),
      index === 3 ? "–" : percent(ban),
    ]);
    expect(shown).toEqual(expected);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("#about").textContent()).toMatch(/^2026-08-01, made-up numbers: \S/);
    expect([faults, await page.title()]).toEqual([[], "Tier list"]);
    await page.close();
  });

  test("are read by no other site where the host does not allow it, and the page says so", async () => {
    await using host = await startHost(BLOCK.replace(/^.*Access-Control-Allow-Origin.*$/m, ""));
    await using other = await startSite(host.url);
    const page = await browser.newPage();
    await page.goto(other.url);
    await page.waitForFunction(`document.querySelector("#about").textContent.startsWith("The files cannot be read")`);
    expect(await page.locator("tbody tr").count()).toBe(0);
    await page.close();
  });

  test("come as JSON, compressed, byte for byte as the index says, and for every origin", async () => {
    await using host = await startHost();
    const { files } = readIndex(site);
    expect(files.length).toBeGreaterThan(50);
    for (const { path } of files) {
      const { statusCode, headers, body } = await request(`${host.url}/${path}`, {
        headers: { "accept-encoding": "gzip" },
      });
      expect([statusCode, headers["content-type"], headers["access-control-allow-origin"]], path).toEqual([
        200,
        "application/json",
        "*",
      ]);
      const bytes = Buffer.from(await body.arrayBuffer());
      const sent = headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
      expect(sent.equals(readFileSync(join(site, path))), path).toBe(true);
      if (path === "api/heroes/rank/7.json") expect(headers["content-encoding"]).toBe("gzip");
    }
  });
});
