/** Nights within a quota, one after another. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Forecast } from "../../src/crawl/refresh/forecast.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { startMirror } from "../helpers/mirror.ts";
import { mixedTables } from "../helpers/mixed-tables.ts";
import { momentOf, ONE_DAY, ONE_HOUR, startNights } from "../helpers/own-nights.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import type { Ended } from "../helpers/run.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";
import { type Intercept, type Rewrite, startUpstream } from "../helpers/upstream/upstream.ts";

const SOME = ["--languages", "en,ja", "--ranks", "all,glory", "--days", "7"];
const FEW = [
  ...SOME,
  ...["--endpoints", "heroes,rank,hero,stats,trends,counters,compatibility,teammates,lane,relations"],
];

const CONCURRENCY = 8;

const said = (ended: Ended) => [ended.code, ended.stderr];

describe("a night within a quota", () => {
  test("ends when the upstream takes no more today, and publishes what is whole", async () => {
    await using nights = await startNights(3, FEW);
    expect(said(await nights.crawl(0))).toEqual([0, ""]);
    // The lists have been asked by then.
    let end = 30;
    const intercept: Intercept = (_, response) => {
      const remaining = end - nights.upstream.asked.length;
      const isOver = remaining < 0;
      if (remaining <= 0) response.setHeader("x-ratelimit-remaining", "0").setHeader("x-ratelimit-reset", "40000");
      if (isOver) response.writeHead(429, { "content-type": "application/json" }).end("{}");
      return isOver;
    };
    nights.change({ intercept });
    const ended = await nights.crawl(ONE_DAY, ["--budget", "60"]);
    expect(said(ended)).toEqual([0, ""]);
    // Some were under way in that moment.
    expect(nights.upstream.asked.length).toBeLessThan(end + CONCURRENCY);
    expect(pointerOf(nights.data)).toMatchObject({ started_at: momentOf(ONE_DAY), rolling: true });
    const rows = nights.coverage();
    expect(rows.filter(({ status }) => status === "failed")).toEqual([]);
    expect(mixedTables(rows)).toEqual([]);
    end = 0;
    expect(said(await nights.crawl(2 * ONE_DAY, ["--budget", "60"]))).toEqual([
      3,
      expect.stringContaining("the upstream takes no more requests for now"),
    ]);
    expect(nights.upstream.asked.length).toBeLessThan(CONCURRENCY);
  });

  test.for([
    ["goes on at the host that a 503 names, if that is configured", true],
    ["asks no host that a 503 names and nobody has configured", false],
  ] as const)("%s, and all requests count", async ([, isConfigured]) => {
    await using backup = await startUpstream(3);
    const body = JSON.stringify({ status: "error", details: { alternative_endpoint: `${backup.url}/api` } });
    // The lists have been asked by then. An upstream that stays so, and one that is soon over it.
    const isLimited = (count: number) => count > 20 && (isConfigured || count <= 23);
    await using nights = await startNights(3, FEW);
    nights.change({
      intercept(_, response) {
        if (!isLimited(nights.upstream.asked.length)) return false;
        response.writeHead(503, { "content-type": "application/json" }).end(body);
        return true;
      },
    });
    const more = isConfigured ? ["--upstream", backup.url] : [];
    const ended = await nights.crawl(0, ["--budget", "60", "--concurrency", "1", ...more]);
    expect(said(ended)).toEqual([0, ""]);
    const moved = isConfigured ? [{ from: nights.upstream.url, to: backup.url, why: "unavailable" }] : [];
    expect(ended.events.filter(({ event }) => event === "failover")).toMatchObject(moved);
    const asked = [nights.upstream.asked.length, backup.asked.length];
    // It is left after several such answers of different endpoints.
    if (isConfigured) expect(asked[0]).toBe(25);
    else expect(asked[1]).toBe(0);
    const [spent] = queryFile(join(nights.data, "requests.sqlite"), "SELECT max(requests) AS requests FROM day");
    const NOTICES = 3;
    expect(spent).toEqual({ requests: NOTICES + asked.reduce((sum, count) => sum + count, 0) });
    expect(pointerOf(nights.data)).toMatchObject({ started_at: momentOf(0), rolling: true });
    const rows = nights.coverage().filter(({ status }) => status !== "failed");
    expect(rows.length).toBeGreaterThan(20);
    expect(new Set(rows.map(({ asked_at }) => asked_at))).toEqual(new Set([momentOf(0)]));
    expect(mixedTables(rows)).toEqual([]);
  });

  test("asks no more than the day has in two runs, of which one is killed", async () => {
    await using nights = await startNights(3, FEW);
    const { child, ended } = nights.start(0, ["--budget", "60"]);
    const KILLED_AT = 30;
    nights.change({ intercept: () => nights.upstream.asked.length === KILLED_AT && !child.kill("SIGKILL") });
    expect((await ended).signal).toBe("SIGKILL");
    const last = await nights.crawl(ONE_HOUR, ["--budget", "60"]);
    expect(said(last)).toEqual([0, ""]);
    expect(KILLED_AT + last.asked.length).toBeLessThanOrEqual(60);
    expect(pointerOf(nights.data)).toMatchObject({ started_at: momentOf(ONE_HOUR), rolling: true });
    expect(mixedTables(nights.coverage())).toEqual([]);
  });

  test("proves tables without a stamp before languages, so that they have their turn on a short day", async () => {
    await using nights = await startNights(3, SOME);
    for (const night of [0, 1]) expect(said(await nights.crawl(night * ONE_DAY, ["--budget", "100"]))).toEqual([0, ""]);
    const rows = nights.coverage().filter(({ dataset }) => /^(lane|relations)$/.test(dataset));
    expect(rows.filter(({ asked_at }) => asked_at === null)).toEqual([]);
  });

  test("asks soon for numbers that show a text which its list has changed, as other languages are answered from it", async () => {
    const rewrite: Rewrite = (path, body) =>
      /\/(spells|builds)\?/.test(path) ? body.replaceAll('"skilldesc":"', '"skilldesc":"New: ') : body;
    const words = [...SOME, "--endpoints", "heroes,rank,builds,counters,stats"];
    await using nights = await startNights(3, words);
    expect(said(await nights.crawl(0))).toEqual([0, ""]);
    const pending = () =>
      nights
        .coverage()
        .filter(({ dataset, status, suspect }) => dataset === "builds" && status === "captured" && suspect);
    nights.change({ rewrite });
    const budget = ["--budget", "36"];
    expect(said(await nights.crawl(ONE_DAY, budget))).toEqual([0, ""]);
    expect(pending().length).toBeGreaterThan(0);
    for (const night of [2, 3]) expect(said(await nights.crawl(night * ONE_DAY, budget))).toEqual([0, ""]);
    expect(pending()).toEqual([]);
    const built = nights.coverage().filter(({ dataset, status }) => dataset === "builds" && status === "captured");
    await using mirror = await startMirror(fileOf(nights.data));
    for (const { hero_id, lane, rank } of built) {
      const path = `/api/academy/heroes/${hero_id}/builds?lane=${lane}&rank=${rank}&lang=ja`;
      expect((await fetch(mirror.url + path)).status, path).toBe(200);
    }
  });

  test("leaves no table of two batches where numbers roll over under it", async () => {
    const random = createRandom("roll-over");
    let day = 0;
    // Answers without a stamp are others each day, too.
    const rewrite: Rewrite = (path, body) =>
      /\/(lane|relations)\?/.test(path) ? body.replaceAll('"data":{"', `"data":{"day":${day},"`) : body;
    let rollAt = 0;
    await using nights = await startNights(3, FEW);
    const intercept = () => {
      if (nights.upstream.asked.length === rollAt) nights.upstream.sample.set({ day: ++day });
      return false;
    };
    nights.change({ intercept, rewrite });
    expect(said(await nights.crawl(0))).toEqual([0, ""]);
    for (let night = 1; night <= 12; night += 1) {
      rollAt = 1 + random.below(70);
      const budget = 55 + random.below(40);
      const ended = await nights.crawl(night * ONE_DAY, ["--budget", String(budget)]);
      expect(said(ended), `SEED=${SEED} ${rollAt} of ${budget}`).toEqual([0, ""]);
      expect(ended.asked.length).toBeLessThanOrEqual(budget);
      const rows = nights.coverage();
      expect(rows.filter(({ status }) => status === "failed")).toEqual([]);
      expect(mixedTables(rows), `SEED=${SEED} ${rollAt} of ${budget}`).toEqual([]);
      expect(mixedDays(fileOf(nights.data)), `SEED=${SEED} ${rollAt} of ${budget}`).toEqual([]);
    }
  });

  test("makes tables no older than --plan has told, if each third night is missed", async () => {
    await using nights = await startNights(3, FEW);
    expect(said(await nights.crawl(0))).toEqual([0, ""]);
    const budget = ["--budget", "36"];
    const { stdout } = await nights.crawl(ONE_DAY, [...budget, "--plan"]);
    const { forecast } = JSON.parse(stdout) as { forecast: Forecast };
    const bounds = new Map(forecast.datasets.map(({ dataset, bound }) => [dataset, bound]));
    expect([...bounds.values()].filter((days) => days > 3).length).toBeGreaterThan(3);
    for (let night = 1; night <= 24; night += 1) {
      if (night % 3 === 2) continue;
      nights.upstream.sample.set({ day: night });
      expect(said(await nights.crawl(night * ONE_DAY, budget))).toEqual([0, ""]);
      const late = nights.coverage().filter(({ dataset, asked_at }) => {
        const days = (Date.parse(momentOf(night * ONE_DAY)) - Date.parse(asked_at ?? "")) / (1000 * ONE_DAY);
        return bounds.has(dataset) && !(days <= (bounds.get(dataset) ?? 0));
      });
      expect(late).toEqual([]);
    }
  });
});

/** Tables without a stamp whose records are of two days. */
const mixedDays = (file: string) =>
  queryFile(
    file,
    `SELECT dataset, count(DISTINCT json ->> '$.data.day') AS days FROM record JOIN coverage USING (slice_id)
     WHERE dataset IN ('lane', 'relations') AND slice LIKE '%lang=en' GROUP BY 1 HAVING days > 1`,
  );

test("a day that ends before a list of words is asked goes on with that of the night before", async () => {
  const words = ["--languages", "en", "--ranks", "all", "--days", "7", "--endpoints", "heroes,rank,ratings,rating"];
  await using nights = await startNights(3, [...words, "--budget", "100"]);
  expect(said(await nights.crawl(0))).toEqual([0, ""]);
  // The notices take three requests, the list of heroes one.
  for (const left of [4, 5]) {
    const day = left * ONE_DAY;
    await nights.crawl(day, ["--plan"]);
    editFile(join(nights.data, "requests.sqlite"), `UPDATE day SET requests = ${100 - left}`);
    const { asked, ...ended } = await nights.crawl(day);
    expect([[0, 2].includes(ended.code ?? -1), ended.stderr, asked.length]).toEqual([true, "", left - 3]);
  }
});
