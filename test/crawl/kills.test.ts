import { spawn } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findOwnNights } from "../../src/nights/history/find-nights.ts";
import { updateHistory } from "../../src/nights/history/history.ts";
import { buildAndPublish } from "../../src/snapshot/pipeline.ts";
import { rollback } from "../../src/snapshot/published/rollback.ts";
import { copyOf } from "../helpers/data-folder.ts";
import { createDraw, drawn, drawTests, FULL } from "../helpers/draw.ts";
import { crawlSmall } from "../helpers/month/crawl.ts";
import { judgeHistory } from "../helpers/month/history.ts";
import { FIRST } from "../helpers/month/plan.ts";
import { type Game, LANGUAGES, startGame } from "../helpers/month/upstream.ts";
import { temporaryFolder } from "../helpers/run.ts";

const LATER: Game[] = [
  { ...FIRST, day: 1, heroes: 5 },
  { ...FIRST, day: 2, item: false },
  { ...FIRST, day: 3, story: 1, rate: 1 },
  { ...FIRST, day: 4, heroes: 3 },
  { ...FIRST, day: 6 },
];
const NIGHTS = [FIRST, ...createDraw("nights").some(LATER, 3)].toSorted((one, other) => one.day - other.day);
/** What the nights differ in, and little else. */
const ENDPOINTS = ["heroes", "hero", "rank", "stats", "counters", "equipment"];
const SCRIPT = join(import.meta.dirname, "..", "helpers", "killed", "steps-killed.ts");

const world = temporaryFolder();
const data = join(world.path, "data");
const versions: string[] = [];
let journal = "";

beforeAll(async () => {
  await using upstream = await startGame(FIRST);
  for (const game of NIGHTS) {
    upstream.set(game);
    const startedAt = new Date(Date.UTC(2025, 7, 1 + game.day, 3));
    journal = await crawlSmall({ upstream: upstream.url, data, languages: LANGUAGES, endpoints: ENDPOINTS, startedAt });
    const { version } = await buildAndPublish(journal, data, { latest: true, maxLoss: 100 });
    versions.push(version);
  }
  cpSync(journal, join(world.path, "journal"));
  journal = join(world.path, "journal");
});
afterAll(() => world[Symbol.dispose]());

/** The signal that it ended with, and what it said of its steps where there was none. */
async function run(...args: (string | number)[]) {
  const child = spawn(process.execPath, [SCRIPT, ...args.map(String)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) => child.once("close", (_, name) => resolve(name)));
  return { signal, ...(signal ? {} : (JSON.parse(said) as { steps: string[]; milliseconds: number })) };
}

/** Every row of every table. */
function contentOf(file: string) {
  const db = new SQLite(file, { readonly: true, fileMustExist: true });
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1").pluck().all();
  const content = tables.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).raw().all()]);
  db.close();
  return content;
}

const foldedNights = (count: number) =>
  versions.slice(0, count).map((version, at) => ({
    version,
    file: join(data, "snapshots", `${version}.sqlite`),
    sequence: at + 1,
    withdrawn: false,
    failed: 0,
  }));

/**
 * How many nights are in it; a kill before the first may leave none, and no file. The next one to open it plays back
 * what was cut.
 */
function countNights(file: string): number {
  if (!existsSync(file)) return 0;
  const db = new SQLite(file);
  try {
    const [table] = db.prepare("SELECT name FROM sqlite_schema WHERE name = 'night'").all();
    return table ? (db.prepare<[], number>("SELECT count(*) FROM night").pluck().get() ?? 0) : 0;
  } finally {
    db.close();
  }
}

/** The whole history as a kill leaves it in the middle of a commit: half written, with the journal that undoes it. */
function cutCommit(file: string) {
  const writing = `${file}.writing`;
  updateHistory(writing, findOwnNights(data).nights);
  const db = new SQLite(writing);
  // With no room in memory what is changed is on the disk before the end.
  db.exec("PRAGMA cache_size = 1; BEGIN; UPDATE item_fact SET to_night = 1; DELETE FROM night");
  cpSync(writing, file);
  cpSync(`${writing}-journal`, `${file}-journal`);
  db.close();
}

interface Kill {
  step: number;
  delay: number;
}

/** Before steps, and anywhere in between. */
function drawKills(name: string, steps: number, milliseconds: number): Kill[] {
  const draw = createDraw(name);
  const anywhere = { step: -1, delay: 0 };
  return Array.from({ length: draw.many(10, 2) }, (_, at) =>
    at % 2 === 0 ? { step: draw.below(steps), delay: -1 } : { ...anywhere, delay: draw.below(Math.ceil(milliseconds)) },
  );
}

