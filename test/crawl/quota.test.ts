import { describe, expect, test } from "vitest";
import { headed } from "../../scripts/docs/page.ts";
import { type Slice, sliceId } from "../../src/api/endpoint.ts";
import { noteQuota } from "../../src/crawl/ask/ask-page.ts";
import { openBudget } from "../../src/crawl/budget.ts";
import type { HeldSlice } from "../../src/crawl/refresh/base.ts";
import { forecastTurns } from "../../src/crawl/refresh/forecast.ts";
import { DAY_MS, groupTurns, overdueRatio, setTargets } from "../../src/crawl/refresh/turns.ts";
import { readPage } from "../helpers/pages.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { ageTables, baseOf, EVENTFUL, nightsFrom, passNights, planTables, rotate, summarise } from "./budget/nights.ts";

const NOON = Date.parse("2026-09-21T12:00:00Z");

describe("what an answer says of a quota", () => {
  /** For how long it asks not to be asked, and how many of a hundred requests it leaves. */
  function note(headers: Record<string, string>, status = 200, body = "") {
    using folder = temporaryFolder();
    const budget = openBudget(folder.path, 100, () => NOON);
    const rest = noteQuota({ host: "", at: 0, status, headers, body: Buffer.from(body) }, budget);
    const left = budget.left();
    budget.close();
    return [rest, left];
  }
  const LIMITED = JSON.stringify({ status: "error", code: "UPSTREAM_RATE_LIMITED", message: "try again in a minute" });
  const inAnHour = String(Math.ceil(Date.now() / 1000) + 3600);

  test.for<[string, Parameters<typeof note>, [number | undefined, number]]>([
    ["nothing", [{}], [undefined, 100]],
    ["a minute of rest, where it is limited and says no time", [{}, 429, LIMITED], [60_000, 100]],
    ["its time, where it says one", [{ "retry-after": "7" }, 429, LIMITED], [7000, 100]],
    ["nothing, where another 429 says no time", [{}, 429, "{}"], [undefined, 100]],
    ["no time of an answer that is fine", [{ "retry-after": "7" }], [undefined, 100]],
    ["what it still takes of a day", [{ "x-ratelimit-remaining": "57", "x-ratelimit-reset": "3600" }], [undefined, 57]],
    ["the same by a date", [{ "x-ratelimit-remaining": "57", "x-ratelimit-reset": inAnHour }], [undefined, 57]],
    [
      "the same by a date in milliseconds",
      [{ "x-ratelimit-remaining": "57", "x-ratelimit-reset": `${inAnHour}000` }],
      [undefined, 57],
    ],
    [
      "nothing of a day, where milliseconds say that it is for a moment",
      [{ "x-ratelimit-remaining": "57", "x-ratelimit-reset": String(Date.now() + 9000) }],
      [undefined, 100],
    ],
    [
      "an end, and no rest, where it takes nothing for long",
      [{ "ratelimit-remaining": "0", "ratelimit-reset": "3600" }],
      [undefined, 0],
    ],
    [
      "a rest where it takes nothing for a moment",
      [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9" }],
      [9000, 100],
    ],
    ["the later form", [{ ratelimit: '"day";r=12;t=3600' }], [undefined, 12]],
    ["the form between", [{ ratelimit: "limit=100, remaining=12, reset=3600" }], [undefined, 12]],
    ["each of several", [{ ratelimit: '"burst";r=0;t=2, "day";r=40;t=3600' }], [2000, 40]],
    ["an end where it asks for a long rest", [{ "retry-after": "86400" }, 429], [undefined, 0]],
    ["no figure that is none", [{ "x-ratelimit-remaining": "-1", "x-ratelimit-reset": "soon" }], [undefined, 100]],
  ])("%s", ([, answer, expected]) => {
    expect(note(...answer)).toEqual(expected);
  });

  test("nobody who has no budget of a day ends for it: the rest is as long as a rest may be", () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "3600" };
    expect(noteQuota({ host: "", at: 0, status: 200, headers, body: Buffer.alloc(0) }, undefined)).toBe(120_000);
  });
});

