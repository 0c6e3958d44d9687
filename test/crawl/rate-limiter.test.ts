import { describe, expect, test } from "vitest";
import {
  backoffMs,
  type Clock,
  createRateLimiter,
  MAX_REST_MS,
  type Outcome,
  parseRetryAfter,
  type RateLimiterOptions,
  type RateLimiterState,
} from "../../src/crawl/upstream/rate-limiter.ts";

const DAY_MS = 86_400_000;

/** A clock that jumps to the end of each sleep. */
function createClock(start = 1_000_000) {
  let at = start;
  const clock: Clock = {
    now: () => at,
    sleep: async (milliseconds, stop) => {
      stop.throwIfAborted();
      at += milliseconds;
    },
  };
  return { clock, advance: (milliseconds: number) => (at += milliseconds) };
}

function open(options: Partial<RateLimiterOptions> = {}) {
  const { clock, advance } = createClock();
  const saved: RateLimiterState[] = [];
  const stop = new AbortController();
  const limiter = createRateLimiter({
    rate: 8,
    concurrency: 4,
    stop: stop.signal,
    clock,
    random: () => 1,
    save: (state) => saved.push({ ...state }),
    ...options,
  });
  return { limiter, clock, advance, saved, stop };
}

const busiestSecond = (times: number[]) =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));

