import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hashFile } from "../../src/base/files.ts";
import { openJournal } from "../../src/journal/open.ts";
import { buildSnapshot } from "../../src/snapshot/build/build.ts";
import type { StaleRow } from "../../src/snapshot/read/summary.ts";
import { fileOf, manifestOf, pointerOf } from "../helpers/data-folder.ts";
import { type Ended, runCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startOld } from "../helpers/upstream/old.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const EPOCH = { SOURCE_DATE_EPOCH: "1790000000" };
const PART = ["--ranks", "epic,glory", "--days", "1,7", "--languages", "en,de", "--allow-partial"];
const FUTURE = 4_000_000_000_000;

/** Where the other endpoints do not matter. */
const NUMBERS = ["--endpoints", "rank,stats,counters"];

const crawl = (upstream: string, data: string, ...more: string[]) =>
  runCommand("crawl", ["--upstream", upstream, "--data", data, "--rate", "5000", ...PART, ...more], EPOCH);

const eventsOf = (ended: Ended, name: string) => ended.events.filter(({ event }) => event === name);
const doubtsOf = (ended: Ended) => eventsOf(ended, "doubt").map(({ check, what }) => [check, what]);

/** Gives each record of an answer the stamp that is made from its own. */
function restamp(body: string, change: (stamp: number) => number): string {
  const { data, ...rest } = JSON.parse(body) as { data: { records: { _updatedAt: number }[] } };
  const records = data.records.map((record) => ({ ...record, _updatedAt: change(record._updatedAt) }));
  return JSON.stringify({ ...rest, data: { ...data, records } });
}

function readNight(data: string) {
  const { stale } = manifestOf(data) as { stale: StaleRow[] };
  return { pointer: pointerOf(data), file: fileOf(data), stale };
}

/** How often each English answer was asked for, where that was more than once. */
function askedAgain(asked: readonly string[]): Record<string, number> {
  const paths = Map.groupBy(asked, (path) => path);
  return Object.fromEntries(
    [...paths]
      .filter(([path, times]) => times.length > 1 && /^\/api\/(?:academy\/)?heroes\/\d+\/.*lang=en/.test(path))
      .map(([path, times]) => [path.replace(/&?(?:size|index|lang)=\w+/g, ""), times.length]),
  );
}

