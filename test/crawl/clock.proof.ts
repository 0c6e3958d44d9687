/**
 * Nights by a clock that is wrong: the one here, the upstream's, or that of an earlier night. Nights of a wrong clock are made with
 * SOURCE_DATE_EPOCH, which nobody checks; the others run by the real clock.
 */
import { globSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UNKNOWN_TIME } from "../../src/api/slice-facts.ts";
import { openBudget } from "../../src/crawl/budget.ts";
import { findOwnNights } from "../../src/extra/nights/history/find-nights.ts";
import { updateHistory } from "../../src/extra/nights/history/history.ts";
import { beginDay, fileOf, pointerOf } from "../helpers/data-folder.ts";
import { startMirror } from "../helpers/mirror.ts";
import { fromNow, momentOf, ONE_DAY, ONE_HOUR, startNights } from "../helpers/own-nights.ts";
import { type Ended, runCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";

const SOME = [
  ...["--languages", "en,ja", "--ranks", "all", "--days", "7"],
  ...["--endpoints", "heroes,rank,hero,stats,counters"],
];
/** Less than a whole night. */
const BUDGET = ["--budget", "34"];

const eventOf = ({ events }: Ended, wanted: string) => events.find(({ event }) => event === wanted);
const said = ({ code, stderr }: Ended) => [code, stderr];

type Nights = Awaited<ReturnType<typeof startNights>>;

/** A crawl that is killed with its sixteenth request. */
async function crawlAndKill(nights: Nights, seconds: number) {
  const { child, ended } = nights.start(seconds);
  nights.change({ intercept: () => nights.upstream.asked.length === 16 && !child.kill("SIGKILL") });
  expect((await ended).signal).toBe("SIGKILL");
  nights.change({ intercept: () => false });
}

test("a folder of a clock that was ahead is put right by the next nights, and commands that ask nobody say a line", async () => {
  await using nights = await startNights(3, SOME);
  const { data } = nights;
  expect(said(await nights.crawl(fromNow(400)))).toEqual([0, ""]);
  const ahead = pointerOf(data).started_at;
  for (const [command, code, more] of [
    ["build", 2, ["--allow-partial"]],
    ["verify", 0, []],
  ] as const) {
    const ended = await runCommand(command, ["--data", data, ...more]);
    expect(ended.code, ended.stderr + ended.stdout).toBe(code);
    expect(ended.stdout + ended.stderr).toContain(ahead);
  }
  // Requests are counted for a day that is still to come.
  beginDay(data, Date.now() / 1000);
  const later = openBudget(data, 34, () => Date.now() + 2 * ONE_DAY * 1000);
  while (later.left() > 0) later.spend();
  const undated: number[] = [];
  for (let night = 1; undated.at(-1) !== 0 && night < 6; night += 1) {
    if (night > 1) beginDay(data, ONE_DAY * night);
    // A night that holds the same as another one of its second is that one.
    const { started_at: before } = pointerOf(data);
    await expect.poll(() => new Date().toISOString().slice(0, 19)).not.toBe(before.slice(0, 19));
    const ended = await nights.crawl(undefined, BUDGET);
    expect(said(ended)).toEqual([0, ""]);
    expect(ended.asked.length).toBeLessThanOrEqual(34);
    expect(eventOf(ended, "folder-ahead") !== undefined).toBe(night === 1);
    const { started_at } = pointerOf(data);
    const rows = nights.coverage();
    expect(rows.filter(({ asked_at }) => asked_at !== null && asked_at > started_at)).toEqual([]);
    undated.push(rows.filter(({ asked_at }) => asked_at === UNKNOWN_TIME).length);
    if (night === 1) expect(later.left()).toBe(34);
  }
  later.close();
  expect([undated.length > 1, undated.at(-1)]).toEqual([true, 0]);
  expect((await runCommand("verify", ["--data", data])).code).toBe(0);
});

test("a crawl by a clock that is behind its folder is told the way back, which is one", async () => {
  let isOff: number | undefined = 0;
  const now = () => (isOff === undefined ? undefined : Date.now() + isOff);
  await using nights = await startNights(3, SOME, { now });
  expect(said(await nights.crawl(fromNow(-1)))).toEqual([0, ""]);
  const { version } = pointerOf(nights.data);
  nights.upstream.sample.set({ day: 1 });
  expect(said(await nights.crawl(fromNow(400)))).toEqual([0, ""]);
  for (const off of [-400 * ONE_DAY * 1000, undefined]) {
    isOff = off;
    expect(said(await nights.crawl(undefined))).toEqual([
      64,
      expect.stringMatching(/set the clock, or if it is right, [^\n]*rollback[^\n]*\n$/),
    ]);
  }
  const back = await runCommand("rollback", ["--data", nights.data, "--to", version]);
  expect(said(back)).toEqual([0, ""]);
  expect((await nights.crawl(undefined, ["--fresh"])).code).toBe(0);
});

test("what a crawl of a clock that was ahead left unfinished is asked again", async () => {
  await using nights = await startNights(3, SOME);
  await crawlAndKill(nights, fromNow(2));
  const last = await nights.crawl(undefined);
  expect(said(last)).toEqual([0, ""]);
  expect(Number(eventOf(last, "folder-ahead")?.again)).toBeGreaterThan(0);
  const { started_at } = pointerOf(nights.data);
  expect(new Set(nights.coverage().map(({ asked_at }) => asked_at))).toEqual(new Set([started_at]));
  const journals = readdirSync(join(nights.data, "journals")).filter((file) => file.endsWith(".journal"));
  expect(journals).toHaveLength(1);
});

test("a crawl that goes on later on its day dates each answer by the run that asked", async () => {
  await using nights = await startNights(3, SOME);
  const { data } = nights;
  const [before, morning, evening, after] = [-ONE_DAY, 4 * ONE_HOUR, 20 * ONE_HOUR, 52 * ONE_HOUR] as const;
  expect(said(await nights.crawl(before))).toEqual([0, ""]);
  nights.upstream.sample.set({ day: 1 });
  await crawlAndKill(nights, morning);
  nights.change({
    rewrite: (path, body) =>
      /\/stats\?/.test(path) ? body.replaceAll('"data":{"', '"data":{"word":"evening","') : body,
  });
  expect(said(await nights.crawl(evening))).toEqual([0, ""]);
  expect(pointerOf(data)).toMatchObject({ started_at: momentOf(evening), rolling: false });
  const rows = nights.coverage();
  expect(new Set(rows.map(({ asked_at }) => asked_at))).toEqual(new Set([morning, evening].map(momentOf)));
  const asked = queryFile<{ asked_at: string; is: number }>(
    fileOf(data),
    `SELECT asked_at, count(*) AS slices, max(json LIKE '%evening%') AS "is" FROM coverage JOIN record USING (slice_id)
     WHERE dataset = 'stats' GROUP BY 1 ORDER BY 1`,
  );
  expect(asked.filter(({ is }) => is === 1).map(({ asked_at }) => asked_at)).toEqual([momentOf(evening)]);
  await using mirror = await startMirror(fileOf(data));
  for (const at of [morning, evening].map(momentOf)) {
    const row = rows.find(
      ({ dataset, hero_id, asked_at }) => dataset === "stats" && hero_id !== null && asked_at === at,
    );
    const { headers } = await fetch(`${mirror.url}/api/heroes/${row?.hero_id}/stats?rank=${row?.rank}&lang=en`);
    expect([row !== undefined, headers.get("x-data-at")]).toEqual([true, at]);
  }
  nights.upstream.sample.set({ day: 2 });
  expect(said(await nights.crawl(after))).toEqual([0, ""]);
  const history = join(data, "history.sqlite");
  updateHistory(history, findOwnNights(data).nights);
  const moments = queryFile<{ changed_after: string; changed_before: string }>(
    history,
    "SELECT DISTINCT changed_after, changed_before FROM hero_rate WHERE from_night = 3",
  );
  const rank = rows.find(({ dataset }) => dataset === "rank");
  expect(moments).toEqual([{ changed_after: rank?.asked_at, changed_before: momentOf(after) }]);
});

test("a night that midnight falls into counts each request on the day on which it is sent", async () => {
  using folder = temporaryFolder();
  const clock = join(folder.path, "clock");
  const [evening, morning] = [-10, 10].map((minutes) => Date.UTC(2026, 8, 22) + minutes * 60_000) as [number, number];
  const setClock = (at: number) => writeFileSync(clock, `@${at / 1000}`);
  const [faketime = ""] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  const env = { LD_PRELOAD: faketime, FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_FMT: "%s", FAKETIME_NO_CACHE: "1" };
  await using nights = await startNights(3, SOME, { now: () => evening });
  const night = async (at: number) => {
    setClock(at);
    return await nights.start(undefined, [...BUDGET, "--concurrency", "1"], env).ended;
  };
  const counted = () =>
    queryFile<{ utc_day: string; requests: number }>(
      join(nights.data, "requests.sqlite"),
      "SELECT * FROM day ORDER BY 1",
    );
  const LAST_OF_THE_EVENING = 12;
  nights.change({
    intercept() {
      if (nights.upstream.asked.length === LAST_OF_THE_EVENING) setClock(morning);
      return false;
    },
  });
  expect(said(await night(evening))).toEqual([0, ""]);
  nights.change({ intercept: () => false });
  const NOTICES = 3;
  const [first = 0, second = 0] = [LAST_OF_THE_EVENING + NOTICES, nights.upstream.asked.length - LAST_OF_THE_EVENING];
  expect(second).toBeGreaterThan(0);
  expect(counted()).toEqual([
    { utc_day: "2026-09-21", requests: first },
    { utc_day: "2026-09-22", requests: second },
  ]);
  const { started_at } = pointerOf(nights.data);
  expect(started_at.slice(0, 15)).toBe("2026-09-21T23:5");
  expect(new Set(nights.coverage().map(({ asked_at }) => asked_at ?? started_at))).toEqual(new Set([started_at]));
  // The next run has no more than what is left of the day.
  expect((await night(morning)).code).toBeOneOf([0, 3]);
  expect(counted().at(-1)?.requests).toBeLessThanOrEqual(Number(BUDGET[1]));
  expect(nights.upstream.asked.length + NOTICES).toBe((counted().at(-1)?.requests ?? 0) - second);
});