describe("the ceiling", () => {
  test.for([0.5, 1, 8, 60, 500, 5000])("of %d a second is never passed in any second", async (rate) => {
    const { limiter, clock } = open({ rate });
    const times: number[] = [];
    for (let n = 0; n < Math.min(3000, rate * 5 + 3); n += 1) {
      const permit = await limiter.acquire();
      times.push(clock.now());
      permit.release("ok", "stats");
    }
    expect(busiestSecond(times)).toBeLessThanOrEqual(Math.max(1, rate));
    const seconds = (times.at(-1) ?? 0) - (times[0] ?? 0);
    expect(times.length / (seconds / 1000)).toBeGreaterThan(rate * 0.7);
  });

  test("of requests in flight holds until one is done", async () => {
    const { limiter } = open({ rate: 1000, concurrency: 2 });
    const [first] = [await limiter.acquire(), await limiter.acquire()];
    let third = false;
    const waiting = limiter.acquire().then(() => {
      third = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(third).toBe(false);
    first.release("ok", "stats");
    await waiting;
    expect(third).toBe(true);
  });
});

describe("congestion", () => {
  test("halves rate and concurrency once for all requests that were in flight together", async () => {
    const { limiter, saved } = open({ rate: 1000, concurrency: 4 });
    const permits = [await limiter.acquire(), await limiter.acquire(), await limiter.acquire()];
    for (const permit of permits) permit.release("timeout", "stats");
    expect(saved.at(-1)).toMatchObject({ rate: 500, concurrency: 2 });
    (await limiter.acquire()).release("timeout", "stats");
    expect(saved.at(-1)).toMatchObject({ rate: 250, concurrency: 1 });
  });

  test("never falls below the floor, and climbs back by small steps to the ceiling and no further", async () => {
    const { limiter, saved } = open({ rate: 160, concurrency: 4 });
    for (let n = 0; n < 20; n += 1) (await limiter.acquire()).release("timeout", "stats");
    expect(saved.at(-1)).toMatchObject({ rate: 10, concurrency: 1 });
    for (let n = 0; n < 300; n += 1) (await limiter.acquire()).release("ok", "stats");
    (await limiter.acquire()).release("error", "stats", 1);
    (await limiter.acquire()).release("timeout", "stats");
    expect(saved.at(-1)).toMatchObject({ rate: 80, concurrency: 2 });
  });

  test("five throttled answers in a row pause everything, longer each time, and then let one request try", async () => {
    const { limiter, clock, saved } = open({ rate: 1000, concurrency: 4 });
    for (let n = 0; n < 5; n += 1) (await limiter.acquire()).release("throttled", "stats");
    const first = (saved.at(-1)?.resumeAt ?? 0) - clock.now();
    expect(first).toBe(2000);
    const probe = await limiter.acquire();
    expect(clock.now()).toBeGreaterThanOrEqual(saved.at(-1)?.resumeAt ?? 0);
    let another = false;
    const waiting = limiter.acquire().then((permit) => {
      another = true;
      return permit;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(another).toBe(false);
    probe.release("throttled", "stats");
    expect((saved.at(-1)?.resumeAt ?? 0) - clock.now()).toBe(4000);
    (await waiting).release("ok", "stats");
    const after = clock.now();
    (await limiter.acquire()).release("ok", "stats");
    expect(clock.now() - after).toBeLessThan(100);
  });

  test("timeouts lower the rate but do not open the circuit", async () => {
    const { limiter, clock, saved } = open({ rate: 1000 });
    const before = clock.now();
    for (let n = 0; n < 20; n += 1) (await limiter.acquire()).release("timeout", "stats");
    expect(saved.at(-1)?.resumeAt).toBe(0);
    expect(clock.now() - before).toBeLessThan(1000);
  });

  test("a wish of the upstream to wait holds for all", async () => {
    const { limiter, clock } = open({ rate: 1000 });
    const before = clock.now();
    (await limiter.acquire()).release("throttled", "stats", 30_000);
    await limiter.acquire();
    expect(clock.now() - before).toBeGreaterThanOrEqual(30_000);
  });

  test.for<[what: string, strain: Outcome, answers: [source: string, count: number], rate: number]>([
    [
      "comes back at once after twenty answers of others, if it fell by a timeout of one endpoint",
      "timeout",
      ["rank", 20],
      1000,
    ],
    [
      "comes back at once after twenty answers of others, if it fell by a 503 of one endpoint",
      "unavailable",
      ["rank", 20],
      1000,
    ],
    ["climbs by small steps until there are twenty", "timeout", ["rank", 19], 690],
    ["climbs by small steps after answers of the same endpoint", "timeout", ["stats", 20], 700],
    ["climbs by small steps after a 429", "throttled", ["rank", 20], 700],
  ])("the pace %s", async ([, strain, [source, count], rate]) => {
    const { limiter, saved } = open({ rate: 1000, concurrency: 4 });
    (await limiter.acquire()).release(strain, "stats");
    for (let n = 0; n < count; n += 1) (await limiter.acquire()).release("ok", source);
    // What it is by now is saved when it falls again, by half.
    (await limiter.acquire()).release("throttled", "stats");
    expect((saved.at(-1)?.rate ?? 0) * 2).toBeCloseTo(rate);
  });

  test.for<[when: string, resumeAt: number, advanceMs: number]>([
    ["before the restart", 1_000_000 + 365 * DAY_MS, 0],
    ["while it waits", 1_030_000, -40 * DAY_MS],
  ])("a clock that was set back %s makes it wait for no longer than any pause", async ([, resumeAt, advanceMs]) => {
    const { limiter, clock, advance } = open({ state: { rate: 8, concurrency: 4, resumeAt } });
    const from = advance(advanceMs);
    await limiter.acquire();
    expect(clock.now() - from).toBe(MAX_REST_MS);
  });

  test("is remembered over a restart, within the ceiling of the new run", async () => {
    const state = { rate: 100, concurrency: 2, resumeAt: 1_005_000 };
    const { limiter, clock, saved } = open({ rate: 50, concurrency: 8, state });
    const permit = await limiter.acquire();
    expect(clock.now()).toBe(1_005_000);
    permit.release("timeout", "stats");
    expect(saved.at(-1)).toMatchObject({ rate: 25, concurrency: 1 });
  });
});

describe("an upstream that does not bear the lowest rate", () => {
  const SECOND = 1000;
  const MINUTE = 60 * SECOND;

  /** `ask` sends one request that takes a second, and tells when an overload was told, in ms since the first. */
  function begin() {
    const told: number[] = [];
    const opened = open({ rate: 16, patienceMs: 10 * MINUTE, onOverload: () => told.push(clock.now() - start) });
    const { limiter, clock, advance } = opened;
    const start = clock.now();
    const ask = async (outcome: Outcome, retryAfterMs = 0) => {
      const permit = await limiter.acquire();
      advance(SECOND);
      permit.release(outcome, "stats", retryAfterMs);
      return clock.now() - start;
    };
    const askUntilTold = async (outcome: Outcome, retryAfterMs = 0, limit = 2000) => {
      for (let n = 0; n < limit && told.length === 0; n += 1) await ask(outcome, retryAfterMs);
      return told[0];
    };
    return { ask, askUntilTold, told, advance };
  }

  /** Down to the lowest rate by halves: 8, 4, 2, 1. */
  const slow = async ({ ask }: ReturnType<typeof begin>) => {
    for (let n = 0; n < 4; n += 1) await ask("timeout");
    return ask("timeout");
  };

  test.for(["timeout", "throttled"] as const)("is told by the first %s after ten minutes at it", async (outcome) => {
    const run = begin();
    const lowest = await slow(run);
    const at = (await run.askUntilTold(outcome)) ?? 0;
    expect(at - lowest).toBeGreaterThan(9.5 * MINUTE);
    // A pause of the circuit is kept to its end.
    expect(at - lowest).toBeLessThan(11.5 * MINUTE);
  });

  test("is told by the answer after a pause that it has asked for, and never within one", async () => {
    const run = begin();
    const lowest = await slow(run);
    const told = (await run.askUntilTold("throttled", 2 * MINUTE)) ?? 0;
    expect(told - lowest).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(told - lowest).toBeLessThan(12 * MINUTE + 10 * SECOND);
  });

  test("begins anew with each answer, however rare", async () => {
    const run = begin();
    await slow(run);
    for (let n = 0; n < 10; n += 1) {
      for (let minute = 0; minute < 9; minute += 1) await run.ask("throttled", MINUTE - 5 * SECOND);
      await run.ask("ok");
    }
    expect(run.told).toEqual([]);
  });

  test("is not told by what is no overload, nor of time in which nothing was asked", async () => {
    const run = begin();
    await slow(run);
    expect(await run.askUntilTold("error", 0, 1000)).toBeUndefined();
    await run.ask("ok");
    await slow(run);
    run.advance(60 * MINUTE);
    await run.ask("throttled");
    expect(run.told).toEqual([]);
  });

  test("is not told above the lowest rate", async () => {
    const run = begin();
    for (let n = 0; n < 4; n += 1) await run.ask("throttled", 20 * MINUTE);
    expect(run.told).toEqual([]);
  });
});

test("a stop rejects who waits", async () => {
  const { limiter, stop } = open({ rate: 1000, concurrency: 1 });
  await limiter.acquire();
  const waiting = limiter.acquire();
  stop.abort();
  await expect(waiting).rejects.toThrow(/abort/i);
});

describe("Retry-After", () => {
  const now = Date.parse("2026-11-21T00:00:00Z");
  test.for([
    ["5", 5000],
    [" 0 ", 0],
    ["Sat, 21 Nov 2026 00:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 00:00:00 GMT", 0],
    ["Fri, 20 Nov 2026 00:00:00 GMT", 0],
    ["999999", 60_000],
    ["soon", undefined],
    [["7", "9"], 7000],
    [undefined, undefined],
  ] as const)("%j is %d ms", ([header, wait]) => {
    expect(parseRetryAfter(header as string | string[] | undefined, now, 60_000)).toBe(wait);
  });
});

test("backoff doubles up to its cap, and takes any part of it", () => {
  expect([1, 2, 3, 4, 9].map((attempt) => backoffMs(attempt, 500, 5000, () => 1))).toEqual([
    500, 1000, 2000, 4000, 5000,
  ]);
  expect(backoffMs(3, 500, 5000, () => 0.25)).toBe(500);
});
