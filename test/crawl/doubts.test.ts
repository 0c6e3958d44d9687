import { describe, expect, test } from "vitest";
import { fileOf } from "../helpers/data-folder.ts";
import { countAgain, crawlOn } from "../helpers/doubted.ts";
import { type Ended, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startOld } from "../helpers/upstream/old.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const doubtsIn = (file: string) =>
  queryFile<{ check_name: string; slices: number }>(
    file,
    "SELECT check_name, count(*) AS slices FROM doubt GROUP BY 1 ORDER BY 1",
  );

const eventsOf = (ended: Ended, name: string) => ended.events.filter(({ event }) => event === name);

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

test("an old rank list is seen beside one in another language that is not", async () => {
  using folder = temporaryFolder();
  let left = 1;
  await using upstream = await startUpstream(4, undefined, (path, body) => {
    if (left === 0 || !/^\/api\/heroes\/rank\?rank=glory&days=7&.*lang=en/.test(path)) return body;
    left -= 1;
    return body.replaceAll(/"main_hero_win_rate":[\d.]+/g, '"main_hero_win_rate":0.111');
  });
  const words = ["--endpoints", "rank,counters", "--languages", "de,en"];
  const ended = await crawlOn("2026-09-21T14:00:00Z", upstream.url, folder.path, ...words);
  expect([ended.stderr, ended.code]).toEqual(["", 0]);
  expect(eventsOf(ended, "asking-again").map(({ what }) => what)).toContain(
    "counters rank=glory days=7: 4 heroes with other rates than in the rank list",
  );
  expect(queryFile(fileOf(folder.path), "SELECT * FROM hero_rate WHERE win_rate = 0.111")).toEqual([]);
});

test("stale answers in one language cost a few requests, and the next night in English alone has lost nothing", async () => {
  using folder = temporaryFolder();
  await using old = await startOld(5, /^\/api\/heroes\/\d+\/counters.*lang=de/);
  const words = ["--endpoints", "rank,stats,counters"];
  const languages = ["--languages", "en,de,ja,ru,th"];
  const first = await crawlOn("2026-09-22T14:00:00Z", old.url, folder.path, ...words, ...languages);
  expect([first.stderr, first.code]).toEqual(["", 0]);
  expect(eventsOf(first, "widened")).toEqual([]);
  const file = fileOf(folder.path);
  expect(queryFile(file, "SELECT DISTINCT lang FROM coverage WHERE dataset = 'counters'")).toEqual([{ lang: "en" }]);
  // Two samples, each with the English one, twice.
  expect(countAgain(old.asked, /counters/)).toBeLessThanOrEqual(8);
  const second = await crawlOn("2026-09-23T14:00:00Z", old.url, folder.path, ...words, "--languages", "en");
  expect([second.stderr, [0, 2].includes(second.code ?? -1)]).toEqual(["", true]);
});

describe("a name that is not in the list of heroes", () => {
  const words = ["--endpoints", "rank,stats,counters", "--languages", "en,de,ja,ru,th"];
  const OTHER = /^\/api\/heroes\/2\/counters\?rank=glory.*lang=en/;
  test.for([
    ["of an old answer heals, and costs one request for each", 1, 2, []],
    ["for good is asked for itself in all languages", Number.POSITIVE_INFINITY, 1, ["de", "en", "ja", "ru", "th"]],
  ] as const)("%s", async ([, times, again, languages]) => {
    using folder = temporaryFolder();
    const seen = new Map<string, number>();
    await using upstream = await startUpstream(5, undefined, (path, body) => {
      const nth = (seen.get(path) ?? 0) + 1;
      seen.set(path, nth);
      return OTHER.test(path) && nth <= times ? body.replace(/"name":"[^"]*"/, '"name":"Of Old"') : body;
    });
    const ended = await crawlOn("2026-09-22T14:00:00Z", upstream.url, folder.path, ...words);
    expect([ended.stderr, ended.code]).toEqual(["", 0]);
    expect(countAgain(upstream.asked, OTHER)).toBe(again);
    const found = queryFile<{ lang: string }>(
      fileOf(folder.path),
      "SELECT DISTINCT lang FROM coverage WHERE dataset = 'counters' AND hero_id = 2 AND rank = 'glory' ORDER BY lang",
    );
    expect(found.map(({ lang }) => lang)).toEqual(languages.length > 0 ? languages : ["en"]);
  });
});

test("a list of heroes whose names were damaged once is asked again, and costs no other language", async () => {
  const words = ["--endpoints", "relations,stats,counters", "--languages", "en,ja,de,th"];
  const isList = (path: string) => path.startsWith("/api/heroes?size=200") && path.includes("lang=en");
  const count = async (damaged: number) => {
    using folder = temporaryFolder();
    let left = damaged;
    await using upstream = await startUpstream(10, undefined, (path, body) => {
      if (!isList(path) || left === 0) return body;
      left -= 1;
      return body.replaceAll('"name":"', '"name":"x');
    });
    const { code, stderr } = await crawlOn("2026-09-21T14:00:00Z", upstream.url, folder.path, ...words);
    expect([stderr, code, doubtsIn(fileOf(folder.path))]).toEqual(["", 0, []]);
    return upstream.asked.length;
  };
  const [whole, damaged] = [await count(0), await count(1)];
  // The list, and one answer of each endpoint.
  expect(damaged).toBeLessThanOrEqual(whole + 4);
});

test("tables that are stamped by days say which of their answers are of another day", async () => {
  using folder = temporaryFolder();
  const stuck = /^\/api\/academy\/heroes\/2\/win-rate\/timeline/;
  await using old = await startOld(4, stuck);
  const ended = await crawlOn("2026-09-22T14:00:00Z", old.url, folder.path, "--endpoints", "timeline");
  expect([ended.stderr, ended.code]).toEqual(["", 0]);
  const stale = queryFile<{ hero_id: number; slices: number }>(
    fileOf(folder.path),
    "SELECT hero_id, count(*) AS slices FROM coverage WHERE stale = 1 GROUP BY 1",
  );
  expect(stale).toEqual([{ hero_id: 2, slices: expect.any(Number) }]);
  expect(queryFile(fileOf(folder.path), "SELECT DISTINCT check_name FROM doubt")).toEqual([
    { check_name: "other-batch" },
  ]);
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
