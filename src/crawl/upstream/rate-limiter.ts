import { setTimeout as sleep } from "node:timers/promises";

/** What a request says about the upstream: slow and blocking ones lower the pace, blocking ones open the circuit. */
export type Mood = "well" | "slow" | "blocking" | "neutral";

export interface Turn {
  /** Must be called once, when the request is over. `rest` asks for a pause, in milliseconds. */
  done(mood: Mood, rest?: number): void;
}

export interface Pace {
  /** Resolves when a request may start; rejects when the run is stopped. */
  turn(): Promise<Turn>;
}

/** What outlives a restart: the pace that was found to be bearable, and until when (epoch ms) nobody may start. */
export interface PaceState {
  rate: number;
  concurrency: number;
  resumeAt: number;
}

export interface PaceOptions {
  /** The ceiling: requests a second, and in flight. */
  rate: number;
  concurrency: number;
  stop: AbortSignal;
  state?: PaceState | undefined;
  save?: (state: PaceState) => void;
  clock?: Clock;
  random?: () => number;
}

export interface Clock {
  now(): number;
  sleep(milliseconds: number, stop: AbortSignal): Promise<void>;
}

const realClock: Clock = {
  now: Date.now,
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
};

// A tick of the timer is a millisecond; above a thousand requests a second several must start on one. Burst and refill
// together stay below the rate, so that the ceiling holds in every second, also for who counts on the other side.
const BURST_SECONDS = 0.05;
/** The rate never falls below this part of the ceiling. */
const FLOOR = 1 / 16;
/** Answers without trouble that it takes to climb from nothing to the ceiling. */
const CLIMB = 100;
/** So many blocking answers on end open the circuit: all pause, then a single request tries. */
const TRIP = 5;
const CIRCUIT_BASE = 2000;
const CIRCUIT_CAP = 60_000;

/**
 * One pace for the run: additive increase, multiplicative decrease, between a floor and the ceiling; a token bucket for
 * the rate and a count for what is in flight; and a circuit that pauses everything while the upstream is blocking.
 */
export function createPace({
  rate,
  concurrency,
  stop,
  state,
  save,
  clock = realClock,
  random = Math.random,
}: PaceOptions): Pace {
  const now = clock.now;
  let current: PaceState = {
    rate: Math.min(rate, Math.max(state?.rate ?? rate, rate * FLOOR)),
    concurrency: Math.min(concurrency, Math.max(state?.concurrency ?? concurrency, 1)),
    resumeAt: state?.resumeAt ?? 0,
  };
  let tokens = 1;
  let refilled = now();
  let inFlight = 0;
  let strikes = 0;
  // A decrease counts once for all requests that were in flight together.
  let epoch = 0;
  let queue = Promise.resolve<unknown>(undefined);
  let wake = () => {};

  const limit = () => (strikes >= TRIP ? 1 : Math.floor(current.concurrency));

  function waitingTime(): number {
    const refill = (current.rate * (1 - BURST_SECONDS)) / 1000;
    const at = now();
    tokens = Math.min(Math.max(1, current.rate * BURST_SECONDS), tokens + Math.max(0, at - refilled) * refill);
    refilled = at;
    return Math.max(current.resumeAt - at, (1 - tokens) / refill);
  }

  async function take(): Promise<Turn> {
    for (;;) {
      stop.throwIfAborted();
      if (inFlight >= limit()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const wait = waitingTime();
      if (wait <= 0) break;
      await clock.sleep(Math.ceil(wait), stop);
    }
    tokens -= 1;
    inFlight += 1;
    const started = epoch;
    return { done: (mood, rest) => finish(mood, rest ?? 0, started) };
  }

  function finish(mood: Mood, rest: number, started: number) {
    inFlight -= 1;
    if (mood === "well") climb();
    if (mood === "blocking") strike();
    if (mood === "blocking" || mood === "slow") fall(started);
    if (rest > 0) current.resumeAt = Math.max(current.resumeAt, now() + rest);
    if (mood !== "well" && mood !== "neutral") save?.(current);
    wake();
  }

  function climb() {
    strikes = 0;
    current = {
      ...current,
      rate: Math.min(rate, current.rate + rate / CLIMB),
      concurrency: Math.min(concurrency, current.concurrency + concurrency / CLIMB),
    };
  }

  function strike() {
    strikes += 1;
    if (strikes < TRIP) return;
    const pause = backoff(strikes - TRIP + 1, CIRCUIT_BASE, CIRCUIT_CAP, random);
    current.resumeAt = Math.max(current.resumeAt, now() + pause);
  }

  function fall(started: number) {
    if (started !== epoch) return;
    epoch += 1;
    current.rate = Math.max(rate * FLOOR, current.rate / 2);
    current.concurrency = Math.max(1, current.concurrency / 2);
  }

  stop.addEventListener("abort", () => wake());
  return {
    turn() {
      const turn = queue.then(take);
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

/** Exponential backoff with full jitter, in milliseconds, for the n-th failed attempt (1, 2, …). */
export function backoff(attempt: number, base: number, cap: number, random: () => number = Math.random): number {
  return random() * Math.min(cap, base * 2 ** (attempt - 1));
}

/** `Retry-After` as seconds or as a date, in milliseconds from now, at most `cap`. */
export function parseRetryAfter(sent: string | string[] | undefined, now: number, cap: number): number | undefined {
  const [header] = [sent].flat();
  if (header === undefined) return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), cap);
}
