import { describe, expect, test } from "vitest";
import { type Slice, sliceId } from "../../src/api/endpoint.ts";
import type { SliceFacts } from "../../src/api/slice-facts.ts";
import { newerBatch } from "../../src/crawl/doubts/batches/newer-batch.ts";
import { olderThanBase } from "../../src/crawl/doubts/batches/older-than-base.ts";
import { otherBatch } from "../../src/crawl/doubts/batches/other-batch.ts";
import { passingBatch } from "../../src/crawl/doubts/batches/passing-batch.ts";
import type { DoubtCheck } from "../../src/crawl/doubts/check.ts";
import { empty } from "../../src/crawl/doubts/empty.ts";
import { readMemory } from "../../src/crawl/doubts/memory.ts";
import { oddMarks } from "../../src/crawl/doubts/odd-marks.ts";
import { oddRecords } from "../../src/crawl/doubts/odd-records.ts";
import { rankLists } from "../../src/crawl/doubts/rank-lists.ts";
import { unknownHeroes } from "../../src/crawl/doubts/unknown-heroes.ts";
import type { CrawlBase } from "../../src/crawl/refresh/base.ts";
import type { Run } from "../../src/crawl/run.ts";
import type { Look, StoredSlice } from "../../src/journal/journal.ts";

type Facts = Partial<SliceFacts>;

const store = (id: number, facts: Facts, slice: Partial<Slice>): StoredSlice => ({
  id,
  slice: { dataset: "stats", hero: id, rank: "epic", lang: "en", ...slice },
  purpose: "answer",
  pages: 1,
  state: "captured",
  reason: null,
  vouched: false,
  triedAt: null,
  facts: { records: 1, ...facts },
});

interface Played {
  base?: Partial<CrawlBase>;
  roster?: number[];
  /** What a slice is when it has been asked for once more: `nth` is 1, 2, … */
  move?: (id: number, nth: number) => Facts;
  slices?: (id: number) => Partial<Slice>;
}

/** Plays the loop over answers with these facts, one a hero: which are asked again, round by round, and which stay doubted. */
async function play(
  checks: readonly DoubtCheck[],
  facts: readonly Facts[],
  { base, roster = [], move, slices = () => ({}) }: Played,
) {
  const answered = facts.map((one, id) => store(id, one, slices(id)));
  const looks: Look[] = [];
  const journal = { getState: () => roster, answeredAt: () => 0, looks: () => looks };
  const run = { journal, options: { base, policy: "all" } } as unknown as Run;
  const rounds: number[][] = [];
  for (;;) {
    const memory = readMemory(journal, base as CrawlBase | undefined);
    const stayed: number[] = [];
    let open: { check: DoubtCheck; doubt: string; stored: StoredSlice; seen: string }[] = [];
    for (const check of checks) {
      const doubts = await check.find({ run, answered, memory });
      open = doubts.flatMap((doubt) =>
        memory.openIn(check, doubt).map((suspect) => ({ check, doubt: doubt.name, ...suspect })),
      );
      if (open.length > 0) break;
      if (check.ifItStays !== "believe")
        stayed.push(...doubts.flatMap(({ suspects }) => suspects.map(({ stored }) => stored.id)));
    }
    if (open.length === 0) return { rounds, stayed };
    rounds.push(open.map(({ stored }) => stored.id));
    for (const { check, doubt, stored, seen } of open) {
      const same = looks.find(
        (look) => look.check === check.name && look.doubt === doubt && look.id === stored.id && look.seen === seen,
      );
      if (same) same.times += 1;
      else looks.push({ check: check.name, doubt, id: stored.id, seen, times: 1 });
      const nth = looks.filter(({ id }) => id === stored.id).reduce((sum, { times }) => sum + times, 0);
      Object.assign(stored.facts, move?.(stored.id, nth));
    }
  }
}

describe("answers of two batches", () => {
  const BATCHES = [passingBatch, newerBatch, otherBatch];
  const stamped = (...stamps: (number | string)[]) => stamps.map((stamp) => ({ stamp }));

  test("that stay so are asked again twice, the fewer of them, and of two as many the older ones", async () => {
    expect(await play(BATCHES, stamped(2, 2, 2), {})).toEqual({ rounds: [], stayed: [] });
    expect(await play(BATCHES, stamped(1, 2, 2), {})).toEqual({ rounds: [[0], [0]], stayed: [0] });
    expect(await play(BATCHES, stamped(1, 2, 2, 1), {})).toMatchObject({
      rounds: [
        [0, 3],
        [0, 3],
      ],
      stayed: [0, 3],
    });
    const days = ["batch of 2026-07-01", "batch of 2026-07-02", "batch of 2026-07-02"];
    expect(await play(BATCHES, stamped(...days), {})).toEqual({ rounds: [[0], [0]], stayed: [0] });
  });

  test("of which the fewer are newer: two of the others are asked twice, and stay what most are", async () => {
    const { rounds, stayed } = await play(BATCHES, stamped(1, 1, 1, 1, 1, 9), {});
    expect(rounds).toEqual([[0, 1], [2, 3], [5], [5]]);
    expect(stayed).toEqual([5]);
  });

  test("of which one was seen to pass: all that is of it is asked, until nothing is", async () => {
    const move = () => ({ stamp: 9 });
    const { rounds, stayed } = await play(BATCHES, stamped(1, 1, 1, 1, 1, 9), { move });
    expect(rounds).toEqual([
      [0, 1],
      [2, 3, 4],
    ]);
    expect(stayed).toEqual([]);
  });

  test("of which one answer is late is asked three times more, and one that is another each time six times", async () => {
    const late = (id: number) => (id === 0 ? {} : { stamp: 2 });
    expect(await play(BATCHES, stamped(1, 1, 1, 2, 2, 2, 2), { move: late })).toEqual({
      rounds: [[0, 1, 2], [0], [0], [0]],
      stayed: [0],
    });
    const { rounds } = await play(BATCHES, stamped(10, 20, 20), { move: (_, nth) => ({ stamp: 20 - nth }) });
    expect(rounds.flat().filter((id) => id === 0)).toHaveLength(6);
  });

  test("of which one was seen to pass a day say nothing of trends that end on it", async () => {
    const days = stamped("batch of 2026-07-01", "batch of 2026-07-01", "batch of 2026-07-02");
    const slices = (id: number) => ({ dataset: id < days.length ? "timeline" : "trends" });
    const move = () => ({ stamp: "batch of 2026-07-02" });
    const facts = [...days, ...stamped("2026-07-01", "2026-07-01")];
    expect(await play(BATCHES, facts, { slices, move })).toEqual({ rounds: [[0, 1]], stayed: [] });
  });

  test("as in the night before are not asked again, while the same is seen", async () => {
    const doubts = new Map([[`other-batch ${sliceId(store(0, {}, {}).slice)}`, { seen: new Date(1).toISOString() }]]);
    expect(await play(BATCHES, stamped(1, 2, 2), { base: { doubts } })).toEqual({ rounds: [], stayed: [0] });
    expect((await play(BATCHES, stamped(0, 2, 2), { base: { doubts } })).rounds).toEqual([[0], [0]]);
  });
});

