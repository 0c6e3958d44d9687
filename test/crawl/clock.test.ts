/**
 * Nights by a clock that is wrong: the one here, the upstream's, or that of an earlier night. Nights of a wrong clock are made with
 * SOURCE_DATE_EPOCH, which nobody checks; the others run by the real clock.
 */
import { existsSync, globSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { UNKNOWN_TIME } from "../../src/api/slice-facts.ts";
import { openBudget } from "../../src/crawl/budget.ts";
import { judgeClock } from "../../src/crawl/clock.ts";
import { findOwnNights } from "../../src/nights/history/find-nights.ts";
import { updateHistory } from "../../src/nights/history/history.ts";
import type { Coverage } from "../../src/snapshot/schema/row-types.ts";
import { beginDay, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { drawTests } from "../helpers/draw.ts";
import { startMirror } from "../helpers/mirror.ts";
import { crawlOptions, type Ended, runCommand, startCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SOME = ["--languages", "en,ja", "--ranks", "all", "--days", "7", "--allow-partial", "--json"];
const ENDPOINTS = ["--endpoints", "heroes,rank,hero,stats,counters"];
/** Less than a whole night. */
const BUDGET = ["--budget", "34"];

/** How far the upstream's clock is off; undefined: it sends no `Date`. */
let isOff: number | undefined = 0;
/** What a hero is called now. */
let name = "";
let onAsked = (_: number) => {};
const upstream = await startUpstream(
  3,
  () => {
    onAsked(upstream.asked.length);
    return false;
  },
  (path, body) => (/\/stats\?/.test(path) && name ? body.replaceAll('"data":{"', `"data":{"word":"${name}","`) : body),
  { now: () => (isOff === undefined ? undefined : Date.now() + isOff) },
);
afterAll(() => upstream[Symbol.asyncDispose]());

const words = (data: string, more: readonly string[]) => [
  ...crawlOptions(upstream.url, data),
  ...SOME,
  ...ENDPOINTS,
  ...more,
];

/** By the real clock, or by one that says this moment. */
function crawl(data: string, more: readonly string[] = [], at?: number): Promise<Ended> {
  upstream.asked.length = 0;
  beginDay(data, (at ?? Date.now()) / 1000);
  return runCommand("crawl", words(data, more), at === undefined ? {} : epochOf(at));
}

const epochOf = (at: number) => ({ SOURCE_DATE_EPOCH: String(Math.floor(at / 1000)) });
const eventOf = ({ events }: Ended, wanted: string) => events.find(({ event }) => event === wanted);
const said = ({ code, stderr }: Ended) => [code, stderr];
const coverageOf = (data: string) => queryFile<Coverage>(fileOf(data), "SELECT * FROM coverage");
const journalsOf = (data: string) => (existsSync(join(data, "journals")) ? readdirSync(join(data, "journals")) : []);
const ISO = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;

describe("the clock is believed", () => {
  const NOW = Date.UTC(2026, 10, 24, 3);
  test.for<[string, number | undefined, number | undefined, ReturnType<typeof judgeClock>]>([
    ["if the upstream says the same", 11 * HOUR, undefined, "agreed"],
    ["if the upstream says the same, and the folder is ahead", -11 * HOUR, 400 * DAY, "agreed"],
    ["if only the folder says the same", 13 * HOUR, -2 * DAY, "upstream-differs"],
    ["if nobody says otherwise", undefined, -90 * DAY, "alone"],
    ["not if the folder is too old to tell", 13 * HOUR, -4 * DAY, "doubted"],
    ["not if both say otherwise", -400 * DAY, 1000, "doubted"],
    ["not if the upstream says otherwise of an empty folder", -13 * HOUR, undefined, "doubted"],
    ["not if the folder is ahead, and the upstream says nothing", undefined, 1000, "doubted"],
  ])("%s", ([, upstreamOff, folderOff, verdict]) => {
    const at = (off: number | undefined) => (off === undefined ? undefined : NOW + off);
    expect(judgeClock({ clock: NOW, upstream: at(upstreamOff), folder: at(folderOff) })).toBe(verdict);
  });
});

describe("a crawl by a clock that is not believed", () => {
  drawTests(1);

  test("asks nothing, leaves nothing, and ends with one line of three times", async () => {
    using folder = temporaryFolder();
    isOff = -400 * DAY;
    const first = await crawl(folder.path, BUDGET);
    expect(said(first)).toEqual([
      64,
      expect.stringMatching(
        new RegExp(
          `^the clock here says ${ISO}, ${upstream.url} says ${ISO}, and the newest in \\S+ is of no time: [^\n]*\n$`,
        ),
      ),
    ]);
    expect([upstream.asked, journalsOf(folder.path)]).toEqual([[], []]);
    // What agrees with the folder goes on.
    isOff = 0;
    expect(said(await crawl(folder.path))).toEqual([0, ""]);
    isOff = -400 * DAY;
    const next = await crawl(folder.path);
    expect([next.code, eventOf(next, "clock-differs")]).toMatchObject([2, { host: upstream.url }]);
    isOff = 0;
  });

  test("in a folder that is ahead is told the way back, which is one", async () => {
    using folder = temporaryFolder();
    expect(said(await crawl(folder.path, [], Date.now() - DAY))).toEqual([0, ""]);
    const { version } = pointerOf(folder.path);
    upstream.sample.set({ day: 1 });
    expect(said(await crawl(folder.path, [], Date.now() + 400 * DAY))).toEqual([0, ""]);
    for (const off of [-400 * DAY, undefined]) {
      isOff = off;
      const ended = await crawl(folder.path);
      expect(said(ended)).toEqual([
        64,
        expect.stringMatching(/set the clock, or if it is right, [^\n]*rollback[^\n]*\n$/),
      ]);
    }
    const back = await runCommand("rollback", ["--data", folder.path, "--to", version]);
    expect(said(back)).toEqual([0, ""]);
    expect((await crawl(folder.path, ["--fresh"])).code).toBe(0);
    isOff = 0;
  });
});

describe("nights by clocks that disagree", () => {
  drawTests(2);

  test("a folder of a clock that was ahead is put right by the next nights, and commands that ask nobody say a line", async () => {
    using folder = temporaryFolder();
    const data = folder.path;
    upstream.sample.set({ day: 0 });
    expect(said(await crawl(data, [], Date.now() + 400 * DAY))).toEqual([0, ""]);
    const ahead = pointerOf(data).started_at;
    for (const [command, code, more] of [
      ["build", 2, ["--allow-partial"]],
      ["verify", 0, []],
    ] as const) {
      const ended = await runCommand(command, ["--data", data, ...more]);
      expect(ended.code, ended.stderr + ended.stdout).toBe(code);
      expect(ended.stdout + ended.stderr).toContain(ahead);
    }
    // What was counted for a day that is still to come.
    beginDay(data, Date.now() / 1000);
    const later = openBudget(data, 34, () => Date.now() + 2 * DAY);
    while (later.left() > 0) later.spend();
    const undated: number[] = [];
    for (let night = 1; undated.at(-1) !== 0 && night < 6; night += 1) {
      if (night > 1) beginDay(data, 86_400 * night);
      const ended = await crawl(data, BUDGET);
      expect(said(ended)).toEqual([0, ""]);
      expect(upstream.asked.length).toBeLessThanOrEqual(34);
      const told = eventOf(ended, "folder-ahead");
      expect(told !== undefined).toBe(night === 1);
      const { started_at } = pointerOf(data);
      const rows = coverageOf(data);
      expect(rows.filter(({ asked_at }) => asked_at !== null && asked_at > started_at)).toEqual([]);
      undated.push(rows.filter(({ asked_at }) => asked_at === UNKNOWN_TIME).length);
      if (night === 1) expect(later.left()).toBe(34);
    }
    later.close();
    expect([undated.length > 1, undated.at(-1)]).toEqual([true, 0]);
    expect((await runCommand("verify", ["--data", data])).code).toBe(0);
  });

  test("what a crawl of a clock that was ahead left unfinished is asked again", async () => {
    using folder = temporaryFolder();
    upstream.asked.length = 0;
    const { child, ended } = startCommand("crawl", words(folder.path, []), epochOf(Date.now() + 2 * DAY));
    onAsked = (count) => count === 16 && child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    onAsked = () => {};
    const last = await crawl(folder.path);
    expect(said(last)).toEqual([0, ""]);
    expect(Number(eventOf(last, "folder-ahead")?.again)).toBeGreaterThan(0);
    const { started_at } = pointerOf(folder.path);
    expect(new Set(coverageOf(folder.path).map(({ asked_at }) => asked_at))).toEqual(new Set([started_at]));
    expect(journalsOf(folder.path).filter((file) => file.endsWith(".journal"))).toHaveLength(1);
  });

  test("a crawl that goes on later on its day dates each answer by the run that asked", async () => {
    using folder = temporaryFolder();
    const data = folder.path;
    const [before, morning, evening, after] = [-21, 3, 20, 48].map(
      (hours) => Date.UTC(2026, 8, 21, 0) + hours * HOUR,
    ) as [number, number, number, number];
    const iso = (at: number) => new Date(at).toISOString();
    expect(said(await crawl(data, [], before))).toEqual([0, ""]);
    upstream.sample.set({ day: 1 });
    upstream.asked.length = 0;
    const { child, ended } = startCommand("crawl", words(data, []), epochOf(morning));
    onAsked = (count) => count === 16 && child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    onAsked = () => {};
    name = "evening";
    expect(said(await crawl(data, [], evening))).toEqual([0, ""]);
    expect(pointerOf(data)).toMatchObject({ started_at: iso(evening), rolling: false });
    const rows = coverageOf(data);
    expect(new Set(rows.map(({ asked_at }) => asked_at))).toEqual(new Set([iso(morning), iso(evening)]));
    const asked = queryFile<{ asked_at: string; is: number }>(
      fileOf(data),
      `SELECT asked_at, count(*) AS slices, max(json LIKE '%evening%') AS "is" FROM coverage JOIN record USING (dataset, slice)
     WHERE dataset = 'stats' GROUP BY 1 ORDER BY 1`,
    );
    expect(asked.filter(({ is }) => is === 1).map(({ asked_at }) => asked_at)).toEqual([iso(evening)]);
    await using mirror = await startMirror(fileOf(data));
    for (const at of [morning, evening].map(iso)) {
      const row = rows.find(
        ({ dataset, hero_id, asked_at }) => dataset === "stats" && hero_id !== null && asked_at === at,
      );
      const { headers } = await fetch(`${mirror.url}/api/heroes/${row?.hero_id}/stats?rank=${row?.rank}&lang=en`);
      expect([row !== undefined, headers.get("x-data-at")]).toEqual([true, at]);
    }
    upstream.sample.set({ day: 2 });
    expect(said(await crawl(data, [], after))).toEqual([0, ""]);
    const nights = findOwnNights(data).nights;
    const history = join(data, "history.sqlite");
    updateHistory(history, nights);
    const moments = queryFile<{ changed_after: string; changed_before: string }>(
      history,
      "SELECT DISTINCT changed_after, changed_before FROM hero_rate WHERE from_night = 3",
    );
    const rank = rows.find(({ dataset }) => dataset === "rank");
    expect(moments).toEqual([{ changed_after: rank?.asked_at, changed_before: iso(after) }]);
    name = "";
  });

  const [faketime] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  if (!faketime) process.stderr.write("a night across midnight is not tried: faketime is not installed\n");

  test.skipIf(!faketime)(
    "a night that midnight falls into counts each request on the day on which it is sent",
    async () => {
      using folder = temporaryFolder();
      const data = join(folder.path, "data");
      const clock = join(folder.path, "clock");
      const [evening, morning] = [-10, 10].map((minutes) => Date.UTC(2026, 8, 22) + minutes * 60_000) as [
        number,
        number,
      ];
      const setClock = (at: number) => writeFileSync(clock, `@${at / 1000}`);
      const env = { LD_PRELOAD: faketime, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_FMT: "%s", FAKETIME_NO_CACHE: "1" };
      const night = async (at: number) => {
        setClock(at);
        upstream.asked.length = 0;
        return await startCommand("crawl", words(data, [...BUDGET, "--concurrency", "1"]), env).ended;
      };
      const counted = () =>
        queryFile<{ utc_day: string; requests: number }>(join(data, "requests.sqlite"), "SELECT * FROM day ORDER BY 1");
      isOff = evening - Date.now();
      const LAST_OF_THE_EVENING = 12;
      onAsked = (count) => void (count === LAST_OF_THE_EVENING && setClock(morning));
      expect(said(await night(evening))).toEqual([0, ""]);
      onAsked = () => {};
      const NOTICES = 3;
      const [first = 0, second = 0] = [LAST_OF_THE_EVENING + NOTICES, upstream.asked.length - LAST_OF_THE_EVENING];
      expect(second).toBeGreaterThan(0);
      expect(counted()).toEqual([
        { utc_day: "2026-09-21", requests: first },
        { utc_day: "2026-09-22", requests: second },
      ]);
      const { started_at } = pointerOf(data);
      expect(started_at.slice(0, 15)).toBe("2026-09-21T23:5");
      expect(new Set(coverageOf(data).map(({ asked_at }) => asked_at ?? started_at))).toEqual(new Set([started_at]));
      // What is left of the day is all that the next run has.
      expect((await night(morning)).code).toBeOneOf([0, 3]);
      expect(counted().at(-1)?.requests).toBeLessThanOrEqual(Number(BUDGET[1]));
      expect(upstream.asked.length + NOTICES).toBe((counted().at(-1)?.requests ?? 0) - second);
      isOff = 0;
    },
  );
});
