import { LRUCache } from "lru-cache";
import { LIMITS } from "./limits.ts";

const WINDOW_MS = 60_000;

/**
 * A fixed-window rate limiter: counts each call, and returns how many seconds the client must wait, 0 when the call is
 * allowed. Remembers a bounded number of clients, the most recent ones.
 */
export function createRateLimiter(perMinute: number, now: () => number = Date.now) {
  const windows = new LRUCache<string, { calls: number; ends: number }>({ max: LIMITS.rateLimitedClients });
  return (client: string): number => {
    const time = now();
    let window = windows.get(client);
    if (!window || window.ends <= time) {
      window = { calls: 0, ends: time + WINDOW_MS };
      windows.set(client, window);
    }
    window.calls += 1;
    return window.calls > perMinute ? Math.ceil((window.ends - time) / 1000) : 0;
  };
}
