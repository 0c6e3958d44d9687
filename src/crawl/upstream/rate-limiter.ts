import { setTimeout as sleep } from "node:timers/promises";

/**
 * The outcome of a request, as a sign of the load of the upstream. `timeout`, `unavailable` and `throttled` lower the rate, and many of the
 * last two in a row open the circuit; `ok` raises it, and `error` says nothing. A timeout or `unavailable` may be of one endpoint alone.
 */
export type Outcome = "ok" | "error" | "timeout" | "unavailable" | "throttled";

/** Leave to send one request. */
interface Permit {
  /** Must be called once, when the request is over. `source`: the endpoint that was asked. */
  release(outcome: Outcome, source: string, retryAfterMs?: number): void;
}

/**
 * One limit for the whole run on requests a second and in flight: it is halved when the upstream is overloaded and climbs back in small
 * steps (AIMD), and a circuit breaker pauses everything while the upstream throttles.
 */
export interface AdaptiveRateLimiter {
  /** Resolves when a request may start; rejects when the run is stopped. */
  acquire(): Promise<Permit>;
}

/** The state that outlives a restart: the limits that were found to be bearable, and until when (epoch ms) no request may start. */
export interface RateLimiterState {
  rate: number;
  concurrency: number;
  resumeAt: number;
}

export interface RateLimiterOptions {
  /** The ceiling: requests a second, and in flight. */
  rate: number;
  concurrency: number;
  stop: AbortSignal;
  state?: RateLimiterState | undefined;
  save?: (state: RateLimiterState) => void;
  /** Milliseconds for which the upstream may be overloaded at the lowest rate without one `ok`. */
  patienceMs?: number | undefined;
  /** Called when that took longer, each time that it is overloaded again. A pause is over before that. */
  onOverload?: (() => void) | undefined;
  clock?: Clock;
  random?: () => number;
}

export interface Clock {
  /** Epoch milliseconds, which nobody sets while a run lasts. */
  now(): number;
  sleep(milliseconds: number, stop: AbortSignal): Promise<void>;
}

const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};

// A tick of the timer is a millisecond; above a thousand requests a second several must start on one. Burst and refill together stay below
// the rate, so that the ceiling holds in every second, also for a counter on the other side.
const BURST_SECONDS = 0.05;
/** The rate never falls below this share of the ceiling. */
const MIN_RATE_SHARE = 1 / 16;
/** The number of answers without trouble that it takes to climb from zero to the ceiling. */
const RECOVERY_STEPS = 100;
/** So many throttled requests in a row open the circuit: all pause, then a single request tries. */
const CIRCUIT_THRESHOLD = 5;
const CIRCUIT_BASE_MS = 2000;
const CIRCUIT_CAP_MS = 60_000;
/** The longest pause that an answer may ask for; a longer one is no rest but an end. */
export const MAX_REST_MS = 120_000;
/** The number of answers of other endpoints, without a failure among them, after which one endpoint was strained, and not all of them. */
const CALM_ANSWERS = 20;
/** Milliseconds in which an upstream recovers if it does: five of the longest pauses that it may ask for. */
export const DEFAULT_PATIENCE_MS = 600_000;

