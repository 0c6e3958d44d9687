import { existsSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { pointerOf, published } from "../helpers/data-folder.ts";
import { LITTLE, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";
import { world } from "../helpers/world.ts";

const sample = await startSample();
afterAll(() => sample.close());

const FAST = ["--rate", "5000", "--concurrency", "8"];
const SMALL = [...FAST, ...LITTLE, "--allow-partial"];
/** Some of every kind: lists, numbers of a hero, texts, pages of days. */
const FEW = ["--endpoints", "heroes,rank,hero,stats,counters,trends"];
/** Two slices of an endpoint in each of the 16 other languages. */
const PROOF = 2 * 16;

const duplicates = (asked: string[]) => asked.length - new Set(asked).size;

describe("the plan", () => {
  test("of the whole service asks each number once, and asks nothing but the lists of heroes and votes to say so", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(133);
    const words = ["--upstream", upstream.url, "--data", folder.path, "--plan", "--json"];
    const { code, stdout } = await runCommand("crawl", words);
    expect(code).toBe(0);
    expect(upstream.asked).toEqual(["/api/heroes?size=200&index=1&lang=en", "/api/academy/heroes/ratings?lang=en"]);
    const plan = JSON.parse(stdout) as { requests: number; seconds: number; endpoints: Record<string, number> };
    expect(plan.requests).toBeLessThanOrEqual(30_000);
    expect(plan.requests).toBe(Object.values(plan.endpoints).reduce((sum, count) => sum + count, 0));
    for (const path of ["/api/academy/ranks/{rank_id}", "/api/addon/win-rate-calculator"])
      expect(plan.endpoints).not.toHaveProperty([path]);
    expect(plan.seconds).toBe(Math.ceil(plan.requests / 8));
    expect(plan.endpoints).toMatchObject({
      "/api/heroes": 17 + 1,
      "/api/heroes/rank": 30 + PROOF,
      "/api/heroes/{hero_identifier}": 133 * 17,
      "/api/heroes/{hero_identifier}/counters": 133 * 30 + PROOF,
      "/api/heroes/{hero_identifier}/trends": 133 * 18 + PROOF,
      "/api/academy/meta/version": 1 + 16,
      "/api/academy/equipment/expanded": 17,
      "/api/academy/heroes/{hero_identifier}/lane": 133 + PROOF,
      "/api/academy/heroes/{hero_identifier}/builds": 133 * 30 + PROOF,
      "/api/academy/heroes/{hero_identifier}/win-rate/timeline": 133 * 30 + PROOF,
      "/api/academy/heroes/{hero_identifier}/teammates": 133 * 6 + PROOF,
      "/api/academy/heroes/{hero_identifier}/trends": 133 * 18 + PROOF,
      "/api/academy/heroes/ratings": 17,
      "/api/academy/heroes/ratings/{subject}": 12 * 17,
    });
  });

  test("is what the crawl then asks, endpoint by endpoint", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(1);
    const options = ["--upstream", upstream.url, "--data", folder.path, ...SMALL, "--languages", "en,ar,ja"];
    const plan = JSON.parse((await runCommand("crawl", [...options, "--plan", "--json"])).stdout) as {
      requests: number;
    };
    upstream.asked.length = 0;
    expect((await runCommand("crawl", options)).code).toBe(0);
    expect(new Set(upstream.asked).size).toBe(plan.requests);
    // What is empty is asked a second time, at each endpoint as often as it takes to believe it.
    const asks = Map.groupBy(upstream.asked, (path) => path).values();
    expect([...asks].filter((times) => times.length > 2)).toEqual([]);
    expect(duplicates(upstream.asked)).toBeLessThanOrEqual(20 * 2);
  });

  test("prints a table for people", async () => {
    using folder = temporaryFolder();
    const words = ["--upstream", sample.url, "--data", folder.path, "--plan"];
    const { stdout, code } = await runCommand("crawl", words);
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ \/api\/heroes\/\{hero_identifier\}\/counters +│ +4022 │/);
    expect(stdout).toMatch(
      /requests, about (\d+ (s|min)|\d+ h \d+ min) at 8 a second\ndisk: about \d+ MB .* \d+ MB are free\n$/,
    );
  });
});

