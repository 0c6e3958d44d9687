/** A night of an upstream whose names, texts and keys are as long as its answers may be, on its whole way. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PAGES } from "../../src/extra/pages/list.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { crawlOptions, runProcess, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { askTarget, startServer } from "../helpers/server.ts";
import { queryFile } from "../helpers/sqlite.ts";

const folder = temporaryFolder();
const data = join(folder.path, "data");
let crawled: Awaited<ReturnType<typeof runProcess>>;

beforeAll(async () => {
  await using sample = await startSample({ heroes: 3 });
  await using upstream = await startServer(async (_, res, seen) => {
    const { status, headers, body } = await askTarget(sample.url, seen);
    const { pathname } = new URL(seen.url, sample.url);
    const isName = /^\/api\/heroes(\/rank|\/positions)?$/.test(pathname);
    res.writeHead(status, headers).end(JSON.stringify(lengthen(JSON.parse(String(body)), isName ? 600_000 : 20_000)));
  });
  const select = [
    "--endpoints",
    "heroes,rank,hero,roles,skill-combos,equipment,ratings",
    "--ranks",
    "all",
    "--days",
    "7",
  ];
  crawled = await runProcess("crawl", [...crawlOptions(upstream.url, data), ...select, "--allow-partial"]);
});
afterAll(() => folder[Symbol.dispose]());

/** The same answer with long names, titles and descriptions, and with a long key in each record. */
function lengthen(value: unknown, chars: number): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((element) => lengthen(element, chars));
  const entries = Object.entries(value).map(([key, member]) => {
    const isText = typeof member === "string" && /^(?:name|.*title|story|desc|.*name)$/.test(key) && member !== "";
    return [key, isText ? member + "y".repeat(chars) : lengthen(member, chars)];
  });
  if ("caption" in value) entries.push(["k".repeat(1000), true]);
  return Object.fromEntries(entries);
}

test("is crawled and published, and its tables say what they have cut", () => {
  expect([crawled.code, crawled.stderr]).toEqual([0, expect.any(String)]);
  expect(crawled.stdout.length + crawled.stderr.length).toBeLessThan(100_000);
  const file = fileOf(data);
  expect(queryFile(file, "SELECT DISTINCT column_name FROM misfit WHERE kind = 'cut' AND table_name = 'hero'")).toEqual(
    [{ column_name: "name" }],
  );
  expect(queryFile(file, "SELECT max(length(name)) AS most FROM hero_text")).toEqual([{ most: 200 }]);
  expect(queryFile(file, "SELECT count(DISTINCT lang) AS langs FROM hero_text")).toEqual([{ langs: 17 }]);
});

test("is pulled, served as it came by the API, and in short by every page and message", async () => {
  const other = join(folder.path, "other");
  await using first = await startServe(["--data", data]);
  const pulled = await runProcess("pull", [first.url, "--data", other]);
  expect([pulled.code, pulled.stderr]).toEqual([0, ""]);
  await first.stop();
  rmSync(data, { recursive: true });
  await using served = await startServe(["--data", other]);
  const ask = async (path: string, ...statuses: number[]) => {
    const response = await fetch(served.url + path);
    expect([path, statuses.includes(response.status)]).toEqual([path, true]);
    return response.text();
  };
  for (const lang of ["en", "th", "ar"]) {
    for (const { route } of PAGES) {
      const page = await ask(`${route.replace("{id}", "1")}?lang=${lang}`, 200);
      expect([route, page.length < 2_000_000]).toEqual([route, true]);
      expect([route, /y{201}/.test(page.replaceAll(/<(p|blockquote|td|dd)\b[\s\S]*?<\/\1>/g, ""))]).toEqual([
        route,
        false,
      ]);
    }
    expect((await ask(`/api/heroes?lang=${lang}`, 200)).length).toBeGreaterThan(1_800_000);
    expect((await ask(`/api/heroes/rank?lang=${lang}&rank=all&days=7`, 200)).length).toBeGreaterThan(1_800_000);
    expect((await ask(`/api/heroes/zz?lang=${lang}`, 404)).length).toBeLessThan(2000);
    await ask(`/heroes/zz?lang=${lang}`, 404);
  }
  await ask("/health", 200);
  await ask("/changes.atom", 200);
  await ask("/llms.txt", 200);
  expect((await served.stop()).code).toBe(0);
});
