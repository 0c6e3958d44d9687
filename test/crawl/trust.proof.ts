/** Stories of crawls through all that can go wrong. */
import { describe, expect, test } from "vitest";
import { fileOf } from "../helpers/data-folder.ts";
import { AT_COUNTERS, AT_EMBLEMS, AT_RANK, AT_STATS } from "../helpers/misbehaviours/row.ts";
import {
  crawlAt,
  crawlOverMidnight,
  crawlThroughAll,
  crawlThroughKills,
  eventsOf,
  startRough,
} from "../helpers/misbehaviours/stories.ts";
import { MISBEHAVIOURS, type MisbehaviourName } from "../helpers/misbehaviours/table.ts";
import { startMisbehaving } from "../helpers/misbehaviours/upstream.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

/** Where languages, most ranks, windows and endpoints do not matter. */
const NUMBERS = [
  ...["--languages", "en,ja", "--ranks", "epic,glory", "--days", "1,7", "--allow-partial"],
  ...["--endpoints", "rank,stats,trends,relations,counters,compatibility"],
];

/** Those that any answer may meet and that heal when it is asked for again, or are borne. */
const HEALING = (Object.keys(MISBEHAVIOURS) as MisbehaviourName[]).filter((name) => {
  const { at, reasons, same, args, slow } = MISBEHAVIOURS[name];
  const isOfOne = !slow && !args && [AT_STATS, AT_RANK, AT_COUNTERS, AT_EMBLEMS].includes(at);
  // An answer that nobody asked for may be taken for that of a slice that is often empty. Pages repeat if all of them do.
  return isOfOne && (reasons.length > 0 || same) && !/^made-up|^second-answer|^pages-/.test(name);
});

test("a crawl through every misbehaviour that heals, at a third of all requests, gives the same bytes as one without", () =>
  // Enough requests for each to come several times; all languages, because it is their lists that can repeat a record.
  crawlThroughAll(8, HEALING, 0.33, []));

test("a crawl that is killed again and again at random moments still gives the same bytes", () =>
  crawlThroughKills(10, 12, 2000, []));

test("a day that rolls over in the middle of a crawl leaves no table with two batches", () =>
  crawlOverMidnight(5, 450, 66, []));

test("an upstream that never settles costs no night, which says what is of which batch", async () => {
  using folder = temporaryFolder();
  let day = 0;
  await using world = await startRough(4, {
    onRequest(n) {
      if (n % 10 !== 0) return;
      day += 1;
      world.sample.set({ day });
    },
  });
  const { code, stderr } = await crawlAt(world.url, folder.path, ...NUMBERS);
  expect([code, stderr]).toEqual([0, ""]);
  const file = fileOf(folder.path);
  const apart = `SELECT count(*) FROM coverage AS c WHERE batch IS NOT NULL AND stale = 0 AND EXISTS (
    SELECT 1 FROM coverage AS o WHERE o.stale = 0 AND o.batch <> c.batch
    AND (o.dataset, o.rank, o.days IS c.days, o.lane IS c.lane, o.lang) = (c.dataset, c.rank, 1, 1, c.lang))`;
  expect(queryFile(file, `SELECT (${apart}) AS apart`)).toEqual([{ apart: 0 }]);
  expect(queryFile(file, "SELECT count(*) > 10 AS many FROM doubt")).toEqual([{ many: 1 }]);
});

test("a hero who comes in mid-crawl is crawled too", async () => {
  using folder = temporaryFolder();
  using whole = temporaryFolder();
  await using world = await startRough(2, {
    onRequest(n) {
      if (n === 30) world.sample.set({ heroes: 3 });
    },
  });
  const ended = await crawlAt(world.url, folder.path, ...NUMBERS);
  expect(ended.code).toBe(0);
  expect(eventsOf(ended, "roster-changed")).toHaveLength(1);
  expect((await crawlAt(world.url, whole.path, ...NUMBERS)).code).toBe(0);
  const covered = (data: string) => [
    queryFile(fileOf(data), "SELECT dataset, slice, status FROM coverage"),
    queryFile(fileOf(data), "SELECT dataset, slice, sha256 FROM coverage WHERE hero_id IS NULL"),
  ];
  expect(covered(folder.path)).toEqual(covered(whole.path));
});

/** The most arrivals, given in order, that lie within less than a second of each other. */
const busiestSecond = (arrivals: readonly number[]) =>
  Math.max(...arrivals.map((first, at) => arrivals.slice(at).findIndex((time) => time - first >= 1000)));