describe("an older batch than the base has", () => {
  const rows = (batch: string, more: object = {}) =>
    new Map([0, 1, 2].map((id) => [sliceId(store(id, {}, {}).slice), { batch, stale: 0, asked_at: "", ...more }]));
  const baseOf = (batch: string, more: object = {}): Partial<CrawlBase> => ({
    startedAt: "2026-09-21T00:00:00.000Z",
    rows: rows(batch, more) as unknown as CrawlBase["rows"],
    doubts: new Map(),
  });
  const older = [{ stamp: 1_780_000_000_000 }, { stamp: 1_780_000_000_000 }, { stamp: 1_790_000_000_000 }];

  test("is asked twice for two of a table; then none of it is believed", async () => {
    const { rounds, stayed } = await play([olderThanBase], older, {
      base: baseOf(new Date(1_789_000_000_000).toISOString()),
    });
    expect([rounds, stayed]).toEqual([
      [
        [0, 1],
        [0, 1],
      ],
      [0, 1],
    ]);
  });

  test.for([
    ["as old", "1780000000000", {}],
    ["stale itself", "1789000000000", { stale: 1 }],
    ["of a day that its night could not know", "4000000000000", {}],
    ["of a night whose time nobody knows", "1789000000000", { asked_at: "1970-01-01T00:00:00.000Z" }],
  ] as const)("is none if that is %s", async ([, batch, more]) => {
    expect((await play([olderThanBase], older.slice(0, 2), { base: baseOf(batch, more) })).rounds).toEqual([]);
  });
});

test("rates of a rank list are held against those of the heroes in the same language", async () => {
  const list = { rates: [1, 2].map((hero) => ({ hero, rates: ["0.5", "0.1", "0.2"] })) };
  const own = (hero: number, rate: string) => ({ rates: [{ hero, rates: [rate, "0.1", "0.2"] }] });
  const facts = [list, list, own(1, "0.5"), own(2, "0.4")] as unknown as Facts[];
  const slices = (id: number): Partial<Slice> =>
    id < 2
      ? { dataset: "rank", hero: undefined as unknown as number, lang: id === 0 ? "en" : "de" }
      : { dataset: "counters", hero: id - 1 };
  expect(await play([rankLists], facts, { slices })).toEqual({ rounds: [[0], [3]], stayed: [0, 3] });
});

test("heroes whom the roster does not know are looked for in two lists of all", async () => {
  const facts = Array.from({ length: 9 }, () => ({ keys: [1, 2, 999] }));
  const { rounds, stayed } = await play([unknownHeroes], facts, { roster: [1, 2] });
  expect([rounds, stayed.length]).toEqual([[[0], [1]], 9]);
});

test("of answers with other marks than the rest twenty are asked once more", async () => {
  const facts = Array.from({ length: 100 }, (_, id) => ({ face: id < 60 ? "stamp" : "no stamp" }));
  const { rounds, stayed } = await play([oddMarks], facts, {});
  expect([rounds.map(({ length }) => length), stayed.length]).toEqual([[20], 40]);
});

test.for([
  ["without a record", empty, { records: 0 }, { records: 1 }, 20],
  ["that is not as documented", oddRecords, { odd: "data.x: text" }, { odd: undefined } as unknown as Facts, 3],
] as const)("of answers %s some are asked again, and all if one of these was damaged", async (row) => {
  const [, check, before, after, probes] = row;
  const facts = Array.from({ length: 30 }, () => ({ ...before }));
  const first = Array.from({ length: probes }, (_, id) => id);
  expect(await play([check], facts, {})).toEqual({ rounds: [first], stayed: [] });
  const move = (id: number): Facts => (id === 0 ? after : {});
  const again = Array.from({ length: 30 }, () => ({ ...before }));
  const { rounds } = await play([check], again, { move });
  expect(rounds.map(({ length }) => length)).toEqual([probes, 30 - probes]);
});
