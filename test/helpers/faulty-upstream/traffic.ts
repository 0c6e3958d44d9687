import type { FaultName } from "./faults.ts";

export interface LogEntry {
  /** Arrival, as `performance.now()` of this process tells it. */
  at: number;
  /** Path and query. */
  path: string;
  /** Requests in flight at that moment, this one included. */
  inFlight: number;
  fault?: FaultName;
}

/** Everything that was asked, in the order of arrival. */
export function createTraffic() {
  const log: LogEntry[] = [];
  let inFlight = 0;
  const between = (from: number, to: number) => log.filter(({ at }) => at >= from && at <= to);

  return {
    log,
    /** Returns the entry and what ends the request's flight; only the first call of that counts. */
    arrive(path: string): { entry: LogEntry; leave: () => void } {
      inFlight += 1;
      const entry: LogEntry = { at: performance.now(), path, inFlight };
      log.push(entry);
      let flying = true;
      const leave = () => {
        if (flying) inFlight -= 1;
        flying = false;
      };
      return { entry, leave };
    },
    maxInFlight(from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): number {
      return between(from, to).reduce((max, entry) => Math.max(max, entry.inFlight), 0);
    },
    maxPerSecond(from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY): number {
      return busiestSecond(between(from, to).map(({ at }) => at));
    },
    counts(): Record<string, number> {
      const counts: Record<string, number> = {};
      for (const { fault } of log) if (fault) counts[fault] = (counts[fault] ?? 0) + 1;
      return counts;
    },
    reset() {
      log.length = 0;
    },
  };
}

/** The most arrivals, given in order, that lie within less than a second of each other. */
export function busiestSecond(arrivals: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [position, at] of arrivals.entries()) {
    while (at - (arrivals[first] ?? at) >= 1000) first += 1;
    most = Math.max(most, position - first + 1);
  }
  return most;
}