describe(`a kill (${drawn})`, { timeout: FULL ? 1_800_000 : 600_000 }, () => {
  drawTests(2);

  const whole = join(world.path, "whole.sqlite");
  beforeAll(() => void updateHistory(whole, findOwnNights(data).nights));

  test("in history leaves the nights before it, and the next run goes on to the same", async () => {
    const { steps = [], milliseconds = 0 } = await run("history", -1, -1, data, "timed.sqlite");
    for (const { step, delay } of drawKills("history", steps.length, milliseconds)) {
      const name = `history at ${step}, ${delay} ms`;
      using folder = copyOf(data);
      const file = join(folder.path, "killed.sqlite");
      const { signal } = await run("history", step, delay, folder.path, "killed.sqlite");
      if (delay < 0) expect(signal, name).toBe("SIGKILL");
      const nights = countNights(file);
      if (nights > 0) expect(judgeHistory(file, foldedNights(nights)), name).toEqual([]);
      expect(updateHistory(file, findOwnNights(folder.path).nights).ingested, name).toBe(versions.length - nights);
      expect(contentOf(file), name).toEqual(contentOf(whole));
    }
  });

  test("in history --fresh leaves the old one as it was or the new one whole", async () => {
    const { steps = [], milliseconds = 0 } = await run("fresh", -1, -1, data, "timed.sqlite");
    expect(steps.at(-3)).toBe("renameSync");
    for (const { step, delay } of drawKills("fresh", steps.length, milliseconds)) {
      const name = `history --fresh at ${step}, ${delay} ms`;
      using folder = copyOf(data);
      const file = join(folder.path, "killed.sqlite");
      updateHistory(file, findOwnNights(data).nights.slice(0, 3));
      const before = readFileSync(file);
      const { signal } = await run("fresh", step, delay, folder.path, "killed.sqlite");
      if (delay < 0) expect(signal, name).toBe("SIGKILL");
      const isOld = readFileSync(file).equals(before);
      if (!isOld) expect(contentOf(file), name).toEqual(contentOf(whole));
      // What was left of the new one is no history to anybody.
      expect(updateHistory(file, findOwnNights(folder.path).nights).ingested, name).toBe(
        isOld ? versions.length - 3 : 0,
      );
      expect(contentOf(file), name).toEqual(contentOf(whole));
      updateHistory(file, findOwnNights(folder.path).nights, { fresh: true });
      expect(contentOf(file), name).toEqual(contentOf(whole));
      expect(readdirSync(folder.path).filter((one) => one.startsWith("killed.sqlite"))).toEqual(["killed.sqlite"]);
    }
  });

  test("in the commit of a night is mended before --fresh asks what would be lost", () => {
    using folder = copyOf(data);
    const file = join(folder.path, "killed.sqlite");
    cutCommit(file);
    for (const ending of ["sqlite", "json"]) rmSync(join(folder.path, "snapshots", `${versions[0]}.${ending}`));
    expect(() => updateHistory(file, findOwnNights(folder.path).nights, { fresh: true })).toThrow(
      /holds 1 nights that lie nowhere else/,
    );
    expect(contentOf(file)).toEqual(contentOf(whole));
  });

  test("in pruning leaves no manifest without its file, and the next run removes the rest", async () => {
    const draw = createDraw("prune");
    for (let turn = 0; turn < draw.many(10, 2); turn += 1) {
      using folder = copyOf(data);
      const keep = 1 + draw.below(3);
      // The same data again is not published, and prunes all the same.
      if (draw.below(2) === 0) {
        rollback(folder.path);
        for (const ending of ["sqlite", "json"]) rmSync(join(folder.path, "snapshots", `${versions.at(-1)}.${ending}`));
      }
      const removed = 2 * (versions.length - keep);
      const step = draw.below(removed);
      const name = `keep ${keep}, killed at ${step}`;
      expect((await run("prune", step, -1, folder.path, journal, keep)).signal, name).toBe("SIGKILL");
      const left = readdirSync(join(folder.path, "snapshots"));
      const files = (ending: string) => left.filter((one) => one.endsWith(ending)).map((one) => one.split(".")[0]);
      expect(files(".sqlite"), name).toEqual(expect.arrayContaining(files(".json")));
      expect(files(".json"), name).toEqual(expect.arrayContaining(versions.slice(-keep)));
      expect(JSON.parse(readFileSync(join(folder.path, "latest.json"), "utf8")).version).toBe(versions.at(-1));
      await buildAndPublish(journal, folder.path, { latest: true, maxLoss: 100, keep });
      const kept = versions.slice(-keep).flatMap((version) => [`${version}.json`, `${version}.sqlite`]);
      expect(readdirSync(join(folder.path, "snapshots")).sort(), name).toEqual(kept.sort());
    }
  });
});
