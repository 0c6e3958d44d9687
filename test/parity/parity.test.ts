import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { EXIT, Failure } from "../../src/api/failure.ts";
import { checkParity, type ParityRow } from "../../src/extra/parity/parity.ts";
import { openSnapshot, type Snapshot } from "../../src/snapshot/read/snapshot.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { wrapAll } from "../helpers/upstream/image-proxy.ts";
import { type Intercept, type Rewrite, startUpstream } from "../helpers/upstream/upstream.ts";

const HEROES = 3;
const NUMBERS = ENDPOINTS.filter(({ stamp, rates }) => stamp ?? rates).map(({ dataset }) => dataset);
const TEXTS = ENDPOINTS.map(({ dataset }) => dataset).filter((dataset) => !NUMBERS.includes(dataset));
/** All endpoints in turn. */
const ROUNDS = 4;
const SAMPLES = ROUNDS * ENDPOINTS.length;

const folder = temporaryFolder();
let snapshot: Snapshot;

async function crawl(upstream: string, data: string, ...subset: string[]): Promise<Snapshot> {
  const options = ["--upstream", upstream, "--data", data, "--rate", "5000", "--concurrency", "8", ...subset];
  const { events, stderr } = await runCommand("crawl", options);
  const published = events.find(({ event }) => event === "published");
  if (!published) throw new Error(stderr);
  return openSnapshot(String(published.file));
}

beforeAll(async () => {
  await using upstream = await startUpstream(HEROES);
  snapshot = await crawl(upstream.url, folder.path);
});

afterAll(() => {
  snapshot.close();
  folder[Symbol.dispose]();
});

const check = (upstream: string, options: Partial<Parameters<typeof checkParity>[0]> = {}) =>
  checkParity({
    snapshot,
    upstream,
    samples: SAMPLES,
    requestsPerSecond: 5000,
    seed: 1,
    timeoutMs: 60_000,
    ...options,
  });

async function checkAgainst(rewrite: Rewrite, intercept?: Intercept, samples = SAMPLES) {
  await using upstream = await startUpstream(HEROES, intercept, rewrite);
  return { rows: await check(upstream.url, { samples }), asked: upstream.asked };
}

/** Rewrites the records of the paths that match, all of them or one by one, or what is in their `data`. */
const records =
  (pattern: RegExp, change: (records: Records) => Records): Rewrite =>
  (path, body) => {
    if (!pattern.test(path)) return body;
    const answer = JSON.parse(body);
    return JSON.stringify({ ...answer, data: { ...answer.data, records: change(answer.data.records) } });
  };
const each = (pattern: RegExp, change: (record: Records[number]) => object) =>
  records(pattern, (all) => all.map(change));
const inside = (pattern: RegExp, change: (data: Records[number]) => object) =>
  each(pattern, (record) => ({ ...record, data: change(record.data) }));

const renamed = (data: Records[number]) => ({ ...data, main_hero: { data: { ...data.main_hero.data, name: "X" } } });
const turned = (data: Records[number]) => ({ ...data, main_hero_win_rate: 1 - data.main_hero_win_rate });

// biome-ignore lint/suspicious/noExplicitAny: answers of the upstream, to be spoilt
type Records = any[];

const sum = (rows: ParityRow[], score: "asked" | "equal" | "newer" | "wrong" | "failed") =>
  rows.reduce((total, row) => total + row[score], 0);
const datasetsWith = (rows: ParityRow[], score: "newer" | "wrong" | "failed") =>
  rows.filter((row) => row[score] > 0).map(({ dataset }) => dataset);
const rowOf = (rows: ParityRow[], dataset: string) => rows.find((row) => row.dataset === dataset);

