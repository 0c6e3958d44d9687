/**
 * Journals that are damaged end in one line and never in a publication. A finished one is damaged in each way that is known
 * and by flipped bits; one that goes on is refused before anything is asked.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Slice } from "../../src/api/endpoint.ts";
import { Failure } from "../../src/api/failure.ts";
import { openJournal } from "../../src/journal/open.ts";
import { openRun } from "../../src/journal/runs.ts";
import { buildAndPublish } from "../../src/snapshot/pipeline.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const OPTIONS = ["--languages", "en,ja", "--ranks", "all", "--days", "7", "--endpoints", "stats,relations,counters"];

const world = temporaryFolder();
const finished = join(world.path, "finished");
const unfinished = join(world.path, "unfinished");
let upstream: Awaited<ReturnType<typeof startUpstream>>;
const crawlOptions = (data: string) => ["--upstream", upstream.url, "--data", data, "--rate", "5000", ...OPTIONS];

beforeAll(async () => {
  upstream = await startUpstream(4);
  const data = join(world.path, "data");
  expect((await runCommand("crawl", crawlOptions(data))).code).toBe(0);
  const [name = ""] = readdirSync(join(data, "journals")).filter((one) => one.endsWith(".journal"));
  copyFileSync(join(data, "journals", name), finished);
  copyFileSync(finished, unfinished);
  const journal = openJournal(unfinished);
  journal.reopen();
  journal.close();
});

afterAll(async () => {
  await upstream[Symbol.asyncDispose]();
  world[Symbol.dispose]();
});

test("a crawl does not go on with what was left unfinished before the latest snapshot, unless that has not come yet", () => {
  const began = "2026-08-10T22:00:00.000Z";
  const told: object[] = [];
  for (const [latest, isContinued] of [
    [undefined, true],
    ["2026-08-10T21:00:00.000Z", true],
    ["2026-08-11T01:00:00.000Z", false],
    ["2026-08-12T01:00:00.000Z", true],
  ] as const) {
    using folder = temporaryFolder();
    const options = {
      fresh: false,
      published: 0,
      latest,
      isAsWanted: () => true,
      tell: (_: string, facts: object) => void told.push(facts),
    };
    const open = (started_at: string) =>
      openRun(folder.path, { ...openJournal(unfinished).header(), started_at, began_at: started_at }, options);
    const left = open(began).journal;
    left.addSlices([{ dataset: "hero", hero: 1, lang: "en" }], "answer");
    left.setState("pace", { rate: 1, concurrency: 1, resumeAt: 1 });
    left.close();
    const { journal, begin } = open("2026-08-11T02:00:00.000Z");
    begin();
    expect([latest, journal.slices().length]).toEqual([latest, isContinued ? 1 : 0]);
    journal.close();
  }
  expect(told).toMatchObject([{ reason: "it is unfinished, and older than the latest snapshot" }]);
});

test("a crawl that goes on is dated by the last run that asked, what it draws by the first of its day, and each answer by its own run; another day doubts anew", async () => {
  const began = "2026-08-10T22:00:00.000Z";
  for (const [now, expected, drawnBy] of [
    ["2026-08-10T23:59:59.000Z", "2026-08-10T23:59:59.000Z", began],
    ["2026-08-11T00:30:00.000Z", "2026-08-11T00:30:00.000Z", "2026-08-11T00:30:00.000Z"],
    // By an older clock.
    ["2026-08-09T23:30:00.000Z", began, began],
  ] as const) {
    using folder = temporaryFolder();
    const begun = openJournal(unfinished).header();
    const options = { fresh: false, published: 0, latest: undefined, isAsWanted: () => true, tell() {} };
    const open = (started_at: string) =>
      openRun(folder.path, { ...begun, started_at, began_at: started_at }, options).journal;
    const answer = { host: "http://x", at: 0, body: Buffer.from("{}") };
    const first = open(began);
    first.addSlices(
      [1, 2].map((hero): Slice => ({ dataset: "hero", hero, lang: "en" })),
      "answer",
    );
    await first.saveAnswer(1, 1, answer, { records: 0 });
    // One page of more: what is whole at the end is of one run.
    await first.saveAnswer(2, 1, answer, undefined);
    first.noteLooks([{ check: "rank-lists", doubt: "counters", id: 1, seen: "1" }]);
    first.close();
    const idle = open(now);
    expect(idle.looks()).toHaveLength(drawnBy === began ? 1 : 0);
    expect(idle.header()).toMatchObject({ started_at: began, began_at: drawnBy });
    expect(idle.slices().map(({ pages }) => pages)).toEqual([1, 0]);
    idle.close();
    const journal = open(now);
    await journal.saveAnswer(2, 1, answer, { records: 0 });
    expect(journal.header()).toMatchObject({ started_at: expected, began_at: drawnBy });
    expect(journal.slices().map(({ facts }) => facts.asked_at)).toEqual([began, now]);
    expect(journal.forgetLater()).toBe(Number(now < began));
    journal.close();
    expect(readdirSync(join(folder.path, "journals")).filter((name) => name.endsWith(".journal"))).toHaveLength(1);
  }
});

test("a plan is read again after something in it has changed, not after a change of nothing", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "journal");
  copyFileSync(unfinished, file);
  const journal = openJournal(file);
  const plan = journal.slices();
  journal.requeue([]);
  journal.forget([]);
  journal.addSlices([], "answer");
  expect(journal.slices()).toBe(plan);
  const [first] = plan;
  journal.requeue(first ? [first.id] : []);
  expect(plan[0]).toMatchObject({ id: first?.id, state: "captured" });
  expect(journal.slices()[0]).toMatchObject({ id: first?.id, state: "pending" });
  journal.markFailed(first?.id ?? 0, "timeout");
  expect(journal.slices()[0]).toMatchObject({ id: first?.id, state: "failed", reason: "timeout" });
  journal.close();
});

test("an answer stays until the first page of another one replaces it, or it is forgotten", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "journal");
  copyFileSync(unfinished, file);
  const journal = openJournal(file);
  const [{ id } = { id: 0 }] = journal.slices();
  const page = (text: string) => ({ host: "http://x", at: 0, body: Buffer.from(text) });
  const read = () => [journal.slices()[0]?.state, ...journal.pages(id).map(String)];
  await journal.saveAnswer(id, 1, page("1"), undefined);
  await journal.saveAnswer(id, 2, page("2"), { records: 0 });
  expect(read()).toEqual(["captured", "1", "2"]);
  journal.markFailed(id, "timeout");
  expect(journal.slices()[0]).toMatchObject({ state: "captured", reason: null });
  await journal.saveAnswer(id, 1, page("3"), undefined);
  expect(read()).toEqual(["failed", "3"]);
  await journal.saveAnswer(id, 1, page("4"), { records: 0 });
  expect(read()).toEqual(["captured", "4"]);
  journal.forget([id]);
  expect(journal.slices()[0]).toMatchObject({ state: "failed", reason: "timeout", pages: 0 });
  journal.close();
});

test("a journal that was cut short while it was made goes, and keeps no crawl from beginning", () => {
  using folder = temporaryFolder();
  const there = join(folder.path, "journals");
  mkdirSync(there);
  const names = ["20260808T200000Z-001.journal", "20260809T200000Z-001.journal"];
  const [empty = "", begun = ""] = names.map((name) => join(there, name));
  writeFileSync(empty, "");
  const db = new SQLite(begun);
  db.pragma("journal_mode = WAL");
  db.close();
  const told: object[] = [];
  const wanted = { ...openJournal(unfinished).header(), started_at: "2026-08-10T22:00:00.000Z" };
  const options = { fresh: false, published: 0, latest: undefined, isAsWanted: () => true };
  const { journal } = openRun(folder.path, wanted, { ...options, tell: (_, facts) => void told.push(facts) });
  journal.close();
  expect(told).toEqual([begun, empty].map((file) => ({ journal: file, reason: "it holds nothing of a journal" })));
  expect(readdirSync(there)).toEqual(["20260810T220000Z-001.journal"]);
});

type Damage = [name: string, change: (db: SQLite.Database) => void];

const sql = (text: string) => (db: SQLite.Database) => db.exec(text);
const inAnswer = `UPDATE answer SET body = CAST(replace(body, '"total":1', '"total":2') AS BLOB)
  WHERE answer_key = (SELECT min(answer_key) FROM answer WHERE instr(body, '"total":1'))`;
const inProof = `UPDATE answer SET body = CAST(replace(body, '"total":1', '"total":2') AS BLOB)
  WHERE answer_key = (SELECT max(answer_key) FROM answer WHERE instr(body, '"total":1'))`;

const ANYWHERE: Damage[] = [
  ["a header that is not JSON", sql("UPDATE header SET json = 'not JSON'")],
  ["a header that is not there", sql("DELETE FROM header")],
  ["a slice that is not JSON", sql("UPDATE slice SET json = '{\"dataset' WHERE slice_id = 5")],
  [
    "a slice with the JSON of another",
    sql("UPDATE slice SET json = (SELECT json FROM slice WHERE slice_id = 4) WHERE slice_id = 5"),
  ],
  [
    "an unknown dataset",
    sql(`UPDATE slice SET dataset = 'weather', json = replace(json, '"stats"', '"weather"') WHERE dataset = 'stats'`),
  ],
  [
    "facts that are not JSON",
    sql("UPDATE answer SET facts = '{' WHERE answer_key = (SELECT max(answer_key) FROM answer)"),
  ],
  ["other facts", sql("UPDATE answer SET facts = '{}' WHERE answer_key = (SELECT max(answer_key) FROM answer)")],
  ["a digit changed in a body", sql(inAnswer)],
  ["a digit changed in a body of the proof", sql(inProof)],
  [
    "an answer at another time",
    sql("UPDATE answer SET answered_at = 1 WHERE answer_key = (SELECT max(answer_key) FROM answer)"),
  ],
  ["every second slice gone", sql("PRAGMA foreign_keys = OFF; DELETE FROM slice WHERE slice_id % 2 = 0")],
  ["no table of answers", sql("DROP TABLE answer")],
  ["no table of attempts", sql("DROP TABLE attempt")],
  ["a column more", sql("ALTER TABLE slice ADD COLUMN more TEXT")],
];

/** What is not asked for again would not be missed. */
const FINISHED: Damage[] = [
  ["every second answer gone", sql("DELETE FROM answer WHERE answer_key / 4096 % 2 = 0")],
  ["a state that is not JSON", sql("UPDATE state SET json = '{'")],
  ["no seal", sql("UPDATE header SET json = json_remove(json, '$.seal')")],
  ["an attempt that never was", sql("INSERT INTO attempt VALUES (NULL, 1, 1, 'host', 0, 'odd', '', NULL)")],
];

