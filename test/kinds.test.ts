import SQLite from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { startSample } from "../src/sample/service/server.ts";
import { fileOf, manifestOf, published } from "./helpers/data-folder.ts";
import { crawlOptions, LITTLE, runCommand, temporaryFolder } from "./helpers/run.ts";
import { startUpstream } from "./helpers/upstream/upstream.ts";

const sample = await startSample({ heroes: 2 });
afterAll(sample.close);

/** Its numbers count as real: it sends the answers of a sample without the header. */
const startReal = (intercept?: Parameters<typeof startUpstream>[1]) => startUpstream(2, intercept);

const FEW = [...LITTLE, "--endpoints", "stats,relations", "--allow-partial", "--attempts", "3"];
const crawl = (upstream: string, data: string, ...more: string[]) =>
  runCommand("crawl", [...crawlOptions(upstream, data), ...FEW, ...more]);

const headOf = (data: string) => {
  const db = new SQLite(fileOf(data), { readonly: true });
  const head = db.prepare<[], { sample: number; attribution: string; licence: string }>("SELECT * FROM snapshot").get();
  db.close();
  return head;
};

describe("the sample upstream says that its numbers are made up", () => {
  test.for([
    ["GET", "/api/heroes"],
    ["GET", "/api/"],
    ["GET", "/robots.txt"],
    ["POST", "/api/heroes"],
    ["OPTIONS", "/api/heroes"],
    ["GET", "/api/heroes?size=x"],
    ["POST", "/api/user/auth/login"],
  ])("in the header of %s %s", async ([method, path]) => {
    const { headers } = await fetch(sample.url + path, { method: method ?? "" });
    expect(headers.get("x-sample-data")).toBe("made-up");
  });

  test("in its list of endpoints", async () => {
    const { data } = (await (await fetch(`${sample.url}/api/`)).json()) as { data: { sample: string } };
    expect(data.sample).toMatch(/^Made-up numbers/);
  });
});

describe("a snapshot says whether its numbers are made up", () => {
  test("and whose they are", async () => {
    using made = temporaryFolder();
    using real = temporaryFolder();
    await using upstream = await startReal();
    expect((await crawl(sample.url, made.path)).code).toBe(0);
    expect((await crawl(upstream.url, real.path)).code).toBe(0);
    expect(headOf(made.path)).toMatchObject({ sample: 1, attribution: expect.stringMatching(/^made-up numbers /) });
    expect(headOf(real.path)).toMatchObject({
      sample: 0,
      attribution: "data through Rone Arena, https://arena.rone.dev; game data © Moonton; unofficial",
    });
    const db = new SQLite(fileOf(made.path));
    db.exec("UPDATE snapshot SET sample = 0");
    db.close();
    const { code, stdout } = await runCommand("verify", ["--snapshot", fileOf(made.path)]);
    expect([code, stdout]).toEqual([64, expect.stringMatching(/archive hash +│ FAILED/)]);
  });
});

describe("a crawl never mixes made-up numbers with real ones", () => {
  test("from a second host", async () => {
    using folder = temporaryFolder();
    let down = 0;
    await using upstream = await startReal((req, res) => {
      if (!req.url?.includes("/stats") || down > 0) return false;
      down += 1;
      res.writeHead(503, { "content-type": "application/json" }).end("{}");
      return true;
    });
    const { code, events } = await crawl(upstream.url, folder.path, "--upstream", sample.url, "--concurrency", "1");
    expect(code).toBe(0);
    expect(events.filter(({ event }) => event === "fault").map(({ reason }) => reason)).toEqual([
      "unavailable",
      "wrong-kind",
    ]);
    const { crawl: report, coverage } = manifestOf(folder.path);
    expect(Object.keys(report.hosts)).toEqual([upstream.url]);
    expect(coverage.some(({ failed }: { failed: number }) => failed > 0)).toBe(false);
    expect(headOf(folder.path)?.sample).toBe(0);
  });

  test("from an upstream that is another one when it goes on", async () => {
    using folder = temporaryFolder();
    let madeUp = false;
    await using upstream = await startReal((req, res) => {
      if (!madeUp && req.url?.includes("/stats")) {
        res.writeHead(500).end();
        return true;
      }
      if (madeUp) res.setHeader("x-sample-data", "made-up");
      return false;
    });
    const options = [...crawlOptions(upstream.url, folder.path), ...LITTLE, "--endpoints", "stats", "--attempts", "1"];
    expect((await runCommand("crawl", options)).code).toBe(3);
    madeUp = true;
    const { code, stderr } = await runCommand("crawl", options);
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(
        /^the roster could not be checked at the end \(its numbers are made-up, and this crawl holds real ones\); nothing was published; name the upstream that the crawl began with, or drop it with --fresh\n$/,
      ),
    ]);
    expect(published(folder.path)).toEqual([]);
    expect((await runCommand("crawl", [...options, "--fresh", "--allow-partial"])).code).toBe(0);
    expect(headOf(folder.path)?.sample).toBe(1);
  });
});
