import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { snapshotMetrics } from "../../src/server/operate/snapshot-metrics.ts";
import type { ServerStatus } from "../../src/server/reload/active-snapshot.ts";
import { copyOf, fileOf, manifestFileOf, manifestOf, pointerOf, published } from "../helpers/data-folder.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { crawlOptions, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startSource } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const sample = await startSample({ heroes: 2 });
afterAll(sample.close);

/** The answers of a sample that does not say so. */
const startReal = (intercept?: Parameters<typeof startUpstream>[1]) =>
  startUpstream(2, intercept, undefined, { declared: false });

const FEW = [...LITTLE, "--endpoints", "stats,relations", "--allow-partial", "--attempts", "3"];
const crawl = (upstream: string, data: string, ...more: string[]) =>
  runCommand("crawl", [...crawlOptions(upstream, data), ...FEW, ...more]);

const headOf = (data: string) => {
  const db = new SQLite(fileOf(data), { readonly: true });
  const head = db.prepare<[], { sample: number; attribution: string; licence: string }>("SELECT * FROM snapshot").get();
  db.close();
  return head;
};

const gaugeOf = (status: ServerStatus) =>
  snapshotMetrics(status)
    .find(({ name }) => name === "metasnap_snapshot_sample")
    ?.read();

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

const real = await startReal();
/** Folders with a night of each kind. */
const [ofReal, ofMadeUp] = [temporaryFolder(), temporaryFolder()];
beforeAll(async () => {
  // An older one: what is of the same second and holds the same has the same name.
  const env = { SOURCE_DATE_EPOCH: "1790000000" };
  const older = await runCommand("crawl", [...crawlOptions(real.url, ofReal.path), ...FEW], env);
  expect(older.code).toBe(0);
  expect((await crawl(sample.url, ofMadeUp.path)).code).toBe(0);
});
afterAll(async () => {
  for (const folder of [ofReal, ofMadeUp]) folder[Symbol.dispose]();
  await real[Symbol.asyncDispose]();
});

const CREDIT = "data through Rone Arena, https://arena.rone.dev; game data © Moonton; unofficial";

describe("a snapshot says whether its numbers are made up", () => {
  test.for([
    ["made-up", ofMadeUp.path, true, expect.stringMatching(/^made-up numbers of .* no game data/)],
    ["real", ofReal.path, false, CREDIT],
  ] as const)("and where they come from (%s)", ([, data, sample, attribution]) => {
    expect(headOf(data)).toMatchObject({ sample: Number(sample), attribution });
    expect(manifestOf(data)).toMatchObject({ sample, attribution });
    expect(pointerOf(data)).toMatchObject({ sample });
  });

  test("in a way that its archive hash covers", async () => {
    using folder = copyOf(ofMadeUp.path);
    const db = new SQLite(fileOf(folder.path));
    db.exec("UPDATE snapshot SET sample = 0");
    db.close();
    const { code, stdout } = await runCommand("verify", ["--snapshot", fileOf(folder.path)]);
    expect([code, stdout]).toEqual([64, expect.stringMatching(/archive hash +│ FAILED/)]);
  });

  test("on every answer of a mirror, its health and its metrics", async () => {
    await using mirror = await startFollowing(ofMadeUp.path);
    const { version } = pointerOf(ofMadeUp.path);
    const list = await fetch(`${mirror.url}/api/heroes`);
    const tag = { headers: { "if-none-match": list.headers.get("etag") ?? "" } };
    const answers = [
      list,
      await fetch(`${mirror.url}/api/heroes`, tag),
      ...(await Promise.all(
        [
          "/api/",
          "/api/nothing",
          "/api/heroes?size=x",
          "/api/openapi.json",
          "/snapshots/",
          "/snapshots/latest.json",
          `/snapshots/${version}.json`,
          `/snapshots/${version}.sqlite`,
          `/snapshots/${version}/api/heroes`,
          "/health",
          "/ready",
          "/metrics",
        ].map((path) => fetch(mirror.url + path)),
      )),
      await fetch(`${mirror.url}/api/heroes`, { method: "OPTIONS" }),
      await fetch(`${mirror.url}/api/user/auth/login`, { method: "POST" }),
    ];
    for (const { url, headers } of answers) expect([url, headers.get("x-sample-data")]).toEqual([url, "made-up"]);
    const [, , index] = answers;
    expect(await index?.json()).toMatchObject({
      data: { snapshot: { sample: true }, attribution: manifestOf(ofMadeUp.path).attribution },
    });
    expect(await (await fetch(`${mirror.url}/health`)).json()).toMatchObject({ data: { snapshot: { sample: true } } });
    expect(gaugeOf(mirror.active)).toBe(1);
    for (const answer of answers) if (!answer.bodyUsed) await answer.arrayBuffer();

    using folder = temporaryFolder();
    expect((await crawl(mirror.url, folder.path)).code).toBe(0);
    expect(headOf(folder.path)?.sample).toBe(1);
  });

  test("and a mirror of real ones says nothing of the kind", async () => {
    await using mirror = await startFollowing(ofReal.path);
    const { headers, ...answer } = await fetch(`${mirror.url}/api/`).then(async (response) => ({
      headers: response.headers,
      body: await response.json(),
    }));
    expect(headers.get("x-sample-data")).toBeNull();
    expect(answer.body).toMatchObject({ data: { snapshot: { sample: false }, attribution: CREDIT } });
    expect(gaugeOf(mirror.active)).toBe(0);
  });
});

