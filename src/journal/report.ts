import type SQLite from "better-sqlite3";
import type { Reason } from "../api/faults.ts";
import type { Said } from "../api/said.ts";
import type { Header } from "./schema.ts";

/** A failed attempt. */
export interface Attempt {
  host: string;
  /** Epoch milliseconds. */
  at: number;
  reason: Reason;
  detail: string;
  /** The answer's own words instead of data, if one came. */
  said?: Said | undefined;
}

/** Facts of a crawl that depend on luck and the clock: kept beside the snapshot, never in it. */
export interface CrawlReport extends Pick<Header, "started_at" | "finished_at" | "upstreams" | "selection"> {
  answers: number;
  failed_attempts: number;
  /** Failed attempts by reason. */
  faults: Record<string, number>;
  /** Answers by host. */
  hosts: Record<string, number>;
}

export function reportOf(db: SQLite.Database, { started_at, finished_at, upstreams, selection }: Header): CrawlReport {
  const countByName = (sql: string) => {
    const rows = db.prepare<[], { name: string; count: number }>(sql).all();
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };
  const countRows = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0;
  return {
    started_at,
    finished_at,
    upstreams,
    selection,
    answers: countRows("SELECT count(*) FROM answer"),
    failed_attempts: countRows("SELECT count(*) FROM attempt"),
    faults: countByName("SELECT reason AS name, count(*) AS count FROM attempt GROUP BY reason ORDER BY reason"),
    hosts: countByName("SELECT host AS name, count(*) AS count FROM answer GROUP BY host ORDER BY host"),
  };
}

/** Reads the last failed attempt of all. */
export const lastAttemptOf = (db: SQLite.Database): Attempt | undefined =>
  db
    .prepare<[], Attempt>("SELECT host, failed_at AS at, reason, detail FROM attempt ORDER BY attempt_id DESC LIMIT 1")
    .get();

/** Reads the last failed attempt of each slice without an answer, by the id of the slice. */
export function lastAttemptsOf(db: SQLite.Database): Map<number, Attempt> {
  const rows = db
    .prepare<[], Omit<Attempt, "said"> & { id: number; said: string | null }>(
      `SELECT slice_id AS id, host, failed_at AS at, attempt.reason, detail, said, max(attempt_id)
       FROM attempt JOIN slice USING (slice_id) WHERE slice.reason IS NOT NULL GROUP BY slice_id`,
    )
    .all();
  return new Map(
    rows.map(({ id, said, host, at, reason, detail }) => [
      id,
      { host, at, reason, detail, ...(said !== null && { said: JSON.parse(said) as Said }) },
    ]),
  );
}
