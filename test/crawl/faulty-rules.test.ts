import { Agent, request } from "undici";
import { afterAll, describe, expect, test } from "vitest";
import { mixOf } from "../helpers/faulty-upstream/faults.ts";
import { startPlainTarget } from "../helpers/faulty-upstream/plain-target.ts";
import { busiestSecond } from "../helpers/faulty-upstream/traffic.ts";
import { type FaultRule, type FaultyOptions, startFaultyUpstream } from "../helpers/upstream/faulty-upstream.ts";

const target = await startPlainTarget();
const dispatcher = new Agent({ connections: 16 });
afterAll(async () => {
  await dispatcher.close();
  await target.close();
});

const start = (rules: readonly FaultRule[], options: FaultyOptions = {}) =>
  startFaultyUpstream(target.url, { ...options, rules });

async function ask(base: string, path = "/list"): Promise<number> {
  const { statusCode, body } = await request(base + path, { dispatcher });
  await body.dump();
  return statusCode;
}

async function askInTurn(base: string, paths: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of paths) statuses.push(await ask(base, path));
  return statuses;
}

const repeat = (path: string, times: number) => Array.from({ length: times }, () => path);
const PATHS = Array.from({ length: 300 }, (_, i) => `/list?hero=${i % 100}&lang=en`);

describe("picking", () => {
  test("by chance the same for a seed, in whatever order requests come, and after a reset", async () => {
    const rules: FaultRule[] = [
      { fault: "blocked", probability: 0.3 },
      { fault: "not-found", match: /=.?7&/g, probability: 0.5 },
    ];
    await using upstream = await start(rules, { seed: 5 });
    const faults = () => upstream.log.map(({ path, fault }) => `${path} ${fault}`).sort();
    await askInTurn(upstream.url, PATHS);
    const inTurn = faults();
    upstream.reset();
    await Promise.all(PATHS.toReversed().map((path) => ask(upstream.url, path)));
    expect(faults()).toEqual(inTurn);

    await using other = await start(rules, { seed: 6 });
    await askInTurn(other.url, PATHS);
    expect(other.log.map(({ path, fault }) => `${path} ${fault}`).sort()).not.toEqual(inTurn);
  });

  test("at the rate asked for", async () => {
    await using upstream = await start([{ fault: "blocked", probability: 0.1 }]);
    const paths = Array.from({ length: 3000 }, (_, i) => `/${i}`);
    await Promise.all(paths.map((path) => ask(upstream.url, path)));
    expect(upstream.counts().blocked).toBeGreaterThan(240);
    expect(upstream.counts().blocked).toBeLessThan(360);
  });

  test("a mix fires at its share of the requests, every fault as often as another", async () => {
    const faults = ["blocked", "server-error", "not-found", "html-200"] as const;
    await using upstream = await start(
      mixOf(
        faults.map((fault) => ({ fault })),
        0.4,
      ),
    );
    const paths = Array.from({ length: 3000 }, (_, i) => `/${i}`);
    await Promise.all(paths.map((path) => ask(upstream.url, path)));
    for (const fault of faults) {
      expect(upstream.counts()[fault]).toBeGreaterThan(240);
      expect(upstream.counts()[fault]).toBeLessThan(360);
    }
  });

  test("once for each path, where a rule says so", async () => {
    await using upstream = await start([
      { fault: "blocked", oncePerPath: true },
      { fault: "not-found", oncePerPath: true },
    ]);
    for (const path of [...PATHS, ...PATHS]) await ask(upstream.url, path);
    expect(upstream.counts()).toEqual({ blocked: new Set(PATHS).size });
  });

  test("never more often in a row than allowed", async () => {
    const mix: FaultRule[] = [
      { fault: "blocked", probability: 0.5 },
      { fault: "total-large", probability: 1 },
    ];
    await using upstream = await start(mix);
    await askInTurn(upstream.url, repeat("/list", 12));
    const passed = upstream.log.map(({ fault }) => fault === undefined);
    expect(passed).toEqual(Array.from({ length: 12 }, (_, i) => i % 4 === 3));

    await using once = await start(mix, { maxConsecutive: 1 });
    await askInTurn(once.url, ["/list", "/one", "/list", "/one"]);
    expect(once.log.map(({ fault }) => fault === undefined)).toEqual([false, false, true, true]);
  });

  test("a fault without effect does not count, and the next rule has its turn", async () => {
    await using upstream = await start([
      { fault: "wrong-side", probability: 1 },
      { fault: "repeated-record", times: 1 },
      { fault: "not-found", match: "/list", times: 1 },
    ]);
    expect(await askInTurn(upstream.url, ["/none", "/list", "/list", "/list"])).toEqual([200, 200, 404, 200]);
    expect(upstream.counts()).toEqual({ "repeated-record": 1, "not-found": 1 });
  });

  test("the first so many, and always, without regard to what is allowed in a row", async () => {
    await using upstream = await start([
      { fault: "not-found", match: "/one", times: 5 },
      { fault: "blocked", match: /^\/list/, always: true },
    ]);
    const paths = ["/one", "/none", "/one", "/one", "/one", "/one", "/one"];
    expect(await askInTurn(upstream.url, paths)).toEqual([404, 200, 404, 404, 404, 404, 200]);
    expect(new Set(await askInTurn(upstream.url, repeat("/list", 6)))).toEqual(new Set([405]));
    upstream.reset();
    expect(upstream.log).toEqual([]);
    expect(await ask(upstream.url, "/one")).toBe(404);
  });

  test("rules may change while it runs, at the n-th request too", async () => {
    const seen: [number, string][] = [];
    await using upstream = await start([], {
      onRequest(n, path) {
        seen.push([n, path]);
        if (n === 2) upstream.rules.push({ fault: "not-found" });
        if (n === 3) upstream.rules = [{ fault: "blocked" }];
      },
    });
    expect(await askInTurn(upstream.url, ["/list", "/one", "/none"])).toEqual([200, 404, 405]);
    expect(seen).toEqual([
      [1, "/list"],
      [2, "/one"],
      [3, "/none"],
    ]);
  });
});

describe("measuring", () => {
  test("requests in flight", async () => {
    await using upstream = await start([]);
    await Promise.all(repeat("/gate?7", 7).map((path) => ask(upstream.url, path)));
    expect(upstream.maxInFlight()).toBe(7);
    expect(upstream.log.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const from = performance.now();
    await askInTurn(upstream.url, repeat("/list", 50));
    expect(upstream.maxInFlight()).toBe(7);
    expect(upstream.maxInFlight(from)).toBe(1);
    expect(upstream.maxInFlight(0, from)).toBe(7);
  });

  test("the busiest second slides", () => {
    expect(busiestSecond([])).toBe(0);
    expect(busiestSecond([5])).toBe(1);
    expect(busiestSecond([0, 999.9, 1000, 1500])).toBe(3);
    expect(busiestSecond([0, 1000, 2000])).toBe(1);
    expect(busiestSecond([0, 1, 2, 3000, 3001, 3500, 3999, 4000.5])).toBe(4);
  });

  test("the busiest second is that of the arrivals", async () => {
    await using upstream = await start([]);
    await askInTurn(upstream.url, repeat("/list", 30));
    const times = upstream.log.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(upstream.maxPerSecond()).toBe(busiestSecond(times));
    expect(upstream.maxPerSecond(times[10], times[19])).toBe(busiestSecond(times.slice(10, 20)));
    expect(upstream.maxPerSecond(performance.now())).toBe(0);
  });
});