describe("an upstream that still is as it was crawled", () => {
  test("is equal in every endpoint, each asked as often", async () => {
    const { rows, asked } = await checkAgainst((_, body) => body);
    expect(rows.map(({ asked }) => asked)).toEqual(ENDPOINTS.map(() => ROUNDS));
    expect(rows.filter(({ equal }) => equal !== ROUNDS)).toEqual([]);
    expect(rows.filter(({ example }) => example !== undefined)).toEqual([]);
    expect(asked).toHaveLength(SAMPLES);
  });

  test("is asked with every parameter, in every language, by id and by name, one request at a time", async () => {
    let open = 0;
    let most = 0;
    const agents = new Set<string | undefined>();
    const { asked } = await checkAgainst(
      (_, body) => body,
      (req, res) => {
        open += 1;
        most = Math.max(most, open);
        agents.add(req.headers["user-agent"]);
        res.once("finish", () => {
          open -= 1;
        });
        return false;
      },
      6 * SAMPLES,
    );
    const urls = asked.map((path) => new URL(path, "http://upstream"));
    const valuesOf = (name: string) => new Set(urls.flatMap(({ searchParams }) => searchParams.getAll(name)));
    const counts = ["rank", "days", "past-days", "sort_field", "sort_order", "order", "role", "lane", "lang"].map(
      (name) => valuesOf(name).size,
    );
    expect(counts).toEqual([6, 5, 3, 3, 2, 2, 6, 5, 17]);
    expect(valuesOf("index").size).toBe(3);
    expect(valuesOf("size").size).toBeGreaterThan(10);
    const heroes = new Set(urls.map(({ pathname }) => decodeURIComponent(pathname.split("/")[3] ?? "")));
    expect([...heroes]).toEqual(expect.arrayContaining(["1", "Miya", "miya"]));
    expect(most).toBe(1);
    expect([...agents].join()).toMatch(/^metasnap\/[\d.]+$/);
  });

  test("sees who asks", async () => {
    const agents = new Set<string | undefined>();
    await using upstream = await startUpstream(HEROES, ({ headers }) => {
      agents.add(headers["user-agent"]);
      return false;
    });
    await check(upstream.url, { samples: 2, contact: "night@example.org" });
    expect([...agents].join()).toMatch(/^metasnap\/[\d.]+ \(\+night@example\.org\)$/);
  });

  test("is asked the same queries for the same seed, others for another", async () => {
    await using upstream = await startUpstream(HEROES);
    for (const seed of [7, 7, 8]) await check(upstream.url, { samples: 40, seed });
    const runs = [0, 40, 80].map((from) => upstream.asked.slice(from, from + 40));
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).not.toEqual(runs[0]);
  });

  test("is asked no faster than the rate", async () => {
    await using upstream = await startUpstream(HEROES);
    const started = performance.now();
    await check(upstream.url, { samples: 11, requestsPerSecond: 50 });
    expect(performance.now() - started).toBeGreaterThanOrEqual(200);
  });
});

describe("a later day", () => {
  test("has newer numbers and nothing wrong", async () => {
    await using upstream = await startUpstream(HEROES);
    upstream.sample.set({ day: 1 });
    const rounds = 3 * ROUNDS;
    const rows = await check(upstream.url, { samples: rounds * ENDPOINTS.length });
    expect(datasetsWith(rows, "newer")).toEqual(NUMBERS);
    expect(sum(rows, "wrong") + sum(rows, "failed")).toBe(0);
    for (const dataset of NUMBERS) expect(rowOf(rows, dataset)?.newer).toBeGreaterThan(1);
    for (const dataset of TEXTS) expect(rowOf(rows, dataset)).toMatchObject({ asked: rounds, equal: rounds });
    expect(rowOf(rows, "trends")?.example).toMatch(/^\/api\/heroes\/\S+\/trends\S* data\.records\[0\]\._updatedAt$/);
  });

  test("with one hero more is wrong in every list: another total is never newer", async () => {
    await using upstream = await startUpstream(HEROES);
    upstream.sample.set({ day: 1, heroes: HEROES + 1 });
    const rows = await check(upstream.url);
    expect(datasetsWith(rows, "wrong")).toEqual(expect.arrayContaining(["heroes", "rank", "positions", "catalog"]));
    expect(rowOf(rows, "heroes")).toMatchObject({ asked: ROUNDS, wrong: ROUNDS });
    expect(rowOf(rows, "heroes")?.example).toMatch(/ data\.total$/);
  });
});