test("the ceiling holds for rate and concurrency as the upstream sees them, in calm and while recovering", async () => {
  using folder = temporaryFolder();
  await using upstream = await startRough(1, {
    rules: [
      { name: "rate-limited-for-a-second", times: 3 },
      { name: "blocked", times: 5, match: "/stats" },
      { name: "limited", times: 3, match: "/trends" },
    ],
  });
  const endpoints = "heroes,rank,hero,stats,trends,counters,compatibility,skill-combos";
  const part = ["--endpoints", endpoints, "--languages", "en,ja", "--allow-partial"];
  const words = ["--upstream", upstream.url, "--data", folder.path, "--rate", "60", "--concurrency", "3", ...part];
  expect((await runCommand("crawl", words)).code).toBe(0);
  expect(upstream.log.length).toBeGreaterThan(130);
  expect(Math.max(...upstream.log.map(({ inFlight }) => inFlight))).toBeLessThanOrEqual(3);
  expect(busiestSecond([...upstream.log.map(({ at }) => at), Number.POSITIVE_INFINITY])).toBeLessThanOrEqual(60);
});

test("series that never end on one day are reported, and hide nothing else that is older", async () => {
  using folder = temporaryFolder();
  let stale = true;
  await using upstream = await startUpstream(3, undefined, (path, body) => {
    if (path.startsWith("/api/heroes/2/trends")) return body.replace(/("win_rate":\[)\{[^}]*\},/, "$1");
    if (!stale || !path.startsWith("/api/heroes/rank?rank=glory&days=3&")) return body;
    stale = false;
    return body.replaceAll(/"main_hero_win_rate":[\d.]+/g, '"main_hero_win_rate":0.111');
  });
  const ended = await crawlAt(upstream.url, folder.path, ...NUMBERS, "--days", "3,7,15");
  expect(ended.code).toBe(0);
  // Two ranks in two windows.
  expect(eventsOf(ended, "doubt").filter(({ check }) => check === "other-batch")).toHaveLength(2 * 2);
  expect(queryFile(fileOf(folder.path), "SELECT * FROM hero_rate WHERE win_rate = 0.111")).toEqual([]);
});

test("a hero who is lost in mid-crawl is dropped with all that was asked for him", async () => {
  using folder = temporaryFolder();
  await using world = await startRough(4, {
    onRequest(n) {
      if (n === 45) world.sample.set({ heroes: 3 });
    },
  });
  const { code, stderr } = await crawlAt(world.url, folder.path, "--attempts", "3", ...NUMBERS);
  expect([code, stderr]).toEqual([0, ""]);
  const heroes = "SELECT DISTINCT hero_id FROM coverage WHERE hero_id IS NOT NULL ORDER BY 1";
  expect(queryFile(fileOf(folder.path), heroes)).toEqual([1, 2, 3].map((hero_id) => ({ hero_id })));
});

describe("a host", () => {
  /** Too few at a time to open the circuit. */
  const words = [...NUMBERS, "--concurrency", "2"];

  test.for([
    ["limited", "unavailable"],
    ["redirect", "redirected"],
    ["maintenance", "unavailable"],
    ["reset", "unreachable"],
  ] as const)("that answers as %s is left for the configured backup", async ([name, why]) => {
    using folder = temporaryFolder();
    await using backup = await startRough(2);
    await using gate = await startMisbehaving(backup.sample.url, {
      elsewhere: backup.url,
      onRequest(n) {
        if (n === 20) gate.rules = [{ name }];
      },
    });
    const ended = await crawlAt(gate.url, folder.path, "--upstream", backup.url, ...words);
    expect(ended.code).toBe(0);
    expect(eventsOf(ended, "failover")).toMatchObject([{ from: gate.url, to: backup.url, why }]);
    const [report] = eventsOf(ended, "crawl") as unknown as { hosts: Record<string, number> }[];
    expect(Object.keys(report?.hosts ?? {}).sort()).toEqual([gate.url, backup.url].sort());
  });

  test("with the numbers of another day is not mixed in", async () => {
    using folder = temporaryFolder();
    await using backup = await startRough(3);
    backup.sample.set({ day: 5 });
    await using first = await startRough(3, {
      elsewhere: backup.url,
      onRequest(n) {
        if (n === 40) first.rules = [{ name: "limited" }];
      },
    });
    expect((await crawlAt(first.url, folder.path, "--upstream", backup.url, ...words)).code).toBe(0);
    const stamps = queryFile(
      fileOf(folder.path),
      `SELECT max(stamps) AS most FROM (SELECT count(DISTINCT json ->> '$._updatedAt') AS stamps FROM coverage JOIN record USING (slice_id)
       WHERE dataset IN ('counters', 'compatibility', 'stats') GROUP BY dataset, rank, days)`,
    );
    expect(stamps).toEqual([{ most: 1 }]);
  });
});
