import { readdirSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import type { Form } from "../../src/extra/sample/troubles/forms.ts";
import { pointerOf } from "../helpers/data-folder.ts";
import { crawlOptions, runCommand, temporaryFolder } from "../helpers/run.ts";
import { dateOf, ofDatasets, startSampleNights } from "../helpers/sample-nights.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";
import { startSource } from "../helpers/upstream/source.ts";
import { type Intercept, startUpstream } from "../helpers/upstream/upstream.ts";

const startNights = (endpoints = "heroes,relations,versions,stats,ratings,rating") => startSampleNights(endpoints);

const VOTES = ofDatasets("ratings", "rating");
const RELATIONS = ofDatasets("relations");

describe("an endpoint of which nothing can be had", () => {
  test("is closed and costs no night", async () => {
    await using nights = await startNights("heroes,relations,stats,trends,versions");
    nights.trouble({ of: RELATIONS, form: "status 500" });
    const { code, stderr, parts } = await nights.crawl(1);
    expect([code, stderr, parts]).toEqual([7, "", [expect.stringMatching(/^relations: /)]]);
  });

  test("is said with its date to whoever asks for it, builds or pulls the night, and verifies it", async () => {
    await using nights = await startNights();
    nights.trouble({ of: VOTES, form: "request-id" });
    expect((await nights.crawl(2)).code).toBe(7);
    const get = (path: string) => runCommand("serve", ["--data", nights.data, "--get", path]);
    for (const path of ["/api/academy/heroes/ratings", "/api/academy/heroes/ratings/3275335?lang=ja"])
      expect(JSON.parse((await get(path)).stdout).error).toMatchObject({
        code: "SLICE_NOT_CAPTURED",
        hint: expect.stringContaining(`since ${dateOf(2)}T04:00:00.000Z (200, code 10407)`),
      });
    // The words of the service have the id of a request in them.
    expect(JSON.stringify(queryFile(nights.latest(), "SELECT * FROM closed_part"))).not.toContain("req-");
    await using source = await startSource(nights.data);
    using other = temporaryFolder();
    const pulled = await runCommand("pull", [source.url, "--data", other.path]);
    expect([pulled.code, pulled.stdout]).toEqual([
      0,
      expect.stringContaining("newly closed: ratings, rating: 200, code 10407\n"),
    ]);
    const verified = await runCommand("verify", ["--data", nights.data]);
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/│ coverage +│ warning +│ 5 of 43 slices missing, 0 carried over │/),
    ]);
    using empty = temporaryFolder();
    const [journal = ""] = readdirSync(join(nights.data, "journals"));
    const words = ["--data", empty.path, "--journal", join(nights.data, "journals", journal), "--allow-partial"];
    const built = await runCommand("build", words);
    expect([built.code, built.stdout]).toEqual([7, expect.stringContaining("newly closed")]);
    expect(pointerOf(empty.path).sha256).toBe(pointerOf(nights.data).sha256);
  });
});

describe("what fails for a while", () => {
  test("and answers in the closing round is not missing, be it a slice or all of an endpoint", async () => {
    await using nights = await startNights();
    nights.trouble(
      { of: ofDatasets("stats"), form: "status 500", first: 1 },
      { of: { ...RELATIONS, hero: 3 }, form: "status 404", first: 1 },
    );
    const { code, stderr, parts } = await nights.crawl(2);
    expect([code, stderr, parts, nights.slices()]).toEqual([0, "", [], { captured: expect.any(Number) }]);
  });

  test("and is a total that is wrong costs no attempt, unless it is wrong in a third way", async () => {
    const wrong = (...by: readonly number[]) =>
      by.map((less) => ({ of: ofDatasets("positions"), form: `total -${less}` as Form, first: less }));
    await using nights = await startNights("heroes,positions");
    const ends: object[] = [];
    // The first troubles of each list end sooner, so that every answer has another total.
    for (const [day, troubles] of [wrong(), wrong(1), wrong(1, 2), wrong(1, 2, 3)].entries()) {
      nights.trouble(...troubles);
      const { stderr, parts } = await nights.crawl(day + 1, ["--attempts", "1", "--max-missing", "100"]);
      ends.push([stderr, parts]);
    }
    const well = ["", []];
    expect(ends).toEqual([well, well, well, ["", [expect.stringMatching(/^positions: wrong-total/)]]]);
  });
});

test("the closing round asks two slices of each part that seems closed, which are of no other such part", async () => {
  await using nights = await startNights("heroes,relations,stats,trends,versions");
  nights.trouble({ of: ofDatasets("stats"), form: "status 500" }, { of: { hero: 3 }, form: "status 500" });
  const { code, parts } = await nights.crawl(2, ["--concurrency", "1", "--max-missing", "100"]);
  expect([code, parts]).toEqual([7, [expect.stringMatching(/^stats: 500/), expect.stringMatching(/^hero 3: 500/)]]);
  const times = Map.groupBy(nights.sample.asked({}), ({ request }) => request);
  const again = [...times].flatMap(([request, { length }]) =>
    length > 1 && /heroes\/\d/.test(request) ? request.replace(/.size.*/, "") : [],
  );
  expect(again.sort()).toEqual([
    "GET /api/heroes/3/relations",
    "GET /api/heroes/3/trends?rank=all&past-days=7",
    "GET /api/heroes/4/stats?rank=all",
    "GET /api/heroes/5/stats?rank=all",
  ]);
});