function damage(from: string, file: string, change: (db: SQLite.Database) => void) {
  copyFileSync(from, file);
  const db = new SQLite(file);
  change(db);
  db.close();
}

async function expectRefusal(file: string, data: string, what: string) {
  const failure = await buildAndPublish(file, data, { latest: true }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof Failure))
    throw new Error(`${what}: ended with ${failure instanceof Error ? failure.stack : "a publication"}`);
  expect([failure.exit, failure.message], what).toEqual([64, expect.stringMatching(/^[^\n]{1,700}$/)]);
  expect(existsSync(join(data, "latest.json")), what).toBe(false);
  expect(existsSync(join(data, "snapshots")) ? readdirSync(join(data, "snapshots")) : [], what).toEqual([]);
}

describe("a build of a journal", () => {
  test.for([...ANYWHERE, ...FINISHED])("with %s is refused, and publishes nothing", async ([name, change]) => {
    using folder = temporaryFolder();
    damage(finished, join(folder.path, "damaged"), change);
    await expectRefusal(join(folder.path, "damaged"), folder.path, name);
  });

  test("with 20 flipped bits is refused, and publishes nothing", async () => {
    const whole = readFileSync(finished);
    const random = createRandom("flipped bits");
    for (let times = 1; times <= 10; times += 1) {
      using folder = temporaryFolder();
      const bytes = Buffer.from(whole);
      for (let bit = 0; bit < 20; bit += 1) {
        const at = random.below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      }
      const file = join(folder.path, "damaged");
      writeFileSync(file, bytes);
      await expectRefusal(file, folder.path, `SEED=${SEED}, ${times}`);
    }
  });

  test("that is whole is published, and says one line when it is not", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "whole");
    copyFileSync(finished, file);
    expect((await runCommand("build", ["--data", folder.path, "--journal", file])).code).toBe(0);
    damage(finished, join(folder.path, "damaged"), sql(inAnswer));
    const { code, stderr } = await runCommand("build", [
      "--data",
      folder.path,
      "--journal",
      join(folder.path, "damaged"),
    ]);
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(
        /^\S+damaged: is a damaged journal \(the answer of \S+ is not what was kept\); name another journal, .*--fresh`\n$/,
      ),
    ]);
  });
});

describe("a crawl that would continue a journal", () => {
  test.for(ANYWHERE)("is told that it has %s before it asks anything", ([, change]) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "damaged");
    damage(unfinished, file, change);
    expect(() => openJournal(file).slices()).toThrow(expect.objectContaining({ exit: 64 }));
  });

  test.for<Damage>([
    ["a digit changed in a body", sql(inAnswer)],
    ["a slice that is not JSON", sql("UPDATE slice SET json = '{' WHERE slice_id = 5")],
    ["no table of answers", sql("DROP TABLE answer")],
    ["nothing that SQLite reads", ({ name }) => writeFileSync(name, "noise ".repeat(2000))],
  ])("with %s begins anew, says so, and removes it", async ([, change]) => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "journals"));
    const file = join(folder.path, "journals", "20260101T000000Z-001.journal");
    damage(unfinished, file, change);
    const { code, stderr, events } = await runCommand("crawl", crawlOptions(folder.path));
    expect([code, stderr]).toEqual([0, ""]);
    const told = events.filter(({ event }) => event === "journal-unreadable");
    expect(told).toEqual([expect.objectContaining({ reason: expect.stringContaining(file) })]);
    expect(existsSync(file)).toBe(false);
  });

  test("goes on where it is whole, and asks only whether the roster still holds", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "journals"));
    copyFileSync(unfinished, join(folder.path, "journals", "20260101T000000Z-001.journal"));
    upstream.asked.length = 0;
    expect((await runCommand("crawl", crawlOptions(folder.path))).code).toBe(0);
    expect(upstream.asked).toEqual(["/api/heroes?size=1&index=1&lang=en"]);
  });
});