describe("a stamp that does not move when it is asked again", () => {
  test("is published when it is older or from the far future, and told by the file, the report, the manifest and `verify`", async () => {
    using folder = temporaryFolder();
    const isAhead = (path: string) =>
      /^\/api\/heroes\/3\/counters/.test(path) && /days=7/.test(path) && /epic/.test(path);
    await using upstream = await startUpstream(8, undefined, (path, body) => {
      if (/^\/api\/heroes\/2\/stats/.test(path)) return restamp(body, (stamp) => stamp - 5_000);
      return isAhead(path) ? restamp(body, () => FUTURE) : body;
    });
    const ended = await crawl(upstream.url, folder.path, ...NUMBERS);
    expect([ended.stderr, ended.code]).toEqual(["", 0]);
    const { pointer, file, stale } = readNight(folder.path);
    const ofOne = { lane: null, lang: "en", slices: 1, of: 8 };
    expect(stale).toMatchObject(
      [
        {
          ...ofOne,
          dataset: "counters",
          rank: "epic",
          days: 7,
          batch: new Date(FUTURE).toISOString(),
          example: /^hero=3&/,
        },
        { ...ofOne, dataset: "stats", rank: "epic", days: null, example: /^hero=2&rank=epic&lang=en$/ },
        { ...ofOne, dataset: "stats", rank: "glory", days: null, example: /^hero=2&rank=glory&lang=en$/ },
      ].map(({ example, ...row }) => ({ ...row, example: expect.stringMatching(example) })),
    );
    const [, ...older] = stale;
    for (const { batch, most } of older) expect(Date.parse(most) - Date.parse(batch)).toBe(5_000);
    expect(doubtsOf(ended).toSorted()).toEqual(
      stale
        .map(({ dataset, rank, days, batch, most }) => {
          const table = `${dataset} rank=${rank}${days === null ? "" : ` days=${days}`}`;
          return ["other-batch", `${table}: stamps ${[batch, most].sort().join(", ")}`];
        })
        .toSorted(),
    );
    expect(eventsOf(ended, "stale").at(-1)).toEqual({ event: "stale", stale });
    expect(queryFile(file, "SELECT slice, batch FROM coverage WHERE stale = 1 ORDER BY dataset, slice")).toEqual(
      stale.map(({ example, batch }) => ({ slice: example, batch })),
    );
    const again = askedAgain(upstream.asked);
    for (const rank of ["epic", "glory"]) expect(again[`/api/heroes/2/stats?rank=${rank}`]).toBe(1 + 2);
    // The one that is ahead as well, and of the others two at a time.
    const ahead = Object.entries(again).filter(([path]) => path.includes("counters"));
    expect(ahead.filter(([path]) => !/counters\?(?:rank=epic&days=7|days=7&rank=epic)$/.test(path))).toEqual([]);
    expect(ahead.reduce((sum, [, times]) => sum + times - 1, 0)).toBe(2 + 4);
    expect(Object.keys(again)).toHaveLength(2 + ahead.length);

    const verify = await runCommand("verify", ["--data", folder.path]);
    expect(verify.code).toBe(0);
    expect(verify.stdout).toMatch(
      /Stale at the upstream.*│ stats +│ epic +│ .*│ +1 │ +8 │ \S{24} │ \S{24} │ hero=2&rank/s,
    );

    const [name = ""] = readdirSync(join(folder.path, "journals")).filter((one) => one.endsWith(".journal"));
    const journal = openJournal(join(folder.path, "journals", name));
    await buildSnapshot(journal, join(folder.path, "again.sqlite"));
    journal.close();
    expect(await hashFile(join(folder.path, "again.sqlite"))).toBe(pointer.sha256);
  });

  test("in all tables of one hero leaves the others as they are, and its rates are held against nothing", async () => {
    using folder = temporaryFolder();
    await using yesterday = await startOld(
      4,
      /^\/api\/(?:academy\/)?heroes\/2\/(?:stats|counters|compatibility|teammates)/,
    );
    const ended = await crawl(yesterday.url, folder.path);
    expect([ended.stderr, ended.code]).toEqual(["", 0]);
    const { file, stale } = readNight(folder.path);
    const tables = queryFile<{ dataset: string; rank: string; days: number | null }>(
      file,
      `SELECT DISTINCT dataset, rank, days FROM coverage WHERE length(batch) = 24
       ORDER BY dataset, rank, days`,
    );
    expect(tables.length).toBeGreaterThan(10);
    expect(stale.map(({ dataset, rank, days }) => ({ dataset, rank, days }))).toEqual(tables);
    for (const row of stale)
      expect(row).toMatchObject({ slices: 1, of: 4, example: expect.stringMatching(/^hero=2&/) });
    expect(new Set(doubtsOf(ended).map(([check]) => check))).toEqual(new Set(["other-batch"]));
    const again = Object.entries(askedAgain(yesterday.asked));
    // Lanes in which a hero is never played are empty, and get a second look.
    const [looks, others] = [true, false].map((isLane) => again.filter(([path]) => path.includes("?lane=") === isLane));
    expect(new Set(looks?.map(([, times]) => times))).toEqual(new Set([2]));
    expect(others?.filter(([path, times]) => !path.includes("/heroes/2/") || times !== 3)).toEqual([]);
  });

  test("is told also when the others roll over in mid-crawl, which all come to one batch", async () => {
    using folder = temporaryFolder();
    await using old = await startOld(5, /^\/api\/heroes\/2\/stats\?.*rank=epic/, 1, 150);
    const ended = await crawl(old.url, folder.path);
    expect([ended.stderr, ended.code]).toEqual(["", 0]);
    expect(eventsOf(ended, "asking-again").length).toBeGreaterThan(5);
    const { file, stale } = readNight(folder.path);
    expect(stale).toMatchObject([{ dataset: "stats", rank: "epic", slices: 1, of: 5 }]);
    const batches = queryFile<{ batches: number }>(
      file,
      `SELECT count(DISTINCT batch) AS batches FROM coverage WHERE stale = 0 AND length(batch) = 24
       GROUP BY dataset, rank, days`,
    );
    expect(new Set(batches.map((row) => row.batches))).toEqual(new Set([1]));
    const days = queryFile<{ day: string }>(
      file,
      "SELECT DISTINCT data_date AS day FROM coverage WHERE stale = 0 AND length(batch) = 24",
    );
    expect(days).toHaveLength(1);
  });
});

