/** Empty answers that need not be empty: those that come late and unasked, and in other modes of a crawl. */
import { describe, expect, test } from "vitest";
import { fileOf } from "../helpers/data-folder.ts";
import { honest, idsIn, startEmptiedNights } from "../helpers/emptied-nights.ts";
import { crawlAt, startRough } from "../helpers/misbehaviours/stories.ts";
import { startNights } from "../helpers/own-nights.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";

describe("what comes late and unasked is not taken for the answer of a slice", () => {
  const given = ["--ranks", "all,glory", "--days", "7", "--languages", "en,ja", "--allow-partial", "--rate", "500"];
  // Lists of the game, slices that are empty in truth, and others.
  const words = ["--endpoints", "heroes,equipment,emblems,stats,relations,timeline", ...given];
  // If a text is odd, other languages are asked for too.
  const planned = "dataset IN ('heroes', 'equipment', 'emblems') OR slice LIKE '%lang=en'";
  const held = (data: string) =>
    queryFile(fileOf(data), `SELECT dataset, slice, status, records FROM coverage WHERE ${planned} ORDER BY 1, 2`);

  test.for(["second-answer-before-the-next", "answer-of-the-one-before"] as const)("%s", async (name) => {
    await using upstream = await startRough(3);
    using first = temporaryFolder();
    using fresh = temporaryFolder();
    expect((await crawlAt(upstream.url, first.path, ...words)).code).toBe(0);
    const [empty, records] = [idsIn(first.path, "empty"), held(first.path)];
    expect(empty.length).toBeGreaterThan(0);
    upstream.rules = [{ name }];
    for (const data of [first.path, fresh.path]) {
      const { code, stderr } = await crawlAt(upstream.url, data, ...words);
      expect([[0, 2].includes(code ?? -1), stderr]).toEqual([true, ""]);
      expect(idsIn(data, "empty")).toEqual(empty);
      expect(held(data)).toEqual(records);
    }
  });
});

const EN = ["--languages", "en", "--attempts", "2"];

test.for([{ how: [] as string[] }, { how: ["--reuse"] }, { how: ["--budget", "500"] }])(
  "a table that had records and has none takes 20 second looks, and is carried over as it was $how",
  async ({ how }) => {
    const isOfTable = (path: string) => path.includes("/stats?") && path.includes("rank=glory");
    const emptied = (path: string) => (isOfTable(path) ? "empty" : undefined);
    await using nights = await startEmptiedNights(25, ["--endpoints", "heroes,stats", "--ranks", "all,glory", ...EN]);
    expect((await nights.crawl(1, honest, how)).code).toBe(0);
    const { code, stderr, asked } = await nights.crawl(2, emptied, [...how, "--max-missing", "100"]);
    expect([code, stderr]).toEqual([7, ""]);
    expect(idsIn(nights.data, "empty")).toEqual([]);
    const ofTable = asked.filter(({ path }) => isOfTable(path));
    expect(ofTable).toHaveLength(25 + 20);
    const seconds = ofTable.filter(({ path }, place) => ofTable.findIndex((one) => one.path === path) < place);
    expect(seconds.map(({ isFirstOfConnection }) => isFirstOfConnection)).toEqual(Array(20).fill(true));
    const third = await nights.crawl(3, emptied, how);
    expect(third.asked.filter(({ path }) => isOfTable(path)).length).toBeLessThanOrEqual(10);
  },
);

test.for([{ how: [] as string[] }, { how: ["--reuse"] }])(
  "a list of the game that stays empty is carried over in each night $how",
  async ({ how }) => {
    const emptied = (path: string) => (path.includes("/emblems") ? "empty" : undefined);
    await using nights = await startEmptiedNights(2, ["--endpoints", "heroes,emblems,stats", "--ranks", "all", ...EN]);
    expect((await nights.crawl(1, honest, how)).code).toBe(0);
    const codes: (number | null)[] = [];
    for (const day of [2, 3, 4, 5]) codes.push((await nights.crawl(day, emptied, how)).code);
    expect(codes).toEqual([0, 2, 2, 2]);
    expect(idsIn(nights.data, "captured")).toContain("emblems?lang=en");
  },
);

test("a table that had records and has none and is killed before the second look is looked into again by the next run", async () => {
  const isMeant = (path: string) => path.includes("/heroes/3/stats?") && path.includes("rank=glory");
  await using nights = await startEmptiedNights(3, [
    "--endpoints",
    "heroes,stats",
    "--ranks",
    "all,glory",
    "--languages",
    "en",
  ]);
  expect((await nights.crawlKilled(1, isMeant)).signal).toBe("SIGKILL");
  const next = await nights.crawl(1, (path) => (isMeant(path) ? "empty" : undefined));
  expect(next.asked.filter(({ path }) => isMeant(path))).toMatchObject([{ isFirstOfConnection: true }]);
  expect(idsIn(nights.data, "empty")).toHaveLength(1);
});

test("an odd answer whose second look is killed, and then fails, is kept", async () => {
  const isMeant = (path: string) => path.startsWith("/api/heroes/2/stats?");
  const words = ["--endpoints", "heroes,relations,stats", "--languages", "en", "--ranks", "all", "--days", "7"];
  await using nights = await startNights(3, words);
  let kill: (() => void) | undefined;
  let times = 0;
  nights.change({
    rewrite: (path, body) => (isMeant(path) ? body.replace(/"head":"[^"]*"/, '"head":7') : body),
    intercept(req, res) {
      if (!isMeant(req.url ?? "")) return false;
      times += 1;
      if (times === 2) kill?.();
      if (times > 2) res.writeHead(500).end();
      return times > 1;
    },
  });
  const { child, ended } = nights.start(0);
  kill = () => child.kill("SIGKILL");
  expect((await ended).signal).toBe("SIGKILL");
  const next = await nights.crawl(0);
  expect([next.code, next.stderr, times > 2]).toEqual([0, "", true]);
  expect(nights.coverage().filter(({ status, reason }) => status === "failed" || reason !== null)).toEqual([]);
});
