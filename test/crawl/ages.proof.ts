import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { createAdminRoutes } from "../../src/server/operate/admin.ts";
import { renderMetrics } from "../../src/server/operate/prometheus.ts";
import { createMetrics } from "../../src/server/operate/requests.ts";
import { snapshotMetrics } from "../../src/server/operate/snapshot-metrics.ts";
import { type Ages, agesAt, readAskedTimes } from "../../src/snapshot/read/ages.ts";
import { verifyFile } from "../../src/snapshot/verify/verify.ts";
import { copyOf, fileOf, manifestFileOf, manifestOf, pointerOf } from "../helpers/data-folder.ts";
import { type RunningMirror, startFollowing } from "../helpers/mirror.ts";
import { publishRolling } from "../helpers/rolling.ts";
import { type Ended, LITTLE, runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { editFile } from "../helpers/sqlite.ts";
import { startSource } from "../helpers/upstream/source.ts";

const DAY = 86_400;
/** Nights begin some hours before a whole number of days ago. */
const NOW = Math.floor(Date.now() / 1000) - 4 * 3600;
const BASE_AT = new Date((NOW - 10 * DAY) * 1000).toISOString();
const ROLLING_AT = new Date((NOW - 3 * DAY) * 1000).toISOString();
const BASE = "heroes,hero,rank,versions";

const world = mkdtempSync(join(tmpdir(), "metasnap-ages-"));
/** Its latest night asked for heroes, rank and versions, has `hero` from a week before, and never asked for `stats`. */
const data = join(world, "data");
let file: string;

async function crawl(url: string, into: string, at: number, endpoints: string): Promise<string> {
  const pace = ["--upstream", url, "--data", into, "--rate", "5000", "--concurrency", "8"];
  const words = [...pace, ...LITTLE, "--endpoints", endpoints, "--allow-partial"];
  const { code, stderr } = await runCommand("crawl", words, { SOURCE_DATE_EPOCH: String(at) });
  expect([code, stderr]).toEqual([0, ""]);
  return join(into, "journals", readdirSync(join(into, "journals")).sort().at(-1) ?? "");
}

beforeAll(async () => {
  await using sample = { ...(await startSample({ heroes: 3 })), [Symbol.asyncDispose]: () => sample.close() };
  await crawl(sample.url, data, NOW - 10 * DAY, BASE);
  sample.set({ day: 7 });
  const journal = await crawl(sample.url, join(world, "other"), NOW - 3 * DAY, `${BASE},stats`);
  const isSuspect = ({ lang }: { lang: string }) => lang === "ja";
  const night = await publishRolling(journal, data, ({ dataset }) => !/^(hero|stats)$/.test(dataset), isSuspect);
  expect(night).toMatchObject({ changed: true, rolling: true });
  file = fileOf(data);
});

afterAll(() => rmSync(world, { recursive: true, force: true }));

/** A copy of the file with its manifest, to be changed. */
function copyOfFile() {
  const folder = temporaryFolder();
  const copy = join(folder.path, "snapshot.sqlite");
  copyFileSync(file, copy);
  return { copy, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const stateOf = ({ stdout }: Ended, check: string) =>
  new RegExp(`│ ${check} +│ (\\w+) +│ (.*?) +│`).exec(stdout)?.slice(1) ?? [];

describe("the ages of a snapshot", () => {
  test("are nearest ranks over the slices with an answer", () => {
    using db = Object.assign(new SQLite(":memory:"), { [Symbol.dispose]: () => db.close() });
    db.exec("CREATE TABLE coverage (dataset, status, reason, part_id, asked_at, suspect)");
    const insert = db.prepare("INSERT INTO coverage VALUES (?, ?, ?, NULL, ?, ?)");
    const at = (hours: number) => new Date(Date.UTC(2026, 0, 9) - hours * 3_600_000).toISOString();
    for (let hours = 1; hours <= 21; hours++) insert.run("rank", "captured", null, at(hours), 0);
    insert.run("hero", "empty", null, at(2), 1);
    for (const reason of ["not-asked", "timeout"]) insert.run("hero", "failed", reason, null, 0);
    insert.run("stats", "failed", "not-asked", null, 0);
    const hours = (count: number) => 3600 * count;
    expect(agesAt(readAskedTimes(db), Date.UTC(2026, 0, 9))).toEqual([
      {
        dataset: "hero",
        slices: 1,
        never_asked: 1,
        closed: 0,
        suspect: 1,
        p50: hours(2),
        p95: hours(2),
        oldest: hours(2),
      },
      {
        dataset: "rank",
        slices: 21,
        never_asked: 0,
        closed: 0,
        suspect: 0,
        p50: hours(11),
        p95: hours(20),
        oldest: hours(21),
      },
      { dataset: "stats", slices: 0, never_asked: 1, closed: 0, suspect: 0, p50: null, p95: null, oldest: null },
    ]);
  });

  test("stand in the manifest as they were when its crawl began", () => {
    const { ages, rolling, started_at } = manifestOf(data);
    const of = (dataset: string) => ages.find((one: { dataset: string }) => one.dataset === dataset);
    expect([rolling, started_at, pointerOf(data).rolling]).toEqual([true, ROLLING_AT, true]);
    expect(of("rank")).toMatchObject({ slices: 4, never_asked: 0, closed: 0, suspect: 0, p50: 0, p95: 0, oldest: 0 });
    expect(of("hero")).toMatchObject({ slices: 6, suspect: 3, p50: 7 * DAY, oldest: 7 * DAY });
    expect(of("stats")).toMatchObject({ slices: 0, never_asked: 6, p50: null, oldest: null });
  });
});

describe("verify", () => {
  test("takes what was never asked for no fault of a rolling file", async () => {
    const ended = await runCommand("verify", ["--data", data]);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(stateOf(ended, "coverage")).toEqual([
      "ok",
      expect.stringMatching(/^0 of \d+ slices missing, 0 carried over$/),
    ]);
    expect(stateOf(ended, "ages")).toEqual([
      "warning",
      expect.stringMatching(/^6 of \d+ slices never asked, half up to \d+ d 4 h old, the oldest 10 d 4 h \(hero\)$/),
    ]);
    expect(ended.stdout).toMatch(/│ hero +│ +6 │ +10 d 4 h │ +10 d 4 h │ +10 d 4 h │ +0 │ +3 │/);
    expect(ended.stdout).not.toContain("not-asked");
    expect(ended.stdout).toMatch(/│ stats +│ +0 │ +│ +│ +│ +6 │ +0 │/);
  });

  test("ends with 3 where answers are older than --max-age-of allows", async () => {
    using folder = temporaryFolder();
    const list = join(folder.path, "ages=");
    writeFileSync(list, "# hours\nhero = 10d # not four more\r\n\nrank=80h\n");
    const cases: [ages: string, code: number, figure: string][] = [
      ["hero=11d,rank=80h", 0, "none is older"],
      ["hero=10d,rank=80h", 3, "hero is up to 10 d 4 h old, allowed are 10 d"],
      [list, 3, "hero is up to 10 d 4 h old, allowed are 10 d"],
      ["stats=99d,counters=1d", 3, "stats has 6 slices that were never asked; counters has no answer"],
    ];
    for (const [ages, code, figure] of cases) {
      const ended = await runCommand("verify", ["--data", data, "--max-age-of", ages]);
      expect([ended.code, stateOf(ended, "max ages")]).toEqual([code, [code === 0 ? "ok" : "FAILED", figure]]);
    }
  });

  const edits: [what: string, sql: string, slice: RegExp][] = [
    [
      "after the start",
      `UPDATE coverage SET asked_at = '${new Date().toISOString()}' WHERE dataset = 'rank'`,
      /^rank /,
    ],
    ["no time", "UPDATE coverage SET asked_at = '2026-01-01' WHERE dataset = 'rank'", /^rank .* says 2026-01-01,/],
    [
      "none of an answer",
      "UPDATE coverage SET asked_at = NULL WHERE dataset = 'hero'",
      /^hero .* says null, of captured/,
    ],
    ["one of a hole", `UPDATE coverage SET asked_at = '${BASE_AT}' WHERE dataset = 'stats'`, /^stats .*, of failed$/],
    ["a doubt about nothing", "UPDATE coverage SET suspect = 1 WHERE dataset = 'stats'", /^stats /],
  ];
  test.for(edits)("finds a time that cannot be: %s", async ([, sql, slice]) => {
    using held = copyOfFile();
    editFile(held.copy, sql);
    const { checks } = await verifyFile(held.copy, "reader");
    expect(checks.find(({ name }) => name === "ages")).toMatchObject({
      state: "FAILED",
      figure: expect.stringMatching(slice),
    });
  });

  test("of a file that is not rolling takes earlier times, of a crawl that was continued, and holes without a reason for a fault", async () => {
    using held = copyOfFile();
    editFile(held.copy, "UPDATE snapshot SET rolling = 0");
    const stateIn = async (name: string) =>
      (await verifyFile(held.copy, "reader")).checks.find((one) => one.name === name);
    expect(await stateIn("ages")).toMatchObject({ state: "FAILED", figure: expect.stringMatching(/^hero /) });
    editFile(held.copy, "UPDATE coverage SET suspect = 0");
    expect(await stateIn("ages")).toMatchObject({ state: "ok" });
    expect(await stateIn("coverage")).toMatchObject({ state: "ok" });
    editFile(held.copy, "UPDATE coverage SET reason = NULL WHERE status = 'failed'");
    expect(await stateIn("coverage")).toMatchObject({
      state: "FAILED",
      figure: expect.stringMatching(/^stats .* is missing, and nothing says why$/),
    });
  });
});

describe("a mirror of it", () => {
  let mirror: RunningMirror;
  beforeAll(async () => {
    mirror = await startFollowing(data);
  });
  afterAll(() => mirror[Symbol.asyncDispose]());
  const ask = (path: string, init: RequestInit = {}) => fetch(mirror.url + path, init);
  const dataOf = async <T>(path: string) => ((await (await ask(path)).json()) as { data: T }).data;
  const timesOf = ({ headers }: Response) => [headers.get("x-snapshot-at"), headers.get("x-data-at")];

  test("says of each answer when it was asked: also on HEAD, on a 304, from the cache and compressed", async () => {
    const first = await ask("/api/heroes/1");
    const known = { "if-none-match": first.headers.get("etag") ?? "" };
    const answers = [
      first,
      await ask("/api/heroes/1"),
      await ask("/api/heroes/1"),
      await ask("/api/heroes/Miya?lang=ja", { headers: { "accept-encoding": "identity" } }),
      await ask("/api/heroes/1", { method: "HEAD" }),
      await ask("/api/heroes/1", { headers: known }),
      await ask(`/snapshots/${pointerOf(data).version}/api/heroes/1`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 304, 200]);
    for (const answer of answers) expect(timesOf(answer)).toEqual([ROLLING_AT, BASE_AT]);
    for (const path of ["/api/heroes", "/api/heroes?order=asc", "/api/heroes/rank?days=1&rank=all&size=1&index=3"])
      expect(timesOf(await ask(path))).toEqual([ROLLING_AT, ROLLING_AT]);
    for (const path of ["/api/", "/api/heroes?size=x", "/snapshots/", "/health"])
      expect(timesOf(await ask(path))).toEqual([ROLLING_AT, null]);
  });

  test("is at no time of what is computed", async () => {
    const computed = await ask("/api/addon/win-rate-calculator?match-now=10&wr-now=50&wr-future=60");
    expect([computed.status, ...timesOf(computed)]).toEqual([200, ROLLING_AT, null]);
  });

  test("says of what is missing whether it was not asked yet", async () => {
    const errorOf = async (path: string, url = mirror.url) => {
      const response = await fetch(url + path);
      const { error } = (await response.json()) as { error: Record<string, string> };
      return [response.status, error.code, error.message, error.detail];
    };
    const stats = "/api/heroes/1/stats?rank=all";
    const detail = "stats?hero=1&rank=all&lang=en";
    const code = "SLICE_NOT_CAPTURED";
    expect(await errorOf(stats)).toEqual([503, code, "The answer has not been asked for yet.", detail]);
    expect(await errorOf(`${stats}&lang=ja`)).toEqual([
      503,
      code,
      "The answer has not been asked for yet.",
      expect.stringMatching(/lang=ja$/),
    ]);
    const hole = "This snapshot does not hold the answer.";
    expect(await errorOf("/api/heroes/1/counters")).toEqual([503, code, hole, expect.stringMatching(/^counters/)]);
  });

  test("tells the ages on /health and /metrics, and that it is rolling", async () => {
    type Told = { rolling: boolean };
    const { snapshot } = await dataOf<{ snapshot: Told & { ages: Ages[] } }>("/health");
    expect(snapshot.rolling).toBe(true);
    const hero = snapshot.ages.find(({ dataset }) => dataset === "hero");
    expect(hero).toMatchObject({ slices: 6, never_asked: 0, closed: 0, suspect: 3 });
    const oldest = hero?.oldest ?? 0;
    expect([oldest >= 10 * DAY + 4 * 3600, oldest < 10 * DAY + 5 * 3600]).toEqual([true, true]);
    expect((await dataOf<{ snapshot: Told }>("/api/")).snapshot.rolling).toBe(true);
    expect((await dataOf<{ records: Told[] }>("/snapshots/")).records.map(({ rolling }) => rolling)).toEqual([
      true,
      false,
    ]);
    const body = renderMetrics(createMetrics(), snapshotMetrics(mirror.active));
    const gaugeOf = (name: string) =>
      Number(
        body
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")
          .at(-1),
      );
    const ageOf = (dataset: string, share: string) =>
      Date.now() / 1000 - gaugeOf(`metasnap_data_asked_timestamp_seconds{dataset="${dataset}",share="${share}"}`);
    expect(ageOf("hero", "0.95")).toBeGreaterThan(10 * DAY);
    expect(ageOf("rank", "1")).toBeLessThan(4 * DAY);
    expect(body).not.toContain('metasnap_data_asked_timestamp_seconds{dataset="stats"');
    expect(gaugeOf('metasnap_data_never_asked_slices{dataset="stats"}')).toBe(6);
    expect(gaugeOf('metasnap_data_suspect_slices{dataset="hero"}')).toBe(3);
    expect(gaugeOf('metasnap_snapshot_slices{state="carried"}')).toBe(6);
    expect(gaugeOf('metasnap_snapshot_slices{state="missing"}')).toBe(6);
    expect(gaugeOf("metasnap_snapshot_rolling")).toBe(1);
  });

  test("is not ready while answers are older than --max-age-of allows", async () => {
    const ready = (ages: Record<string, number>) => {
      const days = Object.entries(ages).map(([dataset, count]): [string, number] => [dataset, count * DAY * 1000]);
      return createAdminRoutes({ status: mirror.active, maxAgeOf: new Map(days) }).ready();
    };
    expect(await ready({ hero: 11, rank: 4 })).toMatchObject({ body: expect.stringContaining('"ready":true') });
    const refusal = (detail: string) => {
      const said = { detail: `${pointerOf(data).version}: ${detail}` };
      return expect.objectContaining({ code: "NOT_READY", explanation: expect.objectContaining(said) });
    };
    expect(() => ready({ hero: 10, rank: 4 })).toThrow(refusal("hero is up to 10 d 4 h old, allowed are 10 d"));
    expect(() => ready({ stats: 99 })).toThrow(refusal("stats has 6 slices that were never asked"));
    await using served = await startServe(["--snapshot", file, "--max-age-of", "rank=4d,hero=1d"]);
    const { status } = await fetch(`${served.url}/ready`);
    expect([status, (await fetch(`${served.url}/health`)).status]).toEqual([503, 200]);
  });
});

describe("a pull", () => {
  test("publishes a rolling night with holes as the latest, with its ages", async () => {
    await using source = await startSource(data, "static");
    using folder = temporaryFolder();
    const { changed, latest, version } = await pull(new URL(source.url), folder.path);
    expect([changed, latest, version]).toEqual([true, true, pointerOf(data).version]);
    expect(pointerOf(folder.path)).toMatchObject({ rolling: true, sha256: pointerOf(data).sha256 });
    expect(manifestOf(folder.path).ages).toEqual(manifestOf(data).ages);
  });

  test.for([
    [
      "is not what pointer and manifest say",
      ["latest.json", "manifest"],
      /says another rolling inside than its manifest/,
    ],
    ["is something else in the manifest", ["manifest"], /says another rolling than latest\.json/],
  ] as const)("refuses one that %s", async ([, names, message]) => {
    using held = copyOf(data);
    for (const name of names) {
      const path = name === "manifest" ? manifestFileOf(held.path) : join(held.path, name);
      writeFileSync(path, readFileSync(path, "utf8").replace('"rolling": true', '"rolling": false'));
    }
    await using source = await startSource(held.path, "static");
    using folder = temporaryFolder();
    await expect(pull(new URL(source.url), folder.path)).rejects.toMatchObject({
      exit: 64,
      message: expect.stringMatching(message),
    });
  });
});