describe("the turns of a budget", () => {
  const quiet = ageTables({});

  test("come to the ages that the page shows", () => {
    const eventful = ageTables(EVENTFUL);
    const heaviest = Math.max(...quiet.map(({ turn }) => turn.weight));
    const row = (name: string, isOf: (weight: number) => boolean) => [
      name,
      ...[quiet, eventful].flatMap((tables) => {
        const { half, most, oldest } = summarise(tables.filter(({ turn }) => isOf(turn.weight)));
        return [`${half}`, `${most}`, `${oldest}`];
      }),
    ];
    const names = ["half", "95 of 100", "oldest"];
    const table = headed(
      ["age in days", ...names, ...names.map((name) => `${name}, eventful`)],
      [
        row("all numbers", () => true),
        row("all ranks, in the window of a week", (weight) => weight === heaviest),
        row("the rest", (weight) => weight !== heaviest),
      ],
    );
    expect(readPage("scripts/quota.md")).toContain(`<!-- ages -->\n${table}\n<!-- /ages -->`);
  });

  test("leave half the weighted age of a plain rotation, and no table waits twice as long", () => {
    const [ours, plain] = [summarise(quiet), summarise(ageTables({}, rotate))];
    expect(ours.mean).toBeLessThan(plain.mean * 0.6);
    expect(ours.oldest).toBeLessThan(2 * (plain.oldest ?? 0));
  });

  test.for([
    [500, true],
    [500, false],
    [1000, true],
    [2000, true],
  ] as const)("are as old as --plan tells, with %i requests a day (a snapshot in hand: %s)", ([requests, isHeld]) => {
    const { turns, perNight } = planTables(requests, isHeld);
    const { datasets, nights_until_complete: complete } = forecastTurns(turns, perNight);
    const isThird = (night: number) => night % 3 === 2;
    for (const [isMissed, told] of [
      [() => false, "oldest_age"],
      [isThird, "bound"],
    ] as const) {
      const nights = passNights(turns, perNight, nightsFrom(0, 600), { isMissed });
      const first = nights.findIndex(({ turns: aged }) => !aged.some(({ isUrgent }) => isUrgent));
      if (told === "oldest_age") expect(first + 1).toBe(Math.max(1, complete));
      for (const { dataset, [told]: days } of datasets) {
        const ages = nights
          .slice(first, first + 365)
          .flatMap(({ now, turns: aged }) =>
            aged.flatMap((turn) => (turn.dataset === dataset ? [(now - (turn.oldestMs ?? 0)) / DAY_MS] : [])),
          );
        expect(Math.max(...ages), `${dataset} ${told}`).toBeLessThanOrEqual(days);
      }
    }
  });

  test.for([1, 4, 14])("reach every table, however few nights there are: one in %i", (every) => {
    const { turns } = planTables(500, false);
    const largest = Math.max(...turns.map(({ slices }) => slices.length));
    const nights = nightsFrom(0, turns.length).map((night) => night * every);
    expect(
      passNights(turns, largest, nights)
        .at(-1)
        ?.turns.filter(({ oldestMs }) => oldestMs === undefined),
    ).toEqual([]);
  });

  test("let none wait for ever, of any size and weight", () => {
    const random = createRandom("turns");
    const SLICE: Slice = { dataset: "stats", lang: "en" };
    for (let round = 0; round < 20; round += 1) {
      const tables = Array.from({ length: 2 + random.below(30) }, (_, at) => ({
        group: String(at),
        dataset: "stats",
        slices: Array<Slice>(1 + random.below(133)).fill(SLICE),
        weight: random.pick([6, 1.5, 1, 0.25]),
        oldestMs: 0,
        isUrgent: false,
      }));
      const largest = Math.max(...tables.map(({ slices }) => slices.length));
      const turns = setTargets(tables, largest);
      const shortest = Math.min(...turns.map(({ targetMs }) => targetMs));
      const late = passNights(turns, largest, nightsFrom(1, 2000)).flatMap(({ now, turns: aged }) =>
        // Each night the first has its turn. Who is so late that none is before it twice comes after each other at the latest.
        aged.filter(({ oldestMs = 0, targetMs }) => now - oldestMs > turns.length * (targetMs / shortest + 1) * DAY_MS),
      );
      expect(late, `SEED=${SEED} ${round}`).toEqual([]);
    }
  });
});

test("a table is urgent if it was never asked or shows an outdated text, and not for a hero who has come", () => {
  const stats = (hero: number, rank: Slice["rank"] = "all"): Slice => ({ dataset: "stats", rank, hero, lang: "en" });
  const held = [stats(1), stats(2)];
  const isUrgent = (slices: readonly Slice[], suspects: readonly Slice[] = []) => {
    const ids = new Set(suspects.map(sliceId));
    return groupTurns(slices, { base: baseOf(held), policy: "budget" }, ids, "").map((turn) => turn.isUrgent);
  };
  expect(isUrgent([...held, stats(3)])).toEqual([false]);
  expect(isUrgent(held, [stats(2)])).toEqual([true]);
  expect(isUrgent([...held, stats(1, "glory")])).toEqual([false, true]);
});

test("a table in which all was empty becomes overdue as any other", () => {
  const slices = [1, 2, 3, 4].map(
    (hero): Slice => ({ dataset: "builds", lane: "mid", rank: "glory", hero, lang: "en" }),
  );
  const rows = slices.map((slice): [string, HeldSlice] => [
    sliceId(slice),
    {
      status: "empty",
      sha256: "",
      asked_at: new Date(0).toISOString(),
      tried_at: null,
      suspect: 0,
      reason: null,
      part_id: null,
      batch: null,
      stale: 0,
    },
  ]);
  const nothing = { heroes: [], closed: [], endpoints: [], proof: [], doubts: new Map(), records: () => [] };
  const base = { id: { version: "", sha256: "" }, startedAt: "", rows: new Map(rows), ...nothing };
  const turns = setTargets(groupTurns(slices, { base, policy: "budget" }, new Set(), ""), 100);
  expect(turns.map((turn) => overdueRatio(turn, 30 * DAY_MS))).toEqual([30]);
});