test("the English list of heroes is needed in each night", async () => {
  await using nights = await startNights();
  await nights.crawl(1);
  nights.trouble({ of: { ...ofDatasets("heroes"), lang: "en" }, form: "status 403" });
  for (const day of [2, 3]) {
    const { code, stderr } = await nights.crawl(day);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/gave no hero list \(refused: status 403/)]);
  }
});

describe("a crawl --without an endpoint", () => {
  test("is a whole night, also after one that lacked it", async () => {
    await using nights = await startNights();
    nights.trouble({ of: RELATIONS, form: "html-404" });
    expect((await nights.crawl(2)).code).toBe(7);
    const left = await nights.crawl(3, ["--without", "/api/heroes/{hero_identifier}/relations"]);
    expect([left.code, left.parts, nights.slices()["failed left-out"]]).toEqual([0, [], 8]);
    nights.trouble();
    expect((await nights.crawl(4)).code).toBe(0);
    expect(Object.keys(nights.slices())).toEqual(["captured"]);
  });

  test("takes what only a list names with the list, and is refused for the list of heroes", async () => {
    await using nights = await startNights();
    expect((await nights.crawl(2, ["--without", "ratings"])).code).toBe(0);
    expect(nights.sample.asked(VOTES).length).toBe(0);
    for (const name of ["heroes", "rank-of", "nothing"]) {
      const { code, stderr } = await nights.crawl(2, ["--without", name]);
      expect([code, stderr.split("\n")[0]]).toEqual([64, expect.stringContaining("--without")]);
    }
  });
});

describe("what a crawl goes on from", () => {
  test("is the last sound night if the latest is damaged, in each mode, and nothing if no night is sound", async () => {
    await using nights = await startNights();
    const [, first] = [await nights.crawl(1), nights.latest()];
    await nights.crawl(2);
    nights.trouble({ of: VOTES, form: "code" });
    const damage = (file: string) => editFile(file, "UPDATE record SET json = json || ' ' WHERE position = 1");
    for (const [day, mode, ends] of [
      [3, [], 7],
      [4, ["--reuse"], 0],
      [5, ["--budget", "500"], 0],
    ] as const) {
      const damaged = nights.latest();
      damage(damaged);
      const { code, events } = await nights.crawl(day, mode);
      expect([code, nights.slices()["captured refused"]], `${mode}`).toEqual([ends, 10]);
      const told = events.filter(({ event }) => event === "base-unreadable").map(({ reason }) => reason);
      expect(told[0]).toMatch(new RegExp(`^${damaged}: is not the file that was published`));
      expect(told).toHaveLength(day - 2);
    }
    for (const file of [nights.latest(), first]) damage(file);
    const { code } = await nights.crawl(6, ["--reuse", "--max-loss", "100"]);
    expect([code, nights.slices()["failed refused"]]).toEqual([0, 5]);
  });
});

test("a journal of another version is named in one line, and dropped with --fresh", async () => {
  await using nights = await startNights();
  nights.trouble({ of: RELATIONS, form: "silence" });
  await nights.crawl(1, ["--max-time", "1s"]);
  const journals = join(nights.data, "journals");
  const journal = new SQLite(join(journals, readdirSync(journals)[0] ?? ""));
  journal.pragma("user_version = 3");
  journal.close();
  const { code, stderr } = await nights.crawl(1);
  expect([code, stderr]).toEqual([
    64,
    expect.stringMatching(/^[^\n]* is a journal of version 3, this is 1[^\n]*--fresh[^\n]*\n$/),
  ]);
  nights.trouble();
  expect((await nights.crawl(1, ["--fresh"])).code).toBe(0);
});

test.for([
  ["is refused by both hosts", false],
  ["is sent on to the second host, which refuses it", true],
] as const)("what %s is probed, and says nothing about them", async ([, isSentOn]) => {
  using folder = temporaryFolder();
  const isMeant = (path = "") => /\/(stats|trends)\?/.test(path);
  const refuse: Intercept = (req, res) => {
    if (isMeant(req.url)) res.writeHead(500).end();
    return isMeant(req.url);
  };
  await using second = await startUpstream(10, refuse);
  await using first = await startUpstream(10, (req, res) => {
    if (!isSentOn) return refuse(req, res);
    if (isMeant(req.url)) res.writeHead(307, { location: second.url + req.url }).end();
    return isMeant(req.url);
  });
  const words = [
    ...[...crawlOptions(first.url, folder.path), "--upstream", second.url, "--allow-partial", "--json"],
    ...["--languages", "en", "--ranks", "all", "--days", "7"],
    ...["--endpoints", "heroes,rank,relations,stats,trends,counters,lane,skill-combos,hero,versions"],
  ];
  const crawl = (day: number) =>
    runCommand("crawl", words, { SOURCE_DATE_EPOCH: String(Date.UTC(2026, 8, day) / 1000) });
  expect((await crawl(21)).code).toBe(7);
  for (const { asked } of [first, second]) asked.length = 0;
  const { code, events } = await crawl(22);
  expect([code, events.filter(({ event }) => event === "failover")]).toEqual([2, []]);
  // Ten of each part, at most.
  expect(first.asked.filter(isMeant).length).toBeLessThanOrEqual(20);
  expect(second.asked.filter(isMeant).length).toBeLessThanOrEqual(isSentOn ? 20 : 0);
});