describe("a folder holds snapshots of one kind", () => {
  const others = [
    ["made-up", ofMadeUp.path, "real", () => real.url],
    ["real", ofReal.path, "made-up", () => sample.url],
  ] as const;

  for (const [held, data, other, upstream] of others) {
    test(`a crawl of ${other} numbers into ${held} ones ends with 64 after the first answer`, async () => {
      using folder = copyOf(data);
      rmSync(join(folder.path, "latest.json"));
      rmSync(join(folder.path, "journals"), { recursive: true });
      const { code, stderr, events } = await crawl(upstream(), folder.path);
      const host = upstream();
      expect([code, stderr]).toEqual([
        64,
        `${host}: gave no hero list (wrong-kind: its numbers are ${other}, and the snapshots in ${folder.path} hold ${held} ones); nothing was published; name another upstream, or another folder with --data\n`,
      ]);
      expect(events.filter(({ event }) => event === "fault").every(({ dataset }) => dataset === "heroes")).toBe(true);
      expect(published(folder.path)).toEqual(published(data));
    });

    test(`neither a build nor a pull brings ${other} numbers to ${held} ones`, async () => {
      using folder = copyOf(data);
      const from = data === ofReal.path ? ofMadeUp.path : ofReal.path;
      const [name = ""] = readdirSync(join(from, "journals")).filter((one) => one.endsWith(".journal"));
      await using source = await startSource(from);
      const refusal = expect.stringMatching(
        new RegExp(
          `^${folder.path}: holds snapshots of ${held} numbers, and those of \\S+ are ${other}; nothing was published; name another folder with --data\\n$`,
        ),
      );
      const build = ["--data", folder.path, "--journal", join(from, "journals", name), "--allow-partial"];
      const ends = [await runCommand("build", build), await runCommand("pull", [source.url, "--data", folder.path])];
      expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
        [64, refusal],
        [64, refusal],
      ]);
      expect(source.asked.filter(({ path }) => path.endsWith(".sqlite"))).toEqual([]);
      expect(published(folder.path)).toEqual(published(data));
    });
  }

  test("which a demo does not touch when they are real", async () => {
    const { code, stderr } = await runCommand("demo", ["--data", ofReal.path]);
    expect([code, stderr]).toEqual([
      64,
      `${ofReal.path}: holds snapshots of real numbers, and those of the demo are made-up; name another folder with --data, or METASNAP_DATA=demo make demo\n`,
    ]);
  });

  test("and so does a history", async () => {
    using folder = copyOf(ofReal.path);
    const { code, stderr } = await runCommand("history", ["--data", folder.path, "--from", ofMadeUp.path]);
    expect([code, stderr]).toEqual([
      64,
      `${folder.path}: holds snapshots of real numbers, and ${ofMadeUp.path} those of made-up ones; nothing was folded; name another folder with --data or --from\n`,
    ]);
    expect(readdirSync(folder.path)).not.toContain("history.sqlite");
  });

  test("whatever a source says of its file", async () => {
    using lying = copyOf(ofMadeUp.path);
    for (const file of [join(lying.path, "latest.json"), manifestFileOf(lying.path)])
      writeFileSync(file, readFileSync(file, "utf8").replace('"sample": true', '"sample": false'));
    await using source = await startSource(lying.path);
    using folder = copyOf(ofReal.path);
    const { code, stderr } = await runCommand("pull", [source.url, "--data", folder.path]);
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(/says another kind of numbers inside than its manifest/),
    ]);
  });
});

describe("a crawl never mixes made-up numbers with real ones", () => {
  test("from a second host", async () => {
    using folder = temporaryFolder();
    let down = 0;
    await using upstream = await startReal((req, res) => {
      if (!/heroes\/\d/.test(req.url ?? "") || down === 4) return false;
      down += 1;
      res.writeHead(503, { "content-type": "application/json" }).end("{}");
      return true;
    });
    const { code, events } = await crawl(upstream.url, folder.path, "--upstream", sample.url, "--concurrency", "1");
    expect(code).toBe(0);
    expect(events.filter(({ event }) => event === "fault").map(({ reason }) => reason)).toEqual([
      ...Array(4).fill("unavailable"),
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
        /^\S+: its numbers are made-up, and this crawl holds real ones; nothing was published; name the upstream that the crawl began with, or drop the crawl with --fresh\n$/,
      ),
    ]);
    expect(published(folder.path)).toEqual([]);
    expect((await runCommand("crawl", [...options, "--fresh", "--allow-partial"])).code).toBe(0);
    expect(headOf(folder.path)?.sample).toBe(1);
  });

  test("and believes a host that has said once that its numbers are made up", async () => {
    using folder = temporaryFolder();
    await using upstream = await startReal((req, res) => {
      if (!req.url?.includes("/stats")) res.setHeader("x-sample-data", "made-up");
      return false;
    });
    const { code, events } = await crawl(upstream.url, folder.path);
    expect([code, events.filter(({ event }) => event === "fault")]).toEqual([0, []]);
    expect(headOf(folder.path)?.sample).toBe(1);
  });
});