describe("a crawl", () => {
  test("of all heroes and languages stays below 30,000 requests", () => {
    const { answers, failed_attempts } = world.crawl as Record<string, number>;
    expect(answers).toBeGreaterThan(15_000);
    expect(answers).toBeLessThanOrEqual(30_000);
    expect(failed_attempts).toBe(0);
  });

  test("that is interrupted, killed and run again asks for nothing that the journal holds, publishes the same bytes, and next time nothing", async () => {
    using stopped = temporaryFolder();
    using whole = temporaryFolder();
    const epoch = { SOURCE_DATE_EPOCH: "1790000000" };
    let stop = () => {};
    await using upstream = await startUpstream(2, () => {
      if (upstream.asked.length % 10 !== 0) return false;
      stop();
      // Once: a second signal ends at once.
      stop = () => {};
      return false;
    });
    const options = (data: string) => ["--upstream", upstream.url, "--data", data, ...SMALL, ...FEW];
    const startAndStop = async (signal: NodeJS.Signals) => {
      const { child, ended } = startCommand("crawl", options(stopped.path), epoch);
      stop = () => void child.kill(signal);
      const { code, signal: killed, stderr } = await ended;
      expect(published(stopped.path)).toEqual([]);
      return [code, killed, stderr];
    };
    expect(await startAndStop("SIGINT")).toEqual([
      130,
      null,
      expect.stringMatching(/^interrupted with \d+ of \d+ slices in .*; run the same command again to resume\n$/),
    ]);
    expect(await startAndStop("SIGKILL")).toEqual([null, "SIGKILL", ""]);
    expect((await runCommand("crawl", options(stopped.path), epoch)).code).toBe(0);
    // Requests that were in flight and take too long are sent again, each time.
    expect(duplicates(upstream.asked)).toBeLessThanOrEqual(2 * 8);
    expect((await runCommand("crawl", options(whole.path), epoch)).code).toBe(0);
    expect(pointerOf(stopped.path)).toEqual(pointerOf(whole.path));
    // The same data again.
    const before = [published(whole.path), pointerOf(whole.path)];
    expect((await runCommand("crawl", options(whole.path))).code).toBe(2);
    expect([published(whole.path), pointerOf(whole.path)]).toEqual(before);
  });

  test("gets over 500, 429, bad JSON, error codes and silence by asking again", async () => {
    using folder = temporaryFolder();
    const seen = new Set<string>();
    const faults = [
      (res: ServerResponse) => res.writeHead(500).end("{}"),
      (res: ServerResponse) => res.writeHead(429, { "retry-after": "0" }).end("{}"),
      (res: ServerResponse) => res.writeHead(200, { "content-type": "application/json" }).end('{"code":0,'),
      (res: ServerResponse) =>
        res.writeHead(200, { "content-type": "application/json" }).end('{"code":-1,"message":"no"}'),
      (res: ServerResponse) => res.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      (res: ServerResponse) => res.destroy(),
      () => undefined,
    ];
    await using upstream = await startUpstream(2, (req, res) => {
      const key = req.url ?? "";
      if (seen.has(key) || !key.startsWith("/api/heroes/")) return false;
      seen.add(key);
      const fault = seen.size % 3 === 0 ? faults[(seen.size / 3) % faults.length] : undefined;
      if (!fault) return false;
      fault(res);
      return true;
    });
    const options = ["--upstream", upstream.url, "--data", folder.path, ...SMALL, ...FEW, "--timeout", "1"];
    const { code, events } = await runCommand("crawl", options);
    expect(code).toBe(0);
    const reasons = new Set(events.filter(({ event }) => event === "fault").map(({ reason }) => reason));
    const all = ["not-json", "rate-limited", "refused", "server-error", "timeout", "unreachable", "wrong-type"];
    expect([...reasons].sort()).toEqual(all);
  });

  test("of which nothing may be missing ends with 3 if slices never come, publishes nothing, and is finished by the next run", async () => {
    using folder = temporaryFolder();
    let broken = true;
    await using upstream = await startUpstream(2, (req, res) => {
      if (!broken || !/\/heroes\/1\/trends\?rank=glory&past-days/.test(req.url ?? "")) return false;
      res.writeHead(500).end("{}");
      return true;
    });
    const words = ["--languages", "en,ja", "--ranks", "all,glory", "--attempts", "2", "--max-missing", "0", ...FEW];
    const options = ["--upstream", upstream.url, "--data", folder.path, ...FAST, ...words];
    const { code, events, stderr } = await runCommand("crawl", options);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^closed since this night: trends; nothing was published; run the same command again .* --max-missing 1\n$/,
    );
    expect(events.filter(({ event }) => event === "closed")).toEqual([{ event: "closed", part: "trends: 500" }]);
    expect(published(folder.path)).toEqual([]);
    expect(existsSync(join(folder.path, "latest.json"))).toBe(false);
    broken = false;
    upstream.asked.length = 0;
    expect((await runCommand("crawl", options)).code).toBe(0);
    expect(upstream.asked.filter((path) => path.includes("lang=en"))).toEqual([
      ...["7", "15", "30"].map((days) => `/api/heroes/1/trends?rank=glory&past-days=${days}&size=200&index=1&lang=en`),
      "/api/heroes?size=1&index=1&lang=en",
    ]);
  });

  test("of an upstream that is not there ends with 4", async () => {
    using folder = temporaryFolder();
    const options = ["--upstream", "http://127.0.0.1:9", "--data", folder.path, "--attempts", "2"];
    const { code, stderr } = await runCommand("crawl", options);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^http:\/\/127\.0\.0\.1:9: gave no hero list \(unreachable: .*\); nothing was published; nothing listens on port 9 there/,
    );
  });

  test("of a subset becomes the latest only with --allow-partial", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(6);
    const subset = [
      "--languages",
      "id,en",
      "--heroes",
      "Miya,2",
      "--ranks",
      "all",
      "--days",
      "7",
      "--endpoints",
      "/api/heroes/rank,counters",
    ];
    const options = ["--upstream", upstream.url, "--data", folder.path, ...FAST, ...subset];
    const crawled = await runCommand("crawl", options);
    expect(crawled.code).toBe(0);
    const file = String(crawled.events.find(({ event }) => event === "published")?.file);
    expect(crawled.events.at(-2)).toEqual({ event: "subset", serve: `npm run serve -- --snapshot ${file}` });
    const { code, stderr } = await runCommand("serve", ["--data", folder.path]);
    expect([code, stderr]).toEqual([64, expect.stringContaining(`name a file with --snapshot ${file}, or`)]);
    expect(upstream.asked.sort()).toEqual(
      [
        "/api/heroes/1/counters?rank=all&days=7&size=200&index=1&lang=en",
        "/api/heroes/2/counters?rank=all&days=7&size=200&index=1&lang=en",
        "/api/heroes/1/counters?rank=all&days=7&size=200&index=1&lang=id",
        "/api/heroes/2/counters?rank=all&days=7&size=200&index=1&lang=id",
        "/api/heroes/rank?rank=all&days=7&size=200&index=1&lang=en",
        "/api/heroes/rank?rank=all&days=7&size=200&index=1&lang=id",
        "/api/heroes?size=1&index=1&lang=en",
        "/api/heroes?size=200&index=1&lang=en",
        "/api/heroes?size=200&index=1&lang=id",
      ].sort(),
    );
    expect(published(folder.path).filter((name) => name.endsWith(".sqlite"))).toHaveLength(1);
    expect(existsSync(join(folder.path, "latest.json"))).toBe(false);
    expect((await runCommand("crawl", [...options, "--allow-partial"])).code).toBe(0);
    expect(existsSync(join(folder.path, "latest.json"))).toBe(true);
    const get = async (path: string) => {
      const { code, stdout } = await runCommand("serve", ["--data", folder.path, "--get", path]);
      return { code, body: JSON.parse(stdout) as { error?: { code: string }; data?: { total: number } } };
    };
    expect(await get("/api/heroes/1/counters?days=7&lang=id")).toMatchObject({ code: 0, body: { data: { total: 1 } } });
    for (const hole of [
      "/api/heroes/3/counters?days=7",
      "/api/heroes/1/counters?days=1",
      "/api/heroes?lang=fr",
      "/api/heroes/1",
    ]) {
      expect(await get(hole)).toMatchObject({ code: 1, body: { error: { code: "SLICE_NOT_CAPTURED" } } });
    }
  });

  test("drops the unfinished journal of another selection, and says so in one line", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(2, (req, res) => {
      if (!req.url?.includes("/stats")) return false;
      res.writeHead(500).end("{}");
      return true;
    });
    const options = [
      "--upstream",
      upstream.url,
      "--data",
      folder.path,
      ...FAST,
      ...LITTLE,
      "--endpoints",
      "stats",
      "--attempts",
      "1",
    ];
    expect((await runCommand("crawl", options)).code).toBe(3);
    const other = await runCommand("crawl", [...options, "--ranks", "epic"]);
    expect(other.code).toBe(3);
    expect(other.events.filter(({ event }) => event === "removed")).toMatchObject([
      { reason: expect.stringMatching(/^it is unfinished, and of other selection: /) },
    ]);
  });
});
