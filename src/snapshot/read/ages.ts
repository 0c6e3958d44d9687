import type SQLite from "better-sqlite3";
import type { NotDue } from "../../api/faults.ts";
import { describeDuration } from "../../base/words.ts";

/** Of one endpoint, how its answers lie in time: each `T` stands for when one was asked. */
interface Spread<T> {
  dataset: string;
  /** Those with an answer. */
  slices: number;
  /** Slices that nobody has asked for yet. */
  never_asked: number;
  /** Slices that are missing in a closed part: those with an answer of an earlier night are none of `slices`. */
  closed: number;
  /** Answers that may have changed since. */
  suspect: number;
  /** Half of the answers are not older; null where there is none. */
  p50: T | null;
  /** 95 of 100 are not older. */
  p95: T | null;
  oldest: T | null;
}

/** By the starts of the crawls that asked. */
export type AskedTimes = Spread<string>;

/** In seconds before some moment. */
export type Ages = Spread<number>;

interface Asked {
  dataset: string;
  asked_at: string | null;
  slices: number;
  never_asked: number;
  closed: number;
  suspect: number;
}

/** When the answers of each endpoint were asked. */
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

/** When the answer of this rank was asked; the newest has rank 1. */
function nearestRank(newestFirst: readonly Asked[], rank: number): string | null {
  let below = 0;
  for (const { asked_at, slices } of newestFirst) {
    below += slices;
    if (below >= rank && slices > 0) return asked_at;
  }
  return null;
}

/** How old the answers are at a moment, in milliseconds since 1970. */
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
 * What is wrong with endpoints whose answers may be only so old at that moment (in milliseconds), one line for each. What lies in a
 * closed part is left out: nobody can have it newer.
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
