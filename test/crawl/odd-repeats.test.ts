import type { ServerResponse } from "node:http";
import { request } from "undici";
import { expect, test } from "vitest";
import { failToCrawl } from "../helpers/crawl-here.ts";
import { crawlOptions, runCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { type Rewrite, startUpstream } from "../helpers/upstream/upstream.ts";

const HEROES = 6;
const OF_STATS = /^\/api\/heroes\/\d+\/stats/;
const spoil = (body: string) => body.replace(/"main_hero_ban_rate":[\d.]+/, '"main_hero_ban_rate":""');

/** Crawls an upstream once, and tells what was asked and what came of it. */
async function crawlThrough(data: string, rewrite: Rewrite) {
  await using upstream = await startUpstream(HEROES, undefined, rewrite);
  const options = ["--upstream", upstream.url, "--data", data, "--rate", "5000", "--attempts", "1", "--allow-partial"];
  const { code, stderr, events } = await runCommand("crawl", [...options, "--endpoints", "stats", "--languages", "en"]);
  expect([code, stderr]).toEqual([0, ""]);
  const file = String(events.find(({ event }) => event === "published")?.file);
  const rates = queryFile<{ rate: unknown }>(
    file,
    "SELECT json ->> '$.data.main_hero_ban_rate' AS rate FROM record WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'stats')",
  );
  const stats = upstream.asked.filter((path) => OF_STATS.test(path));
  const odd = events.filter(({ event, reason }) => event === "fault" && reason === "odd");
  return { odd, empty: rates.filter(({ rate }) => rate === "").length, again: stats.length - new Set(stats).size };
}

test("damage on the way heals: what is not as documented is asked for once more", async () => {
  using folder = temporaryFolder();
  const seen = new Set<string>();
  const once: Rewrite = (path, body) => {
    if (!OF_STATS.test(path) || seen.has(path)) return body;
    seen.add(path);
    return spoil(body);
  };
  const { odd, empty, again } = await crawlThrough(folder.path, once);
  expect({ empty, again }).toEqual({ empty: 0, again: HEROES * 6 });
  expect(odd[0]).toMatchObject({ dataset: "stats", detail: expect.stringMatching(/^data\.main_hero_ban_rate: /) });
});

test("an odd value that stays is taken, and costs a few requests however many slices have it", async () => {
  using folder = temporaryFolder();
  const always: Rewrite = (path, body) => (OF_STATS.test(path) ? spoil(body) : body);
  const { empty, again } = await crawlThrough(folder.path, always);
  expect(empty).toBe(HEROES * 6);
  expect(again).toBe(3);
});

test("a crawl that has given up stays so, even if an answer on its way still comes", async () => {
  using folder = temporaryFolder();
  const [held, givenUp] = [Promise.withResolvers<ServerResponse>(), Promise.withResolvers<void>()];
  let asked = 0;
  await using upstream = await startUpstream(HEROES, (req, res) => {
    asked += 1;
    if (asked < 12) return false;
    if (asked === 12) held.resolve(res);
    else req.socket.destroy();
    return true;
  });
  let failed = 0;
  const onSlice = (isFailed: boolean) => {
    failed = isFailed ? failed + 1 : 0;
    if (failed === 50) givenUp.resolve();
  };
  const words = [...crawlOptions(upstream.url, folder.path), "--attempts", "1", "--timeout", "600"];
  const ended = failToCrawl([...words, "--languages", "en", "--endpoints", "stats,trends,counters,relations"], {
    onSlice,
  });
  const late = await held.promise;
  await givenUp.promise;
  const before = asked;
  const answer = await request(`${upstream.sample.url}${late.req.url}`);
  late.writeHead(200, { "content-type": "application/json" }).end(await answer.body.text());
  expect((await ended)[0]).toBeGreaterThan(2);
  // What was under way when it gave up.
  expect(asked - before).toBeLessThan(8);
});
