import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { mixOf, type Rule } from "../helpers/misbehaviours/rules.ts";
import { startMisbehaving } from "../helpers/misbehaviours/upstream.ts";

// What each misbehaviour does to a crawl is in misbehaviours.test.ts. Here is what a count of them and of requests relies on.

let sample: Awaited<ReturnType<typeof startSample>>;
const dispatcher = new Agent({ connections: 16 });
beforeAll(async () => {
  sample = await startSample({ heroes: 3 });
});
afterAll(async () => {
  await dispatcher.close();
  await sample.close();
});

const start = (rules: readonly Rule[], seed = 1) => startMisbehaving(sample.url, { seed, rules });

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

const PATHS = Array.from({ length: 120 }, (_, i) => `/none?hero=${i % 40}&lang=en`);

describe("without a rule", () => {
  test.for(["/api/heroes", "/api/heroes/1?lang=ja", "/api/heroes/rank?size=1&index=2", "/nowhere"])(
    "%s is what the target answers",
    async (path) => {
      await using upstream = await start([]);
      expect(await ask(upstream.url, path)).toEqual(await ask(sample.url, path));
    },
  );

  test("a dead target is a dead upstream", async () => {
    const other = await startSample({ heroes: 3 });
    await using dead = await startMisbehaving(other.url);
    await other.close();
    await expect(ask(dead.url)).rejects.toThrow("other side closed");
    expect(dead.counts()).toEqual({});
  });
});

describe("a rule", () => {
  test("fires by chance the same for a seed, in whatever order requests come, and after a reset", async () => {
    const rules: Rule[] = [
      { name: "blocked", probability: 0.3 },
      { name: "server-error", match: /=.?7&/g, probability: 0.5 },
    ];
    await using upstream = await start(rules, 5);
    const firedIn = ({ log, firedAt }: typeof upstream) => log.map((one) => `${one.url} ${firedAt(one)}`).sort();
    await statusesOf(upstream.url, PATHS);
    const inTurn = firedIn(upstream);
    upstream.reset();
    await Promise.all(PATHS.toReversed().map((path) => ask(upstream.url, path)));
    expect(firedIn(upstream)).toEqual(inTurn);
    await using other = await start(rules, 6);
    await statusesOf(other.url, PATHS);
    expect(firedIn(other)).not.toEqual(inTurn);
  });

  test("of a mix fires at its share of the requests, as often as another", async () => {
    const names = ["blocked", "server-error", "bad-gateway", "html"] as const;
    const rules = names.map((name) => ({ name }));
    await using upstream = await start(mixOf(rules, 0.4));
    await Promise.all(Array.from({ length: 600 }, (_, i) => ask(upstream.url, `/${i}`)));
    for (const name of names) expect(Math.abs((upstream.counts()[name] ?? 0) - 60)).toBeLessThan(20);
  });

  test("fires once for each path, so many times, or always, if it says so", async () => {
    await using upstream = await start([
      { name: "not-found", match: "/api/heroes/1", times: 5 },
      { name: "blocked", match: "hero=", oncePerPath: true },
      { name: "bad-gateway", match: /rank/ },
    ]);
    for (const path of PATHS) await ask(upstream.url, path);
    expect(upstream.counts()).toEqual({ blocked: new Set(PATHS).size });
    const ones = Array.from({ length: 6 }, () => "/api/heroes/1");
    expect(await statusesOf(upstream.url, ones)).toEqual([404, 404, 404, 404, 404, 200]);
    const ranks = Array.from({ length: 6 }, () => "/api/heroes/rank");
    expect(new Set(await statusesOf(upstream.url, ranks))).toEqual(new Set([502]));
  });

  test("by chance fires at one path three times in a row at most", async () => {
    await using upstream = await start([
      { name: "blocked", probability: 0.5 },
      { name: "total-large", probability: 1 },
    ]);
    const twelve = Array.from({ length: 12 }, () => "/api/heroes");
    await statusesOf(upstream.url, twelve);
    expect(upstream.log.map((one) => upstream.firedAt(one) === undefined)).toEqual(twelve.map((_, i) => i % 4 === 3));
  });

  test("that has nothing to change does not count, and the next one has its turn", async () => {
    await using upstream = await start([
      { name: "wrong-side" },
      { name: "repeated-record", times: 1 },
      { name: "not-found", match: "/api/heroes", times: 1 },
    ]);
    const paths = ["/api/heroes/1", "/api/heroes?size=2", "/api/heroes"];
    expect(await statusesOf(upstream.url, paths)).toEqual([404, 200, 200]);
    expect(upstream.counts()).toEqual({ "not-found": 1, "repeated-record": 1 });
  });
});

test("requests in flight are those that have no whole answer yet", async () => {
  await using upstream = await start([{ name: "hang", match: "/hang" }]);
  const stop = new AbortController();
  const hanging = Array.from({ length: 7 }, (_, i) =>
    request(`${upstream.url}/hang${i}`, { signal: stop.signal, dispatcher }).catch(() => {}),
  );
  await expect.poll(() => upstream.log.length).toBe(7);
  expect(upstream.log.map(({ inFlight }) => inFlight)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  stop.abort();
  await Promise.all(hanging);
  const inFlight = async () => {
    await ask(upstream.url);
    return upstream.log.at(-1)?.inFlight;
  };
  await expect.poll(inFlight).toBe(1);
  const times = upstream.log.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
