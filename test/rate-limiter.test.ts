import { describe, expect, test } from "vitest";
import {
  backoffMs,
  type Clock,
  createRateLimiter,
  parseRetryAfter,
  type RateLimiterState,
} from "../src/crawl/upstream/rate-limiter.ts";

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

function open(options: { rate?: number; concurrency?: number; state?: RateLimiterState; random?: () => number } = {}) {
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
      permit.release("ok");
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
    first.release("ok");
    await waiting;
    expect(third).toBe(true);
  });
});

describe("congestion", () => {
  test("halves rate and concurrency once for all requests that were in flight together", async () => {
    const { limiter, saved } = open({ rate: 1000, concurrency: 4 });
    const permits = [await limiter.acquire(), await limiter.acquire(), await limiter.acquire()];
    for (const permit of permits) permit.release("timeout");
    expect(saved.at(-1)).toMatchObject({ rate: 500, concurrency: 2 });
    (await limiter.acquire()).release("timeout");
    expect(saved.at(-1)).toMatchObject({ rate: 250, concurrency: 1 });
  });

  test("never falls below the floor, and climbs back by small steps to the ceiling and no further", async () => {
    const { limiter, saved } = open({ rate: 160, concurrency: 4 });
    for (let n = 0; n < 20; n += 1) (await limiter.acquire()).release("timeout");
    expect(saved.at(-1)).toMatchObject({ rate: 10, concurrency: 1 });
    for (let n = 0; n < 300; n += 1) (await limiter.acquire()).release("ok");
    (await limiter.acquire()).release("error", 1);
    (await limiter.acquire()).release("timeout");
    expect(saved.at(-1)).toMatchObject({ rate: 80, concurrency: 2 });
  });

  test("five throttled answers in a row pause everything, longer each time, and then let one request try", async () => {
    const { limiter, clock, saved } = open({ rate: 1000, concurrency: 4 });
    for (let n = 0; n < 5; n += 1) (await limiter.acquire()).release("throttled");
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
    probe.release("throttled");
    expect((saved.at(-1)?.resumeAt ?? 0) - clock.now()).toBe(4000);
    (await waiting).release("ok");
    const after = clock.now();
    (await limiter.acquire()).release("ok");
    expect(clock.now() - after).toBeLessThan(100);
  });

  test("timeouts lower the rate but do not open the circuit", async () => {
    const { limiter, clock, saved } = open({ rate: 1000 });
    const before = clock.now();
    for (let n = 0; n < 20; n += 1) (await limiter.acquire()).release("timeout");
    expect(saved.at(-1)?.resumeAt).toBe(0);
    expect(clock.now() - before).toBeLessThan(1000);
  });

  test("a wish of the upstream to wait holds for all", async () => {
    const { limiter, clock } = open({ rate: 1000 });
    const before = clock.now();
    (await limiter.acquire()).release("throttled", 30_000);
    await limiter.acquire();
    expect(clock.now() - before).toBeGreaterThanOrEqual(30_000);
  });

  test("is remembered over a restart, within the ceiling of the new run", async () => {
    const state = { rate: 100, concurrency: 2, resumeAt: 1_005_000 };
    const { limiter, clock, saved } = open({ rate: 50, concurrency: 8, state });
    const permit = await limiter.acquire();
    expect(clock.now()).toBe(1_005_000);
    permit.release("timeout");
    expect(saved.at(-1)).toMatchObject({ rate: 25, concurrency: 1 });
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