describe("votes", () => {
  const voteOn =
    (change: (text: string) => string): Rewrite =>
    (path, body) =>
      /\/ratings/.test(path) ? change(body) : body;

  test("that have gone on are newer, also where another candidate leads", async () => {
    const { rows } = await checkAgainst(voteOn((body) => body.replaceAll('"score":"', '"hot_comment":"x","score":"1')));
    expect(datasetsWith(rows, "newer")).toEqual(["ratings", "rating"]);
    expect(sum(rows, "wrong") + sum(rows, "failed")).toBe(0);
  });

  test("that have lost their shape are wrong", async () => {
    const { rows } = await checkAgainst(voteOn((body) => body.replaceAll('"title":', '"name":')));
    expect(datasetsWith(rows, "wrong")).toEqual(["ratings", "rating"]);
  });
});

describe("a wrong upstream", () => {
  const cases: [string, string, Rewrite, string][] = [
    [
      "a text",
      "relations",
      inside(/\/relations/, (data) => ({ ...data, hero: { data: { name: "X" } } })),
      "[0].data.hero.data.name",
    ],
    ["a missing field", "catalog", inside(/\/catalog/, ({ painting, ...data }) => data), "[0].data.painting"],
    [
      "null in the place of an object",
      "relations",
      inside(/\/relations/, (data) => ({ ...data, hero: null })),
      "[0].data.hero",
    ],
    ["an extra field", "versions", each(/\/version/, (one) => ({ ...one, extra: 1 })), "[0].extra"],
    ["an id", "trends", each(/api\/heroes\/.*\/trends/, (one) => ({ ...one, sourceId: 1 })), "[0].sourceId"],
    [
      "a list in another order",
      "heroes",
      records(/api\/heroes(\?|$)/, (all) => all.toReversed()),
      "[0].data.hero.data.head",
    ],
    ["a rank list in an order not asked for", "rank", records(/heroes\/rank/, (all) => all.toReversed()), ""],
    ["a rank list where a hero comes twice", "rank", records(/heroes\/rank/, (all) => all.map(() => all[0])), "[1]"],
    [
      "a name in a rank list of another order",
      "rank",
      records(/heroes\/rank/, (all) => all.toReversed().map(({ data }) => ({ data: renamed(turned(data)) }))),
      "[0].data.main_hero.data.name",
    ],
    [
      "the same best pairings in another order",
      "stats",
      inside(/api\/heroes\/.*\/stats/, (data) => ({ ...data, sub_hero: data.sub_hero.toReversed() })),
      "[0].data.sub_hero",
    ],
    [
      "fewer pairings",
      "counters",
      inside(/api\/heroes\/.*\/counters/, (data) => ({ ...data, sub_hero_last: data.sub_hero_last.slice(1) })),
      "[0].data.sub_hero_last",
    ],
    ["no records", "compatibility", (path, body) => (/\/comp/.test(path) ? '{"code":0,"data":{"total":1}}' : body), ""],
  ];

  test.for(cases)("%s is wrong in %s and nowhere else", async ([, dataset, rewrite, place]) => {
    const { rows, asked } = await checkAgainst(rewrite);
    expect(datasetsWith(rows, "wrong")).toEqual([dataset]);
    expect(sum(rows, "newer") + sum(rows, "failed")).toBe(0);
    const [query = "", path] = rowOf(rows, dataset)?.example?.split(" ") ?? [];
    expect(asked).toContain(query);
    expect(path).toBe(`data.records${place}`);
  });

  test("a wrong text among newer numbers is the example", async () => {
    const rewrite = inside(/api\/heroes\/.*\/counters/, renamed);
    await using upstream = await startUpstream(HEROES, undefined, (path, body) =>
      /lang=(de|fr|ja|ru|th)/.test(path) ? rewrite(path, body) : body,
    );
    upstream.sample.set({ day: 1 });
    const rows = await check(upstream.url, { samples: 3 * SAMPLES });
    expect(datasetsWith(rows, "wrong")).toEqual(["counters"]);
    expect(rowOf(rows, "counters")?.newer).toBeGreaterThan(0);
    expect(rowOf(rows, "counters")?.example).toMatch(
      /lang=(de|fr|ja|ru|th)\S* data\.records\[0\]\.data\.main_hero\.data\.name$/,
    );
  });
});

