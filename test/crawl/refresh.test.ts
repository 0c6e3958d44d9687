import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBudget } from "../../src/crawl/budget.ts";
import { openJournal } from "../../src/journal/open.ts";
import { buildSnapshot } from "../../src/snapshot/build/build.ts";
import { openBase } from "../../src/snapshot/read/base.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { momentOf, ONE_DAY, startNights } from "../helpers/own-nights.ts";
import { type Ended, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import type { Rewrite } from "../helpers/upstream/upstream.ts";

const SOME = [
  ...LITTLE,
  "--endpoints",
  "heroes,rank,hero,skill-combos,stats,trends,counters,compatibility,timeline,builds,lane,versions",
];
/** A night's requests for two heroes and these endpoints, and less than a whole crawl of them. */
const BUDGET = ["--budget", "60"];

let first: Awaited<ReturnType<typeof startNights>>;
beforeAll(async () => {
  first = await startNights(2, SOME);
  expect((await first.crawl(0)).code).toBe(0);
});
afterAll(() => first[Symbol.asyncDispose]());

const eventOf = ({ events }: Ended, name: string) => events.find(({ event }) => event === name);
const checkedIn = (data: string) =>
  queryFile<{ name: string }>(
    fileOf(data),
    "SELECT dataset || ' ' || language_proof.lang AS name FROM language_proof JOIN coverage USING (slice_id)",
  ).map(({ name }) => name);
const countsOf = (asked: readonly string[], part: string) => asked.filter((path) => path.includes(part)).length;

describe("crawl --reuse", () => {
  test("asks all numbers again, and neither texts nor what was empty", async () => {
    await using nights = await startNights(2, SOME, { from: first.data });
    const plan = await nights.crawl(ONE_DAY, ["--reuse", "--plan"]);
    const planned = JSON.parse(plan.stdout) as { requests: number; saved: Record<string, number> };
    const second = await nights.crawl(ONE_DAY, ["--reuse"]);
    expect(second.code, second.stderr).toBe(0);
    expect(second.asked.length).toBe(planned.requests);
    expect(second.asked.length).toBeLessThan(first.upstream.asked.length);
    expect(planned.saved.empty).toBeGreaterThan(0);
    expect(countsOf(second.asked, "/counters")).toBe(countsOf(first.upstream.asked, "/counters"));
    const rows = nights.coverage();
    const stats = rows.filter(({ dataset }) => dataset === "stats");
    expect(new Set(stats.map(({ asked_at }) => asked_at))).toEqual(new Set([momentOf(ONE_DAY)]));
    const carried = rows.filter(({ asked_at }) => asked_at === momentOf(0));
    expect(carried.length).toBe(Number(eventOf(second, "carried")?.carried));
    expect(
      carried.every(({ status, dataset, lang }) => status === "empty" || dataset === "hero" || lang === "ja"),
    ).toBe(true);
  });

  test("asks for texts after a sign of change, first in English, then for what has changed there", async () => {
    await using nights = await startNights(2, SOME, { from: first.data });
    const story: Rewrite = (path, body) =>
      /heroes\/1\?/.test(path) ? body.replace(/"story":"/, '"story":"New: ') : body;
    nights.change({
      rewrite: (path, body) => (path.includes("/meta/version") ? body.replace("2.2.16", "2.2.17") : story(path, body)),
    });
    const night = await nights.crawl(ONE_DAY, ["--reuse"]);
    expect(night.code, night.stderr).toBe(0);
    expect(eventOf(night, "changed-lists")).toMatchObject({ datasets: ["versions"] });
    const heroes = night.asked.filter((path) => /heroes\/\d\?/.test(path));
    expect(heroes.filter((path) => path.includes("lang=en"))).toHaveLength(2);
    const stories = queryFile<{ json: string }>(
      fileOf(nights.data),
      "SELECT json FROM record WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'hero' AND slice LIKE 'hero=1&%')",
    );
    expect(stories.every(({ json }) => json.includes("New: "))).toBe(true);
    expect(nights.coverage().filter(({ suspect }) => suspect === 1)).toEqual([]);
  });
});

describe("crawl --budget", () => {
  test("asks for what is due, carries the rest over, and says of each slice when it was asked", async () => {
    await using nights = await startNights(2, SOME);
    const seen = new Map<string, number>();
    const checked = new Set<string>();
    for (const night of [0, 1, 2]) {
      const ended = await nights.crawl(night * ONE_DAY, BUDGET);
      expect(ended.code, ended.stderr).toBe(0);
      expect(ended.asked.length).toBeLessThanOrEqual(60);
      expect(pointerOf(nights.data)).toMatchObject({ rolling: true, started_at: momentOf(night * ONE_DAY) });
      for (const { dataset, slice, asked_at } of nights.coverage())
        if (asked_at === momentOf(night * ONE_DAY)) seen.set(`${dataset}?${slice}`, night);
      // What was found of other languages stays known.
      for (const name of checkedIn(nights.data)) checked.add(name);
      expect(new Set(checkedIn(nights.data))).toEqual(checked);
    }
    expect(checked.size).toBeGreaterThan(0);
    const rows = nights.coverage();
    for (const { dataset, slice, asked_at } of rows) {
      const night = seen.get(`${dataset}?${slice}`);
      expect(asked_at, slice).toBe(night === undefined ? null : momentOf(night * ONE_DAY));
    }
    expect(new Set(rows.map(({ asked_at }) => asked_at)).size).toBeGreaterThan(1);
    // The whole tier list is of the last night.
    expect(new Set(rows.filter(({ dataset }) => dataset === "rank").map(({ asked_at }) => asked_at))).toEqual(
      new Set([momentOf(2 * ONE_DAY)]),
    );
    expect(await buildAgain(nights.data)).toBe(pointerOf(nights.data).sha256);
    expect((await runCommand("verify", ["--data", nights.data])).code).toBe(0);
  });

  test("refuses one that is too small for a table, and says what is enough", async () => {
    await using nights = await startNights(2, SOME);
    const ended = await nights.crawl(0, ["--budget", "20"]);
    expect(ended.code).toBe(64);
    const enough = Number(/at least (\d+)/.exec(ended.stderr)?.[1]);
    expect((await nights.crawl(ONE_DAY, ["--budget", String(enough)])).code).toBe(0);
  });
});

/** The sha256 of what the newest journal and its base give. */
async function buildAgain(data: string): Promise<string> {
  const name = readdirSync(join(data, "journals")).sort().at(-1) ?? "";
  const journal = openJournal(join(data, "journals", name));
  using base = await openBase(data, journal.getState("base") ?? { version: "", sha256: "" });
  const file = join(data, "again.sqlite");
  await buildSnapshot(journal, file, { base });
  journal.close();
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

describe("the budget of a day", () => {
  test("counts around midnight for both days", () => {
    using folder = temporaryFolder();
    let now = Date.parse("2026-09-21T23:58:00Z");
    const budget = openBudget(folder.path, 10, () => now);
    budget.spend();
    now += 90_000;
    budget.spend();
    expect(budget.left()).toBe(8);
    now += 120_000;
    expect(budget.left()).toBe(9);
    budget.close();
  });

  test.for([
    ["no database", (file: string) => writeFileSync(file, "requests: 7\n".repeat(200))],
    ["other tables", (file: string) => new SQLite(file).exec("DROP TABLE day; CREATE TABLE day (day TEXT)").close()],
    ["a page of zeros", (file: string) => writeFileSync(file, readFileSync(file).fill(0, 4096, 8192))],
  ] as const)(
    "is not guessed where its file has %s: today counts as spent, and the next day is counted anew",
    ([, write]) => {
      using folder = temporaryFolder();
      const file = join(folder.path, "requests.sqlite");
      let now = Date.parse("2026-09-21T12:00:00Z");
      const open = () => openBudget(folder.path, 10, () => now);
      const counted = open();
      counted.spend();
      counted.close();
      write(file);
      const damaged = open();
      expect([damaged.lost, damaged.left()]).toEqual([expect.stringContaining(`${file}: does not count requests`), 0]);
      damaged.close();
      const next = open();
      expect([next.lost, next.left()]).toEqual([undefined, 0]);
      now += ONE_DAY * 1000;
      expect(next.left()).toBe(10);
      next.close();
    },
  );

  test("outlives the process, and a bound does not", () => {
    using folder = temporaryFolder();
    const now = () => Date.parse("2026-09-21T12:00:00Z");
    const first = openBudget(folder.path, 3, now);
    first.spend();
    first.bound(1);
    first.spend();
    expect(() => first.spend()).toThrow("the upstream takes no more requests for now");
    first.close();
    const second = openBudget(folder.path, 3, now);
    expect(second.left()).toBe(1);
    second.close();
  });
});
