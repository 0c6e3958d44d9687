/**
 * Empty answers that need not be empty: an answer that comes late and unasked, a table that was emptied, and lists of the
 * game, which are never empty.
 */
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { beginDay, fileOf } from "../helpers/data-folder.ts";
import { crawlAt, startRough } from "../helpers/misbehaviours/stories.ts";
import { crawlOptions, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const EMPTY = '{"code":0,"message":"OK","data":{"records":[],"total":0}}';

const idsIn = (data: string, status: string) =>
  queryFile<{ id: string }>(
    fileOf(data),
    `SELECT dataset || '?' || slice AS id FROM coverage WHERE status = '${status}' ORDER BY id`,
  ).map(({ id }) => id);

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

const DAY = 86_400;
const FIRST = Date.parse("2026-10-01T03:00:00Z") / 1000;

/** Nights over an upstream whose answers to some paths are empty, or a page with status 500. */
async function startNights(heroes: number, words: readonly string[]) {
  const folder = temporaryFolder();
  let change: (path: string, nth: number) => "empty" | "error" | undefined = () => undefined;
  let asked: { path: string; isFirstOfConnection: boolean }[] = [];
  const sockets = new WeakSet<Socket>();
  const upstream = await startUpstream(heroes, (req, res) => {
    const path = req.url ?? "";
    asked.push({ path, isFirstOfConnection: !sockets.has(req.socket) });
    sockets.add(req.socket);
    const answer = change(path, asked.filter((one) => one.path === path).length);
    if (answer === "empty") res.writeHead(200, { "content-type": "application/json" }).end(EMPTY);
    if (answer === "error") res.writeHead(500).end();
    return answer !== undefined;
  });
  function begin(day: number, answer: typeof change, more: readonly string[]) {
    [change, asked] = [answer, []];
    const clock = { SOURCE_DATE_EPOCH: String(FIRST + day * DAY) };
    beginDay(folder.path, clock.SOURCE_DATE_EPOCH);
    const options = [...crawlOptions(upstream.url, folder.path), ...words, ...more, "--allow-partial", "--json"];
    return [options, clock] as const;
  }

  return {
    data: folder.path,
    async crawl(day: number, answer: typeof change, more: readonly string[] = []) {
      const [options, clock] = begin(day, answer, more);
      return { ...(await runCommand("crawl", options, clock)), asked };
    },
    /** Crawls in a process that is killed as it asks for what is meant for the second time. */
    async crawlKilled(day: number, isMeant: (path: string) => boolean) {
      const [options, clock] = begin(
        day,
        (path, nth) => {
          if (isMeant(path) && nth === 2) child.kill("SIGKILL");
          return isMeant(path) ? "empty" : undefined;
        },
        [],
      );
      const { child, ended } = startCommand("crawl", options, clock);
      return await ended;
    },
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const honest = () => undefined;

describe("a table that had records and has none", () => {
  const words = ["--endpoints", "heroes,stats", "--languages", "en", "--ranks", "all,glory"];
  const isOfTable = (path: string) => path.includes("/stats?") && path.includes("rank=glory");
  const isMeant = (path: string) => isOfTable(path) && path.includes("/heroes/3/");
  const emptied = (path: string) => (isOfTable(path) ? "empty" : undefined);

  const hows: { how: string[] }[] = [{ how: [] }, { how: ["--reuse"] }, { how: ["--budget", "500"] }];
  test.for(hows)("takes 20 second looks, and is carried over as it was $how", async ({ how }) => {
    await using nights = await startNights(25, words);
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
  });

  test("and whose second look fails is not empty", async () => {
    await using nights = await startNights(3, words);
    expect((await nights.crawl(1, honest)).code).toBe(0);
    await nights.crawl(2, (path, nth) => (!isMeant(path) ? undefined : nth === 1 ? "empty" : "error"), [
      "--attempts",
      "1",
    ]);
    expect([idsIn(nights.data, "empty"), idsIn(nights.data, "failed")]).toEqual([[], []]);
    const reasons = "SELECT slice, reason FROM coverage WHERE reason IS NOT NULL";
    expect(queryFile(fileOf(nights.data), reasons)).toEqual([
      { slice: "hero=3&rank=glory&lang=en", reason: "server-error" },
    ]);
  });

  test("and is killed before the second look, which the next run begins with", async () => {
    await using nights = await startNights(3, words);
    expect((await nights.crawlKilled(1, isMeant)).signal).toBe("SIGKILL");
    const next = await nights.crawl(1, (path) => (isMeant(path) ? "empty" : undefined));
    expect(next.asked.filter(({ path }) => isMeant(path))).toMatchObject([{ isFirstOfConnection: true }]);
    expect(idsIn(nights.data, "empty")).toHaveLength(1);
  });
});

describe("a list of the game that stays empty", () => {
  const words = ["--endpoints", "heroes,emblems,stats", "--languages", "en", "--ranks", "all", "--attempts", "2"];
  const isOfList = (path: string) => path.includes("/emblems");
  const emptied = (path: string) => (isOfList(path) ? "empty" : undefined);

  test("is missing in a first night, after a second look", async () => {
    await using nights = await startNights(2, words);
    const { code, asked } = await nights.crawl(1, emptied);
    expect([code, idsIn(nights.data, "empty"), idsIn(nights.data, "failed")]).toEqual([0, [], ["emblems?lang=en"]]);
    expect(asked.filter(({ path }) => isOfList(path))[1]).toMatchObject({ isFirstOfConnection: true });
  });

  test.for([{ how: [] as string[] }, { how: ["--reuse"] }])("is carried over in each night $how", async ({ how }) => {
    await using nights = await startNights(2, words);
    expect((await nights.crawl(1, honest, how)).code).toBe(0);
    const codes: (number | null)[] = [];
    for (const day of [2, 3, 4, 5]) codes.push((await nights.crawl(day, emptied, how)).code);
    expect(codes).toEqual([0, 2, 2, 2]);
    expect(idsIn(nights.data, "captured")).toContain("emblems?lang=en");
  });
});
