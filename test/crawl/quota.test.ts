import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { comparePolicies, summarise } from "../../scripts/docs/policies.ts";
import { type Slice, sliceId } from "../../src/api/endpoint.ts";
import { FULL_SELECTION } from "../../src/api/selection.ts";
import { openBudget } from "../../src/crawl/budget.ts";
import { noteQuota } from "../../src/crawl/ask/ask-page.ts";
import { planSlices } from "../../src/crawl/plan.ts";
import type { HeldSlice } from "../../src/crawl/refresh/base.ts";
import { refreshKindOf } from "../../src/crawl/refresh/kinds.ts";
import { turnsPerDay } from "../../src/crawl/refresh/plan.ts";
import { chooseTurns, DAY_MS, groupTurns, overdueRatio, setTargets } from "../../src/crawl/refresh/turns.ts";
import type { Coverage } from "../../src/snapshot/schema/row-types.ts";
import { beginDay, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { startMirror } from "../helpers/mirror.ts";
import { crawlOptions, type Ended, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { type Intercept, type Rewrite, startUpstream } from "../helpers/upstream/upstream.ts";

const EVENING = Date.parse("2026-09-21T20:00:00Z") / 1000;
const DAY = 86_400;
const NOON = Date.parse("2026-09-21T12:00:00Z");
const WORDS = ["--languages", "en,ja", "--ranks", "all,glory", "--days", "7", "--allow-partial", "--json"];
const ENDPOINTS = ["--endpoints", "heroes,rank,hero,stats,trends,counters,compatibility,teammates,lane,relations"];

/** An upstream of three heroes, and a folder of its nights. */
async function startNights(
  intercept: Intercept = () => false,
  rewrite: Rewrite = (_, body) => body,
  endpoints: readonly string[] = ENDPOINTS,
) {
  const folder = temporaryFolder();
  const upstream = await startUpstream(3, intercept, rewrite);
  const words = [...crawlOptions(upstream.url, folder.path), ...WORDS, ...endpoints];
  const clock = (seconds: number) => {
    beginDay(folder.path, EVENING + seconds);
    return { SOURCE_DATE_EPOCH: String(EVENING + seconds) };
  };
  return {
    data: folder.path,
    upstream,
    crawl: (seconds: number, more: string[]): Promise<Ended> =>
      runCommand("crawl", [...words, ...more], clock(seconds)),
    start: (seconds: number, more: string[]) => startCommand("crawl", [...words, ...more], clock(seconds)),
    coverage: () => queryFile<Coverage>(fileOf(folder.path), "SELECT * FROM coverage"),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const CONCURRENCY = 8;
const iso = (seconds: number) => new Date((EVENING + seconds) * 1000).toISOString();

/** Tables that are not of one batch, or of which a part was asked in another night than the rest. */
function mixedTables(rows: readonly Coverage[]): string[] {
  const captured = rows.filter(({ status, hero_id }) => status === "captured" && hero_id !== null);
  const tables = Map.groupBy(captured, ({ dataset, lane, rank, days, lang }) =>
    [dataset, lane, rank, days, lang].join(),
  );
  return [...tables].flatMap(([table, members]) => {
    const moments = new Set(members.map(({ batch, asked_at }) => `${batch} ${asked_at?.slice(0, 10)}`));
    return moments.size === 1 || table.startsWith("hero,") ? [] : [`${table}: ${[...moments].join(", ")}`];
  });
}

const said = (ended: Ended) => [ended.code, ended.stderr];

describe("what an answer says of a quota", () => {
  /** For how long it asks not to be asked, and how many of a hundred requests it leaves. */
  function note(headers: Record<string, string>, status = 200, body = "") {
    using folder = temporaryFolder();
    const budget = openBudget(folder.path, 100, () => NOON);
    const rest = noteQuota({ host: "", at: 0, status, headers, body: Buffer.from(body) }, budget);
    const left = budget.left();
    budget.close();
    return [rest, left];
  }
  const LIMITED = JSON.stringify({ status: "error", code: "UPSTREAM_RATE_LIMITED", message: "try again in a minute" });
  const inAnHour = String(Math.ceil(Date.now() / 1000) + 3600);

  test.for<[string, Parameters<typeof note>, [number | undefined, number]]>([
    ["nothing", [{}], [undefined, 100]],
    ["a minute of rest, where it is limited and says no time", [{}, 429, LIMITED], [60_000, 100]],
    ["its time, where it says one", [{ "retry-after": "7" }, 429, LIMITED], [7000, 100]],
    ["nothing, where another 429 says no time", [{}, 429, "{}"], [undefined, 100]],
    ["no time of an answer that is fine", [{ "retry-after": "7" }], [undefined, 100]],
    ["what it still takes of a day", [{ "x-ratelimit-remaining": "57", "x-ratelimit-reset": "3600" }], [undefined, 57]],
    ["the same by a date", [{ "x-ratelimit-remaining": "57", "x-ratelimit-reset": inAnHour }], [undefined, 57]],
    [
      "an end, and no rest, where it takes nothing for long",
      [{ "ratelimit-remaining": "0", "ratelimit-reset": "3600" }],
      [undefined, 0],
    ],
    [
      "a rest where it takes nothing for a moment",
      [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9" }],
      [9000, 100],
    ],
    ["the later form", [{ ratelimit: '"day";r=12;t=3600' }], [undefined, 12]],
    ["the form between", [{ ratelimit: "limit=100, remaining=12, reset=3600" }], [undefined, 12]],
    ["each of several", [{ ratelimit: '"burst";r=0;t=2, "day";r=40;t=3600' }], [2000, 40]],
    ["an end where it asks for a long rest", [{ "retry-after": "86400" }, 429], [undefined, 0]],
    ["no figure that is none", [{ "x-ratelimit-remaining": "-1", "x-ratelimit-reset": "soon" }], [undefined, 100]],
  ])("%s", ([, answer, expected]) => {
    expect(note(...answer)).toEqual(expected);
  });

  test("nobody who has no budget of a day ends for it: the rest is as long as a rest may be", () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "3600" };
    expect(noteQuota({ host: "", at: 0, status: 200, headers, body: Buffer.alloc(0) }, undefined)).toBe(120_000);
  });
});

describe("a night within a quota", () => {
  drawTests(2);

  test(`ends when the upstream takes no more today, and publishes what is whole (${drawn})`, async () => {
    let end = Number.POSITIVE_INFINITY;
    const limit: Intercept = (_, response) => {
      const remaining = end - nights.upstream.asked.length;
      const isOver = remaining < 0;
      if (remaining <= 0) response.setHeader("x-ratelimit-remaining", "0").setHeader("x-ratelimit-reset", "40000");
      if (isOver) response.writeHead(429, { "content-type": "application/json" }).end("{}");
      return isOver;
    };
    await using nights = await startNights(limit);
    expect(said(await nights.crawl(0, []))).toEqual([0, ""]);
    nights.upstream.asked.length = 0;
    // The lists have been asked by then.
    end = 15 + createDraw("end").below(30);
    const ended = await nights.crawl(DAY, ["--budget", "60"]);
    expect(said(ended)).toEqual([0, ""]);
    // What was under way in that moment.
    expect(nights.upstream.asked.length).toBeLessThan(end + CONCURRENCY);
    expect(pointerOf(nights.data)).toMatchObject({ started_at: iso(DAY), rolling: true });
    const rows = nights.coverage();
    expect(rows.filter(({ status }) => status === "failed")).toEqual([]);
    expect(mixedTables(rows)).toEqual([]);
    end = 0;
    nights.upstream.asked.length = 0;
    expect(said(await nights.crawl(2 * DAY, ["--budget", "60"]))).toEqual([
      3,
      expect.stringContaining("the upstream takes no more requests for now"),
    ]);
    expect(nights.upstream.asked.length).toBeLessThan(CONCURRENCY);
  });

  test(`asks no more than the day has in two runs, of which one is killed (${drawn})`, async () => {
    const kill = { at: 5 + createDraw("kill").below(50), now: () => {} };
    await using nights = await startNights(() => {
      if (nights.upstream.asked.length === kill.at) kill.now();
      return false;
    });
    const { child, ended } = nights.start(0, ["--budget", "60"]);
    kill.now = () => void child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    expect(said(await nights.crawl(3600, ["--budget", "60"]))).toEqual([0, ""]);
    expect(nights.upstream.asked.length).toBeLessThanOrEqual(60);
    expect(pointerOf(nights.data)).toMatchObject({ started_at: iso(3600), rolling: true });
    expect(mixedTables(nights.coverage())).toEqual([]);
  });

  test.for([
    ["goes on at the host that a 503 names, if that is configured", true],
    ["asks no host that a 503 names and nobody has configured", false],
  ] as const)("%s, and all requests count", async ([, isConfigured]) => {
    await using backup = await startUpstream(3);
    const body = JSON.stringify({ status: "error", details: { alternative_endpoint: `${backup.url}/api` } });
    // The lists have been asked by then. An upstream that stays so, and one that is soon over it.
    const isLimited = (count: number) => count > 20 && (isConfigured || count <= 23);
    await using nights = await startNights((_, response) => {
      if (!isLimited(nights.upstream.asked.length)) return false;
      response.writeHead(503, { "content-type": "application/json" }).end(body);
      return true;
    });
    const more = isConfigured ? ["--upstream", backup.url] : [];
    const ended = await nights.crawl(0, ["--budget", "60", "--concurrency", "1", ...more]);
    expect(said(ended)).toEqual([0, ""]);
    const moved = isConfigured ? [{ from: nights.upstream.url, to: backup.url, why: "unavailable" }] : [];
    expect(ended.events.filter(({ event }) => event === "failover")).toMatchObject(moved);
    const asked = [nights.upstream.asked.length, backup.asked.length];
    if (isConfigured) expect(asked[0]).toBe(21);
    else expect(asked[1]).toBe(0);
    const [spent] = queryFile(join(nights.data, "requests.sqlite"), "SELECT max(requests) AS requests FROM day");
    const NOTICES = 3;
    expect(spent).toEqual({ requests: NOTICES + asked.reduce((sum, count) => sum + count, 0) });
    expect(pointerOf(nights.data)).toMatchObject({ started_at: iso(0), rolling: true });
    const rows = nights.coverage().filter(({ status }) => status !== "failed");
    expect(rows.length).toBeGreaterThan(20);
    expect(new Set(rows.map(({ asked_at }) => asked_at))).toEqual(new Set([iso(0)]));
    expect(mixedTables(rows)).toEqual([]);
  });

  test("proves tables without a stamp before languages, so that they have their turn on a short day", async () => {
    await using nights = await startNights(undefined, undefined, []);
    for (const night of [0, 1]) expect(said(await nights.crawl(night * DAY, ["--budget", "100"]))).toEqual([0, ""]);
    const rows = nights.coverage().filter(({ dataset }) => /^(lane|relations)$/.test(dataset));
    expect(rows.filter(({ asked_at }) => asked_at === null)).toEqual([]);
  });

  test("asks soon for numbers that show a text which its list has changed, as other languages are answered from it", async () => {
    let isNew = false;
    const rewrite: Rewrite = (path, body) =>
      isNew && /\/(spells|builds)\?/.test(path) ? body.replaceAll('"skilldesc":"', '"skilldesc":"New: ') : body;
    await using nights = await startNights(undefined, rewrite, ["--endpoints", "heroes,rank,builds,counters,stats"]);
    expect(said(await nights.crawl(0, []))).toEqual([0, ""]);
    const pending = () =>
      nights
        .coverage()
        .filter(({ dataset, status, suspect }) => dataset === "builds" && status === "captured" && suspect);
    isNew = true;
    const budget = ["--budget", "36"];
    expect(said(await nights.crawl(DAY, budget))).toEqual([0, ""]);
    expect(pending().length).toBeGreaterThan(0);
    for (const night of [2, 3]) expect(said(await nights.crawl(night * DAY, budget))).toEqual([0, ""]);
    expect(pending()).toEqual([]);
    const built = nights.coverage().filter(({ dataset, status }) => dataset === "builds" && status === "captured");
    await using mirror = await startMirror(fileOf(nights.data));
    for (const { hero_id, lane, rank } of built) {
      const path = `/api/academy/heroes/${hero_id}/builds?lane=${lane}&rank=${rank}&lang=ja`;
      expect((await fetch(mirror.url + path)).status, path).toBe(200);
    }
  });

  test(`leaves no table of two batches where numbers roll over under it (${drawn})`, async () => {
    const draw = createDraw("roll-over");
    let day = 0;
    // What has no stamp is another one each day, too.
    const rewrite: Rewrite = (path, body) =>
      /\/(lane|relations)\?/.test(path) ? body.replaceAll('"data":{"', `"data":{"day":${day},"`) : body;
    let rollAt = 0;
    await using nights = await startNights(() => {
      if (nights.upstream.asked.length !== rollAt) return false;
      day += 1;
      nights.upstream.sample.set({ day });
      return false;
    }, rewrite);
    expect(said(await nights.crawl(0, []))).toEqual([0, ""]);
    for (let night = 1; night <= draw.many(12, 2); night += 1) {
      nights.upstream.asked.length = 0;
      rollAt = 1 + draw.below(70);
      const budget = 55 + draw.below(40);
      const ended = await nights.crawl(night * DAY, ["--budget", String(budget)]);
      expect(said(ended), `${rollAt} of ${budget}`).toEqual([0, ""]);
      expect(nights.upstream.asked.length).toBeLessThanOrEqual(budget);
      const rows = nights.coverage();
      expect(rows.filter(({ status }) => status === "failed")).toEqual([]);
      expect(mixedTables(rows), `${rollAt} of ${budget}`).toEqual([]);
      expect(mixedDays(fileOf(nights.data)), `${rollAt} of ${budget}`).toEqual([]);
    }
  });

  test("keeps the ages that are set, night after night, or says that it cannot", async () => {
    await using nights = await startNights();
    expect(said(await nights.crawl(0, []))).toEqual([0, ""]);
    const days: Record<string, number> = { counters: 3, teammates: 2, lane: 4 };
    const ages = Object.entries(days).map(([dataset, count]) => `${dataset}=${count}d`);
    const told = ({ events }: Ended) => events.filter(({ event }) => event === "max-age-of");
    const last = createDraw("ages").many(20, 6);
    for (let night = 1; night <= last; night += 1) {
      nights.upstream.sample.set({ day: night });
      const ended = await nights.crawl(night * DAY, ["--budget", "60", "--max-age-of", ages.join()]);
      expect([...said(ended), told(ended)]).toEqual([0, "", []]);
      const old = nights.coverage().filter(({ dataset, asked_at }) => {
        const seconds = Date.parse(iso(night * DAY)) / 1000 - Date.parse(asked_at ?? "") / 1000;
        return dataset in days && !(seconds <= (days[dataset] ?? 0) * DAY);
      });
      expect(old).toEqual([]);
    }
    const all = ["stats", "trends", "counters", "compatibility", "teammates"].map((dataset) => `${dataset}=1d`);
    const ended = await nights.crawl((last + 2) * DAY, ["--budget", "40", "--max-age-of", all.join()]);
    expect(said(ended)).toEqual([0, ""]);
    expect(told(ended)).toMatchObject([{ promised: false, needed: expect.any(Number), late_days: expect.anything() }]);
  });
});

/** Tables without a stamp whose records are of two days. */
const mixedDays = (file: string) =>
  queryFile(
    file,
    `SELECT dataset, count(DISTINCT json ->> '$.data.day') AS days FROM record
     WHERE dataset IN ('lane', 'relations') AND slice LIKE '%lang=en' GROUP BY 1 HAVING days > 1`,
  );

test("the turns of a budget leave half the weighted age of a plain rotation, and no table waits twice as long", () => {
  const { turns, rotation } = comparePolicies();
  const [ours, plain] = [summarise(turns), summarise(rotation)];
  expect(ours.mean).toBeLessThan(plain.mean * 0.6);
  expect(ours.oldest).toBeLessThan(2 * (plain.oldest ?? 0));
});

test("ages that are set are kept from the night after a whole crawl on, when all is of one age", () => {
  const [requests, days] = [1000, 14];
  const heroes = Array.from({ length: 133 }, (_, at) => at + 1);
  const wanted = planSlices(FULL_SELECTION, { heroes, subjects: new Map() });
  const slices = wanted.filter((slice) => refreshKindOf(slice) === "turn");
  const perNight = turnsPerDay(wanted, requests);
  const plain = groupTurns(slices, { base: undefined, policy: "budget" }, new Set(), "");
  let turns = setTargets(plain, perNight, new Map([["counters", days * DAY_MS]])).map((turn) => ({
    ...turn,
    oldestMs: 0,
    isWhole: true,
  }));
  const late: string[] = [];
  for (let night = 1; night <= 120; night += 1) {
    const now = night * DAY_MS;
    const chosen = new Set(chooseTurns(turns, perNight, now));
    turns = turns.map((turn) => (chosen.has(turn) ? { ...turn, oldestMs: now } : turn));
    const old = turns.filter(({ dataset, oldestMs }) => dataset === "counters" && now - oldestMs > days * DAY_MS);
    late.push(...old.map(({ group }) => `${group} in night ${night}`));
  }
  expect(late).toEqual([]);
});

test("a table in which all was empty becomes overdue as any other", () => {
  const slices = [1, 2, 3, 4].map(
    (hero): Slice => ({ dataset: "builds", lane: "mid", rank: "glory", hero, lang: "en" }),
  );
  const rows = slices.map((slice): [string, HeldSlice] => [
    sliceId(slice),
    { status: "empty", sha256: "", asked_at: new Date(0).toISOString(), tried_at: null, suspect: 0, reason: null, part_id: null },
  ]);
  const nothing = { heroes: [], closed: [], endpoints: [], proof: [], records: () => [] };
  const base = { id: { version: "", sha256: "" }, startedAt: "", rows: new Map(rows), ...nothing };
  const turns = setTargets(groupTurns(slices, { base, policy: "budget" }, new Set(), ""), 100, new Map());
  expect(turns.map((turn) => overdueRatio(turn, 30 * DAY_MS))).toEqual([30]);
});
