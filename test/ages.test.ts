import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSample } from "../src/sample/service/server.ts";
import { agesAt, readAskedTimes } from "../src/snapshot/read/ages.ts";
import { verifyFile } from "../src/snapshot/verify/verify.ts";
import { fileOf, manifestOf, pointerOf } from "./helpers/data-folder.ts";
import { toSchema } from "./helpers/old-schema.ts";
import { publishRolling } from "./helpers/rolling.ts";
import { type Ended, LITTLE, runCommand, temporaryFolder } from "./helpers/run.ts";
import { editFile } from "./helpers/sqlite.ts";

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
    db.exec("CREATE TABLE coverage (dataset, status, reason, asked_at, suspect)");
    const insert = db.prepare("INSERT INTO coverage VALUES (?, ?, ?, ?, ?)");
    const at = (hours: number) => new Date(Date.UTC(2026, 0, 9) - hours * 3_600_000).toISOString();
    for (let hours = 1; hours <= 21; hours++) insert.run("rank", "captured", null, at(hours), 0);
    insert.run("hero", "empty", null, at(2), 1);
    for (const reason of ["not-asked", "timeout"]) insert.run("hero", "failed", reason, null, 0);
    insert.run("stats", "failed", "not-asked", null, 0);
    const hours = (count: number) => 3600 * count;
    expect(agesAt(readAskedTimes(db), Date.UTC(2026, 0, 9))).toEqual([
      { dataset: "hero", slices: 1, never_asked: 1, suspect: 1, p50: hours(2), p95: hours(2), oldest: hours(2) },
      { dataset: "rank", slices: 21, never_asked: 0, suspect: 0, p50: hours(11), p95: hours(20), oldest: hours(21) },
      { dataset: "stats", slices: 0, never_asked: 1, suspect: 0, p50: null, p95: null, oldest: null },
    ]);
  });

  test("stand in the manifest as they were when its crawl began", () => {
    const { ages, rolling, started_at } = manifestOf(data);
    const of = (dataset: string) => ages.find((one: { dataset: string }) => one.dataset === dataset);
    expect([rolling, started_at, pointerOf(data).rolling]).toEqual([true, ROLLING_AT, true]);
    expect(of("rank")).toMatchObject({ slices: 4, never_asked: 0, suspect: 0, p50: 0, p95: 0, oldest: 0 });
    expect(of("hero")).toMatchObject({ slices: 6, suspect: 3, p50: 7 * DAY, oldest: 7 * DAY });
    expect(of("stats")).toMatchObject({ slices: 0, never_asked: 6, p50: null, oldest: null });
  });

  test("are known of a file of an older schema: all of it was asked by its crawl", () => {
    using held = copyOfFile();
    toSchema(held.copy, "1.6.0");
    using db = Object.assign(new SQLite(held.copy, { readonly: true }), { [Symbol.dispose]: () => db.close() });
    const [hero] = agesAt(readAskedTimes(db), Date.parse(ROLLING_AT) + 5000);
    expect(hero).toMatchObject({ dataset: "hero", slices: 6, suspect: 0, p50: 5, oldest: 5 });
  });
});

describe("verify", () => {
  test("takes what was never asked for no fault of a rolling file", async () => {
    const ended = await runCommand("verify", ["--data", data]);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(stateOf(ended, "coverage")).toEqual(["ok", expect.stringMatching(/^0 of \d+ slices missing$/)]);
    expect(stateOf(ended, "ages")).toEqual([
      "warning",
      expect.stringMatching(/^6 of \d+ slices never asked, half up to \d+ d 4 h old, the oldest 10 d 4 h \(hero\)$/),
    ]);
    expect(ended.stdout).toMatch(/│ hero +│ +6 │ 10 d 4 h │ 10 d 4 h +│ 10 d 4 h │ +0 │ +3 │/);
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
    const { checks } = await verifyFile(held.copy);
    expect(checks.find(({ name }) => name === "ages")).toMatchObject({
      state: "FAILED",
      figure: expect.stringMatching(slice),
    });
  });

  test("of a file that is not rolling takes earlier times, of a crawl that was continued, and holes for a fault", async () => {
    using held = copyOfFile();
    editFile(held.copy, "UPDATE snapshot SET rolling = 0");
    const stateIn = async (name: string) => (await verifyFile(held.copy)).checks.find((one) => one.name === name);
    expect(await stateIn("ages")).toMatchObject({ state: "FAILED", figure: expect.stringMatching(/^hero /) });
    editFile(held.copy, "UPDATE coverage SET suspect = 0");
    expect(await stateIn("ages")).toMatchObject({ state: "ok" });
    expect(await stateIn("coverage")).toMatchObject({ state: "FAILED", figure: expect.stringMatching(/^6 of/) });
  });
});
