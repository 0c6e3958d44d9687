import type SQLite from "better-sqlite3";
import type { NotDue } from "../../api/faults.ts";
import { describeDuration } from "../../base/words.ts";

/** The distribution in time of an endpoint's answers; each `T` stands for when one was asked. */
interface Spread<T> {
  dataset: string;
  /** Slices with an answer. */
  slices: number;
  /** Slices that were never asked for. */
  never_asked: number;
  /** Slices that are missing in a closed part: those with an answer of an earlier night are not among `slices`. */
  closed: number;
  /** Answers that may have changed since. */
  suspect: number;
  /** Half of the answers are not older; null if there are none. */
  p50: T | null;
  /** 95 percent are not older. */
  p95: T | null;
  oldest: T | null;
}

/** Times of asking: the starts of the crawls that asked. */
export type AskedTimes = Spread<string>;

/** Ages in seconds at some moment. */
export type Ages = Spread<number>;

interface Asked {
  dataset: string;
  asked_at: string | null;
  slices: number;
  never_asked: number;
  closed: number;
  suspect: number;
}

/** Reads when the answers of each endpoint were asked. */
export function readAskedTimes(db: SQLite.Database): AskedTimes[] {
  const counts = "(status <> 'failed' AND part_id IS NULL)";
  const rows = db
    .prepare<[], Asked>(
      `SELECT dataset, iif(${counts}, asked_at, NULL) AS asked_at,
              sum(${counts}) AS slices, sum(status = 'failed' AND reason IS '${"not-asked" satisfies NotDue}') AS never_asked,
              count(part_id) AS closed, sum(suspect) AS suspect
       FROM coverage GROUP BY 1, 2 ORDER BY 1, 2 DESC`,
    )
    .all();
  const sum = (some: readonly Asked[], pick: (row: Asked) => number) =>
    some.reduce((total, row) => total + pick(row), 0);
  return [...Map.groupBy(rows, ({ dataset }) => dataset)].map(([dataset, some]) => {
    const slices = sum(some, (row) => row.slices);
    return {
      dataset,
      slices,
      never_asked: sum(some, (row) => row.never_asked),
      closed: sum(some, (row) => row.closed),
      suspect: sum(some, (row) => row.suspect),
      p50: nearestRank(some, Math.ceil(0.5 * slices)),
      p95: nearestRank(some, Math.ceil(0.95 * slices)),
      oldest: nearestRank(some, slices),
    };
  });
}

/** Returns when the answer of this rank was asked; the newest has rank 1. */
function nearestRank(newestFirst: readonly Asked[], rank: number): string | null {
  let below = 0;
  for (const { asked_at, slices } of newestFirst) {
    below += slices;
    if (below >= rank && slices > 0) return asked_at;
  }
  return null;
}

/** Computes the ages of answers at a moment, in milliseconds since 1970. */
export const agesAt = (times: readonly AskedTimes[], moment: number): Ages[] =>
  times.map(({ p50, p95, oldest, ...rest }) => ({
    ...rest,
    p50: secondsBefore(moment, p50),
    p95: secondsBefore(moment, p95),
    oldest: secondsBefore(moment, oldest),
  }));

const secondsBefore = (moment: number, time: string | null): number | null =>
  time === null ? null : Math.max(0, Math.floor((moment - Date.parse(time)) / 1000));

/**
 * Describes endpoints with answers that are too old at that moment (in milliseconds), one line for each. Slices in a closed part are left
 * out: nobody can have them newer.
 */
export function findTooOld(
  times: readonly AskedTimes[],
  maxAges: ReadonlyMap<string, number>,
  moment: number,
): string[] {
  const byDataset = new Map(times.map((asked) => [asked.dataset, asked] as const));
  return [...maxAges].flatMap(([dataset, maxMs]) => {
    const { oldest = null, never_asked = 0, closed = 0 } = byDataset.get(dataset) ?? {};
    if (never_asked > 0) return [`${dataset} has ${never_asked} slices that were never asked`];
    if (oldest === null && closed > 0) return [];
    if (oldest === null) return [`${dataset} has no answer`];
    const ageMs = moment - Date.parse(oldest);
    if (ageMs <= maxMs) return [];
    const [age, allowed] = [ageMs, maxMs].map((ms) => describeDuration(ms / 1000));
    return [`${dataset} is up to ${age} old, allowed are ${allowed}`];
  });
}