/** Makes the limiter: a token bucket for the rate and a counter for requests in flight. */
export function createRateLimiter({
  rate,
  concurrency,
  stop,
  state,
  save,
  patienceMs = DEFAULT_PATIENCE_MS,
  onOverload,
  clock = realClock,
  random = Math.random,
}: RateLimiterOptions): AdaptiveRateLimiter {
  const now = clock.now;
  const lowestRate = rate * MIN_RATE_SHARE;
  let current: RateLimiterState = {
    rate: Math.min(rate, Math.max(state?.rate ?? rate, lowestRate)),
    concurrency: Math.min(concurrency, Math.max(state?.concurrency ?? concurrency, 1)),
    resumeAt: state?.resumeAt ?? 0,
  };
  let tokens = 1;
  let refilled = now();
  let inFlight = 0;
  let throttledInRow = 0;
  /** The pace before an endpoint was strained, as long as no other one is. */
  let former: { pace: Pick<RateLimiterState, "rate" | "concurrency">; source: string; calm: number } | undefined;
  // A decrease counts once for all requests that were in flight together.
  let decreases = 0;
  // Time at the lowest rate since the last `ok`. Time in which nobody waits for an answer or a permit does not count.
  let fruitlessMs = 0;
  let countedUntil = 0;
  let queue = Promise.resolve<unknown>(undefined);
  let wake = () => {};

  const limit = () => (throttledInRow >= CIRCUIT_THRESHOLD ? 1 : Math.floor(current.concurrency));

  function waitMs(): number {
    const refill = (current.rate * (1 - BURST_SECONDS)) / 1000;
    const nowMs = now();
    tokens = Math.min(Math.max(1, current.rate * BURST_SECONDS), tokens + Math.max(0, nowMs - refilled) * refill);
    refilled = nowMs;
    // A clock that was set back since the run before must not make it wait for longer than any pause.
    current.resumeAt = Math.min(current.resumeAt, nowMs + MAX_REST_MS);
    return Math.max(current.resumeAt - nowMs, (1 - tokens) / refill);
  }

  async function takePermit(askedAt: number): Promise<Permit> {
    for (;;) {
      stop.throwIfAborted();
      if (inFlight >= limit()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const wait = waitMs();
      if (wait <= 0) break;
      await clock.sleep(Math.ceil(wait), stop);
    }
    tokens -= 1;
    inFlight += 1;
    const before = decreases;
    return {
      release(outcome, source, retryAfterMs = 0) {
        countFruitless(outcome, askedAt);
        noteStrain(outcome, source);
        release(outcome, retryAfterMs, before);
      },
    };
  }

  function countFruitless(outcome: Outcome, askedAt: number) {
    const nowMs = now();
    if (outcome === "ok") fruitlessMs = 0;
    else if (current.rate === lowestRate) fruitlessMs += Math.max(0, nowMs - Math.max(askedAt, countedUntil));
    countedUntil = nowMs;
  }

  /**
   * Notes the pace before an endpoint is strained, and restores it when others are calm: the strain slows them down for a short time only.
   */
  function noteStrain(outcome: Outcome, source: string) {
    const { rate: wasRate, concurrency: wasConcurrency } = current;
    if (outcome === "throttled") former = undefined;
    if (outcome === "timeout" || outcome === "unavailable") {
      former ??= { pace: { rate: wasRate, concurrency: wasConcurrency }, source, calm: 0 };
      if (former.source !== source) former = undefined;
    } else if (former && former.source !== source) {
      former.calm = outcome === "ok" ? former.calm + 1 : 0;
      if (former.calm < CALM_ANSWERS) return;
      const { pace } = former;
      current = {
        ...current,
        rate: Math.max(wasRate, pace.rate),
        concurrency: Math.max(wasConcurrency, pace.concurrency),
      };
      former = undefined;
    }
  }

  function release(outcome: Outcome, retryAfterMs: number, before: number) {
    const overloaded = outcome !== "ok" && outcome !== "error";
    inFlight -= 1;
    if (outcome === "ok") increase();
    if (overloaded && outcome !== "timeout") countThrottled();
    if (overloaded) decrease(before);
    if (retryAfterMs > 0) current.resumeAt = Math.max(current.resumeAt, now() + retryAfterMs);
    if (overloaded) save?.(current);
    if (overloaded && current.rate === lowestRate && fruitlessMs >= patienceMs) onOverload?.();
    wake();
  }

  function increase() {
    throttledInRow = 0;
    current = {
      ...current,
      rate: Math.min(rate, current.rate + rate / RECOVERY_STEPS),
      concurrency: Math.min(concurrency, current.concurrency + concurrency / RECOVERY_STEPS),
    };
  }

  function countThrottled() {
    throttledInRow += 1;
    if (throttledInRow < CIRCUIT_THRESHOLD) return;
    const pause = backoffMs(throttledInRow - CIRCUIT_THRESHOLD + 1, CIRCUIT_BASE_MS, CIRCUIT_CAP_MS, random);
    current.resumeAt = Math.max(current.resumeAt, now() + pause);
  }

  function decrease(before: number) {
    if (before !== decreases) return;
    decreases += 1;
    current.rate = Math.max(lowestRate, current.rate / 2);
    current.concurrency = Math.max(1, current.concurrency / 2);
  }

  stop.addEventListener("abort", () => wake());
  return {
    acquire() {
      const askedAt = now();
      const permit = queue.then(() => takePermit(askedAt));
      queue = permit.catch(() => {});
      return permit;
    },
  };
}

/** Returns the delay of an exponential backoff with full jitter for the n-th failed attempt (1, 2, …). */
export function backoffMs(attempt: number, baseMs: number, capMs: number, random: () => number = Math.random): number {
  return random() * Math.min(capMs, baseMs * 2 ** (attempt - 1));
}

/** Reads `Retry-After` (RFC 9110, 10.2.3) as seconds or as a date: milliseconds from now, at most `capMs`. */
export function parseRetryAfter(sent: string | string[] | undefined, now: number, capMs: number): number | undefined {
  const [header] = [sent].flat();
  if (header === undefined) return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), capMs);
}