describe("an upstream in trouble", () => {
  test("that is https at a port without TLS is a mistake, as for every command that asks another host", async () => {
    await using upstream = await startUpstream(HEROES);
    const failure = await check(upstream.url.replace("http:", "https:")).catch((error: unknown) => error);
    expect(failure).toMatchObject({ exit: EXIT.usage, hint: `that port speaks no TLS; did you mean ${upstream.url}?` });
  });

  const refusals: [string, Intercept][] = [
    ["status 503", (_, res) => Boolean(res.writeHead(503).end("{}"))],
    ["status 307", (_, res) => Boolean(res.writeHead(307, { location: "/api/heroes" }).end())],
    ["code 429", (_, res) => Boolean(res.writeHead(200).end('{"code":429,"data":null}'))],
    ["not valid JSON", (_, res) => Boolean(res.writeHead(200).end("<html>"))],
  ];

  test.for(refusals)("%s to everything ends the check after ten requests", async ([reason, intercept]) => {
    await using upstream = await startUpstream(HEROES, intercept);
    const failure = await check(upstream.url).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ exit: EXIT.unreachable, message: expect.stringContaining(upstream.url) });
    expect((failure as Failure).message).toContain(reason);
    expect(upstream.asked).toHaveLength(10);
  });

  test("nobody there, or nobody who answers in time", async () => {
    await expect(check("http://127.0.0.1:2")).rejects.toMatchObject({
      exit: 4,
      message: expect.stringContaining("ECONNREFUSED"),
    });
    await using slow = await startUpstream(HEROES, () => true);
    await expect(check(slow.url, { timeoutMs: 20 })).rejects.toMatchObject({
      exit: 4,
      message: expect.stringContaining("timeout"),
    });
  });

  test("is equal also where it puts a proxy before its pictures", async () => {
    const { rows } = await checkAgainst((path, body) => (path.startsWith("/api/") ? wrapAll(body) : body));
    expect(rows.filter(({ asked, equal }) => asked !== equal)).toEqual([]);
    expect(sum(rows, "equal")).toBe(SAMPLES);
  });

  test("single failures are counted, and the check goes on", async () => {
    let requests = 0;
    const { rows } = await checkAgainst(
      (_, body) => body,
      (_, res) => {
        requests += 1;
        return requests % 10 !== 0 && Boolean(res.writeHead(500).end());
      },
    );
    const equal = Math.floor(SAMPLES / 10);
    expect([sum(rows, "asked"), sum(rows, "failed"), sum(rows, "equal")]).toEqual([SAMPLES, SAMPLES - equal, equal]);
  });
});

test("a snapshot of a part is asked only what it holds", async () => {
  await using upstream = await startUpstream(HEROES);
  using part = temporaryFolder();
  const subset = ["--languages", "en,de", "--ranks", "all", "--endpoints", "rank,hero", "--allow-partial"];
  const held = await crawl(upstream.url, part.path, ...subset);
  const rows = await check(upstream.url, { snapshot: held, samples: SAMPLES }).finally(held.close);
  expect(rows.filter(({ asked }) => asked > 0).map(({ dataset }) => dataset)).toEqual([
    ...["heroes", "rank", "hero"],
    // Needs no snapshot.
    "win-rate-calculator",
  ]);
  expect(rows.filter(({ asked, equal }) => asked !== equal)).toEqual([]);
});