describe("a stamp that moves", () => {
  test("after it has come back as it was, or back from the future, is taken, and nothing is stale", async () => {
    using calm = temporaryFolder();
    using moved = temporaryFolder();
    /** How many answers are yet to have another stamp. */
    const moving = [
      { slice: ["/2/stats", "rank=glory"], left: 0, first: 2, shift: -5_000 },
      { slice: ["/2/counters", "rank=glory", "days=7"], left: 0, first: 1, shift: FUTURE },
    ];
    await using upstream = await startUpstream(4, undefined, (path, body) => {
      const one = moving.find(({ slice }) => [...slice, "lang=en"].every((part) => path.includes(part)));
      if (!one || one.left === 0) return body;
      one.left -= 1;
      return restamp(body, (stamp) => stamp + one.shift);
    });
    expect((await crawl(upstream.url, calm.path, ...NUMBERS)).code).toBe(0);
    for (const one of moving) one.left = one.first;
    const ended = await crawl(upstream.url, moved.path, ...NUMBERS);
    expect([ended.stderr, ended.code]).toEqual(["", 0]);
    expect(doubtsOf(ended)).toEqual([]);
    expect(readNight(moved.path).stale).toEqual([]);
    expect(readNight(moved.path).pointer).toEqual(readNight(calm.path).pointer);
  });

  test.for([
    ["of one hero", /^\/api\/heroes\/2\/stats\?/, 1],
    ["of all heroes", /^\/api\/heroes\/\d+\/stats\?/, 3],
  ] as const)("%s with every answer costs six looks, and the night says so", async ([, moving, least]) => {
    using folder = temporaryFolder();
    let answers = 0;
    await using upstream = await startUpstream(4, undefined, (path, body) => {
      if (!moving.test(path)) return body;
      answers += 1;
      return restamp(body, (stamp) => stamp + answers);
    });
    const { code, stderr } = await crawl(upstream.url, folder.path, ...NUMBERS);
    expect([stderr, code]).toEqual(["", 0]);
    const { file, stale } = readNight(folder.path);
    expect(stale.every(({ dataset }) => dataset === "stats")).toBe(true);
    expect(stale.reduce((sum, { slices }) => sum + slices, 0)).toBeGreaterThanOrEqual(2 * least);
    expect(queryFile(file, "SELECT DISTINCT dataset FROM doubt JOIN coverage USING (slice_id)")).toEqual([
      { dataset: "stats" },
    ]);
    expect(Object.values(askedAgain(upstream.asked)).every((times) => times <= 1 + 6)).toBe(true);
  });
});

test("the day of numbers is that of the batch or the end of a series; a rank list has that of the heroes' own rates, if they were asked", async () => {
  using folder = temporaryFolder();
  await using upstream = await startUpstream(3);
  const words = ["--endpoints", "heroes,rank,counters,trends,timeline", "--languages", "en"];
  const night = async (...more: string[]) => {
    const ended = await crawl(upstream.url, folder.path, ...words, ...more);
    expect([ended.stderr, ended.code]).toEqual(["", 0]);
    const rows = queryFile<{ dataset: string; batch: string | null; data_date: string | null; ends: string }>(
      fileOf(folder.path),
      `SELECT DISTINCT dataset, substr(batch, 1, 10) AS batch, data_date, (SELECT max(date) FROM hero_trend) AS ends
       FROM coverage WHERE status = 'captured'`,
    );
    expect(rows.length).toBe(5);
    return Object.fromEntries(rows.map(({ dataset, ...row }) => [dataset, row]));
  };
  const { heroes, rank, counters, trends, timeline } = await night();
  expect([heroes?.data_date, rank?.data_date]).toEqual([null, counters?.batch]);
  expect([counters?.data_date, timeline?.data_date]).toEqual([counters?.batch, timeline?.batch]);
  expect(trends?.data_date).toBe(trends?.ends);
  upstream.sample.set({ day: 1 });
  const next = await night("--without", "counters", "--fresh");
  expect([next.counters?.data_date, next.rank?.data_date]).toEqual([counters?.data_date, null]);
  expect(next.trends?.data_date).toBe(next.trends?.ends);
  expect(next.trends?.ends).not.toBe(trends?.ends);
});
