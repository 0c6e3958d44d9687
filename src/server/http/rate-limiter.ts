import { LRUCache } from "lru-cache";
import { LIMITS } from "./limits.ts";

const MINUTE = 60_000;

/**
 * Counts calls by client in windows of a minute. Tells how many seconds a client must wait, 0 when the call is admitted.
 * However many clients there are, no more than a fixed number is remembered; those that have been silent longest go first.
 */
export function createLimiter(perMinute: number, now: () => number = Date.now) {
  const windows = new LRUCache<string, { calls: number; ends: number }>({ max: LIMITS.clients });
  return (client: string): number => {
    const time = now();
    let window = windows.get(client);
    if (!window || window.ends <= time) {
      window = { calls: 0, ends: time + MINUTE };
      windows.set(client, window);
    }
    window.calls += 1;
    return window.calls > perMinute ? Math.ceil((window.ends - time) / 1000) : 0;
  };
}
