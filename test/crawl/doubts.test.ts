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
