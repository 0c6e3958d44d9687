import { setTimeout as sleep } from "node:timers/promises";

export interface Pace {
  /** Resolves when the next request may start; rejects when the run is stopped. */
  turn(): Promise<void>;
  /** Lets nobody start for so many milliseconds. */
  pause(milliseconds: number): void;
}

// A tick of the timer is a millisecond; above a thousand requests a second several must start on one.
const BURST_SECONDS = 0.05;

/**
 * One pace for the run: a token bucket that never lets more than `rate` requests start in any second. Its refill and its
 * burst together stay below the rate, so that the bound also holds for the busiest second.
 */
export function createPace(rate: number, stop: AbortSignal): Pace {
  const capacity = Math.max(1, rate * BURST_SECONDS);
  const refill = (rate * (1 - BURST_SECONDS)) / 1000;
  let tokens = capacity;
  let updated = performance.now();
  let resume = 0;
  let queue = Promise.resolve();

  async function take() {
    for (;;) {
      stop.throwIfAborted();
      const now = performance.now();
      tokens = Math.min(capacity, tokens + (now - updated) * refill);
      updated = now;
      const wait = Math.max(resume - now, (1 - tokens) / refill);
      if (wait <= 0) {
        tokens -= 1;
        return;
      }
      await sleep(Math.ceil(wait), undefined, { signal: stop });
    }
  }

  return {
    turn() {
      const turn = queue.then(take);
      queue = turn.catch(() => {});
      return turn;
    },
    pause(milliseconds) {
      resume = Math.max(resume, performance.now() + milliseconds);
    },
  };
}

/** Exponential backoff with full jitter, in milliseconds, for the n-th failed attempt (1, 2, …). */
export function backoff(attempt: number, base: number, cap: number, random: () => number = Math.random): number {
  return random() * Math.min(cap, base * 2 ** (attempt - 1));
}

/** `Retry-After` as seconds or as a date, in milliseconds from now, at most `cap`. */
export function parseRetryAfter(header: unknown, now: number, cap: number): number | undefined {
  if (typeof header !== "string") return undefined;
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), cap);
}
