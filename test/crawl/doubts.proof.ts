import { describe, expect, test } from "vitest";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { countAgain, crawlOn, PART } from "../helpers/doubted.ts";
import { startCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startOld } from "../helpers/upstream/old.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const doubtsIn = (file: string) =>
  queryFile<{ check_name: string; slices: number }>(
    file,
    "SELECT check_name, count(*) AS slices FROM doubt GROUP BY 1 ORDER BY 1",
  );

test("a crawl that is killed while it looks again goes on to the same bytes, and looks no more often", async () => {
  using whole = temporaryFolder();
  using killed = temporaryFolder();
  let running: ReturnType<typeof startCommand> | undefined;
  let next = 0;
  const kill = () => {
    if (running && upstream.asked.length === next) running.child.kill("SIGKILL");
    return false;
  };
  await using upstream = await startUpstream(4, kill, (path, body) => {
    if (path.startsWith("/api/heroes/rank?")) return body.replace('"main_heroid":4', '"main_heroid":999');
    return path.startsWith("/api/heroes/2/stats")
      ? body.replaceAll(/"_updatedAt":\d+/g, '"_updatedAt":4000000000000')
      : body;
  });
  const words = ["--endpoints", "rank,stats,counters", "--languages", "en,de", "--concurrency", "1"];
  const date = "2026-09-21T14:00:00Z";
  const again = () => countAgain(upstream.asked, /rank\?|stats/);
  expect((await crawlOn(date, upstream.url, whole.path, ...words)).code).toBe(0);
  const [requests, looks] = [upstream.asked.length, again()];
  expect(looks).toBeGreaterThan(5);
  upstream.asked.length = 0;
  const KILLS = [requests - 14, requests - 9, requests - 4];
  for (const at of KILLS) {
    next = at;
    const line = ["--upstream", upstream.url, "--data", killed.path, "--rate", "5000", ...PART, ...words];
    running = startCommand("crawl", line, { SOURCE_DATE_EPOCH: String(Date.parse(date) / 1000) });
    expect((await running.ended).signal).toBe("SIGKILL");
  }
  running = undefined;
  expect((await crawlOn(date, upstream.url, killed.path, ...words)).code).toBe(0);
  expect(pointerOf(killed.path)).toEqual(pointerOf(whole.path));
  // Of a run that is killed, what was under way is asked for again.
  expect(again()).toBeLessThanOrEqual(looks + 2 * KILLS.length);
});

describe("a hero whom the roster does not know", () => {
  test.for([[], ["--budget", "400"]])("is noted in the first night, and looked into no more %o", async (mode) => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(4, undefined, (path, body) =>
      path.startsWith("/api/heroes/rank?") ? body.replace('"main_heroid":4', '"main_heroid":999') : body,
    );
    const lists = /^\/api\/heroes\/rank\?/;
    const words = ["--endpoints", "rank,stats", "--languages", "en,de", ...mode];
    const first = await crawlOn("2026-09-21T14:00:00Z", upstream.url, folder.path, ...words);
    expect([first.stderr, first.code]).toEqual(["", 0]);
    // Two ranks in two windows and two languages.
    expect(doubtsIn(fileOf(folder.path))).toEqual([{ check_name: "unknown-heroes", slices: 8 }]);
    expect(countAgain(upstream.asked, lists)).toBe(2);
    upstream.asked.length = 0;
    upstream.sample.set({ day: 1 });
    const second = await crawlOn("2026-09-22T14:00:00Z", upstream.url, folder.path, ...words);
    expect([second.stderr, second.code]).toEqual(["", 0]);
    expect(countAgain(upstream.asked, lists)).toBe(0);
    expect(queryFile(fileOf(folder.path), "SELECT DISTINCT since FROM doubt")).toEqual([
      { since: "2026-09-21T14:00:00.000Z" },
    ]);
  });
});

describe("a batch that is older than that of the night before is not taken", () => {
  test.for([
    ["of one hero", /^\/api\/heroes\/2\/stats/, "hero_id = 2", 0],
    ["of a whole endpoint, which is then closed", /^\/api\/heroes\/\d+\/stats/, "true", 7],
  ] as const)("%s: the newer answers stay, with the reason", async ([, stuck, ofThem, ends]) => {
    using folder = temporaryFolder();
    const words = ["--endpoints", "rank,stats,counters", "--languages", "en"];
    await using upstream = await startUpstream(4);
    upstream.sample.set({ day: 1 });
    expect((await crawlOn("2026-09-22T14:00:00Z", upstream.url, folder.path, ...words)).code).toBe(0);
    const rows = `SELECT batch, reason, stale, asked_at FROM coverage WHERE dataset = 'stats' AND ${ofThem} ORDER BY slice`;
    const before = queryFile<{ batch: string }>(fileOf(folder.path), rows);
    await using old = await startOld(4, stuck, 2);
    const ended = await crawlOn("2026-09-23T14:00:00Z", old.url, folder.path, ...words);
    expect([ended.stderr, ended.code]).toEqual(["", ends]);
    expect(queryFile(fileOf(folder.path), rows)).toEqual(before.map((row) => ({ ...row, reason: "older" })));

    if (ends === 0) return;
    old.asked.length = 0;
    const next = await crawlOn("2026-09-24T14:00:00Z", old.url, folder.path, ...words);
    expect([next.stderr, next.code, next.events.filter(({ event }) => event === "opened")]).toEqual(["", 2, []]);
    expect(old.asked.filter((path) => stuck.test(path)).length).toBeLessThanOrEqual(10);
    expect(queryFile(fileOf(folder.path), rows)).toEqual(before.map((row) => ({ ...row, reason: "older" })));
  });

  test.for([
    ["a day that is written otherwise", "trends", /"date":"(\d{4})-(\d\d)-(\d\d)"/g, '"date":"$3.$2.$1"'],
    ["a stamp that counts seconds", "stats", /("_updatedAt":\d+)\d{3}/g, "$1"],
  ] as const)("%s is not older, and is taken", async ([, dataset, written, otherwise]) => {
    using folder = temporaryFolder();
    let isOtherwise = false;
    await using upstream = await startUpstream(4, undefined, (path, body) =>
      isOtherwise && path.includes(`/${dataset}`) ? body.replaceAll(written, otherwise) : body,
    );
    const words = ["--endpoints", `rank,${dataset}`, "--languages", "en"];
    expect((await crawlOn("2026-09-22T14:00:00Z", upstream.url, folder.path, ...words)).code).toBe(0);
    upstream.sample.set({ day: 1 });
    isOtherwise = true;
    const ended = await crawlOn("2026-09-23T14:00:00Z", upstream.url, folder.path, ...words);
    expect([ended.stderr, ended.code]).toEqual(["", 0]);
    const rows = `SELECT DISTINCT status, reason, batch FROM coverage WHERE dataset = '${dataset}'`;
    expect(queryFile(fileOf(folder.path), rows)).toEqual([{ status: "captured", reason: null, batch: null }]);
  });
});
