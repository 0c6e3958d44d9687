import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/sample/service/server.ts";
import { mixOf } from "../helpers/faulty-upstream/faults.ts";
import { busiestSecond } from "../helpers/faulty-upstream/traffic.ts";
import { type FaultRule, type FaultyOptions, startFaultyUpstream } from "../helpers/upstream/faulty-upstream.ts";

// What each fault does to a crawl is in trust.test.ts. Here is what a count of faults and of requests relies on.

let sample: Awaited<ReturnType<typeof startSample>>;
const dispatcher = new Agent({ connections: 16 });
beforeAll(async () => {
  sample = await startSample({ heroes: 3 });
});
afterAll(async () => {
  await dispatcher.close();
  await sample.close();
});

const start = (rules: readonly FaultRule[], options: FaultyOptions = {}) =>
  startFaultyUpstream(sample.url, { ...options, rules });

async function ask(base: string, path = "/api/heroes", headers = {}) {
  const response = await request(base + path, { dispatcher, headers });
  const { date, connection, "keep-alive": _, "x-request-id": id, ...told } = response.headers;
  return { status: response.statusCode, headers: told, body: await response.body.text() };
}

async function statusesOf(base: string, paths: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await ask(base, path)).status);
  return statuses;
}

const PATHS = Array.from({ length: 300 }, (_, i) => `/none?hero=${i % 100}&lang=en`);

describe("without a fault", () => {
  test.for(["/api/heroes", "/api/heroes/1?lang=ja", "/api/heroes/rank?size=1&index=2", "/nowhere"])(
    "%s is what the target answers",
    async (path) => {
      await using upstream = await start([]);
      expect(await ask(upstream.url, path)).toEqual(await ask(sample.url, path));
    },
  );

  test("a dead target is a dead upstream", async () => {
    const other = await startSample({ heroes: 3 });
    await using dead = await startFaultyUpstream(other.url);
    await other.close();
    await expect(ask(dead.url)).rejects.toThrow("other side closed");
    expect(dead.counts()).toEqual({});
  });
});

describe("a rule", () => {
  test("fires by chance the same for a seed, in whatever order requests come, and after a reset", async () => {
    const rules: FaultRule[] = [
      { fault: "blocked", probability: 0.3 },
      { fault: "server-error", match: /=.?7&/g, probability: 0.5 },
    ];
    await using upstream = await start(rules, { seed: 5 });
    const faults = () => upstream.log.map(({ path, fault }) => `${path} ${fault}`).sort();
    await statusesOf(upstream.url, PATHS);
    const inTurn = faults();
    upstream.reset();
    await Promise.all(PATHS.toReversed().map((path) => ask(upstream.url, path)));
    expect(faults()).toEqual(inTurn);
    await using other = await start(rules, { seed: 6 });
    await statusesOf(other.url, PATHS);
    expect(other.log.map(({ path, fault }) => `${path} ${fault}`).sort()).not.toEqual(inTurn);
  });

  test("of a mix fires at its share of the requests, as often as another", async () => {
    const faults = ["blocked", "server-error", "bad-gateway", "html-200"] as const;
    await using upstream = await start(
      mixOf(
        faults.map((fault) => ({ fault })),
        0.4,
      ),
    );
    await Promise.all(Array.from({ length: 2000 }, (_, i) => ask(upstream.url, `/${i}`)));
    for (const fault of faults) expect(Math.abs((upstream.counts()[fault] ?? 0) - 200)).toBeLessThan(60);
  });

  test("fires once for each path, so many times, or always, if it says so", async () => {
    await using upstream = await start([
      { fault: "not-found", match: "/api/heroes/1", times: 5 },
      { fault: "blocked", match: "hero=", oncePerPath: true },
      { fault: "bad-gateway", match: /rank/, always: true },
    ]);
    for (const path of [...PATHS, ...PATHS]) await ask(upstream.url, path);
    expect(upstream.counts()).toEqual({ blocked: new Set(PATHS).size });
    const ones = Array.from({ length: 6 }, () => "/api/heroes/1");
    expect(await statusesOf(upstream.url, ones)).toEqual([404, 404, 404, 404, 404, 200]);
    const ranks = Array.from({ length: 6 }, () => "/api/heroes/rank");
    expect(new Set(await statusesOf(upstream.url, ranks))).toEqual(new Set([502]));
  });

  test("by chance fires at one path three times in a row at most", async () => {
    await using upstream = await start([
      { fault: "blocked", probability: 0.5 },
      { fault: "total-large", probability: 1 },
    ]);
    await statusesOf(
      upstream.url,
      Array.from({ length: 12 }, () => "/api/heroes"),
    );
    expect(upstream.log.map(({ fault }) => fault === undefined)).toEqual(
      Array.from({ length: 12 }, (_, i) => i % 4 === 3),
    );
  });

  test("that has nothing to change does not count, and the next one has its turn", async () => {
    await using upstream = await start([
      { fault: "wrong-side" },
      { fault: "repeated-record", times: 1 },
      { fault: "not-found", match: "/api/heroes", times: 1 },
    ]);
    expect(await statusesOf(upstream.url, ["/api/heroes/1", "/api/heroes?size=2", "/api/heroes"])).toEqual([
      ...[404, 200, 200],
    ]);
    expect(upstream.counts()).toEqual({ "not-found": 1, "repeated-record": 1 });
  });
});

describe("the traffic", () => {
  test("in flight and in the busiest second is that of the arrivals", async () => {
    await using upstream = await start([{ fault: "hang", match: "/hang" }]);
    const stop = new AbortController();
    const hanging = Array.from({ length: 7 }, (_, i) =>
      request(`${upstream.url}/hang${i}`, { signal: stop.signal, dispatcher }).catch(() => {}),
    );
    await expect.poll(() => upstream.maxInFlight()).toBe(7);
    stop.abort();
    await Promise.all(hanging);
    const inFlight = async () => {
      await ask(upstream.url);
      return upstream.log.at(-1)?.inFlight;
    };
    await expect.poll(inFlight).toBe(1);
    const times = upstream.log.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(upstream.maxPerSecond()).toBe(busiestSecond(times));
    expect(busiestSecond([0, 1, 2, 3000, 3001, 3500, 3999, 4000.5])).toBe(4);
  });
});
