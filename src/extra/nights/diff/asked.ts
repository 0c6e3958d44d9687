import type SQLite from "better-sqlite3";
import type { SnapshotTable } from "../../../snapshot/schema/row-types.ts";

/** The two moments between which something changed: when it was asked for the first snapshot, and when for the second. */
export interface Moments {
  changed_after: string;
  changed_before: string;
}

/** One dataset of two snapshots of which one has answers of earlier nights: how many of its slices can be compared, and their moments. */
export interface DatasetMoments extends Moments {
  dataset: string;
  /** The number of slices that were asked anew between the two. */
  compared: number;
  /** The number of those that are older in the second than in the first. */
  older: number;
  /** The number of slices that both have from the same crawl: nothing can have changed in them. */
  carried: number;
  /** The number of slices that one of them lacks. */
  not_asked: number;
}

type Head = Pick<SnapshotTable, "started_at" | "rolling">;

/**
 * Compares the moments of asking if one of two snapshots is rolling, was asked by several runs, or lacks or carries over slices that could
 * not be had. Fills the table `temp.asked`, a row for each slice of either, with the moments when it was asked (for one that a snapshot
 * does not know at all: the start of its crawl) and whether the two can be compared. Undefined if all of each was asked by one run.
 */
export function compareMoments(db: SQLite.Database, before: Head, after: Head): DatasetMoments[] | undefined {
  const isOfOneRun = ({ rolling }: Head, schema: string) =>
    rolling !== 1 && !lacksAny(db, schema) && !holdsOlder(db, schema);
  if (isOfOneRun(before, "was") && isOfOneRun(after, "main")) return undefined;
  db.pragma("temp_store = MEMORY");
  db.exec(`CREATE TEMP TABLE asked (dataset, slice, was_id INTEGER, now_id INTEGER, was_at, now_at, state, PRIMARY KEY (dataset, slice));
    CREATE INDEX temp.asked_was ON asked (was_id);
    CREATE INDEX temp.asked_now ON asked (now_id)`);
  const [was, now] = [askedIn("was", "was"), askedIn("main", "now")];
  db.prepare(
    `INSERT INTO temp.asked SELECT dataset, slice, was.slice_id, now.slice_id, ${was}, ${now},
       CASE WHEN was.status = 'failed' OR now.status = 'failed' THEN 'unasked'
         WHEN was.status IS NOT NULL AND now.status IS NOT NULL AND ${was} = ${now} THEN 'carried' ELSE 'compared' END
     FROM main.coverage AS now FULL JOIN was.coverage AS was USING (dataset, slice)`,
  ).run();
  return db
    .prepare<[Record<string, string>], DatasetMoments>(
      `SELECT dataset, sum(state = 'compared') AS compared, sum(state = 'compared' AND ifnull(now_at < was_at, 0)) AS older,
         sum(state = 'carried') AS carried, sum(state = 'unasked') AS not_asked,
         ifnull(min(was_at) FILTER (WHERE state = 'compared'), :was) AS changed_after,
         ifnull(max(now_at) FILTER (WHERE state = 'compared'), :now) AS changed_before
       FROM temp.asked GROUP BY dataset ORDER BY dataset`,
    )
    .all({ was: before.started_at, now: after.started_at });
}

/**
 * Tells whether a snapshot has slices that could not be had in its night, or that were left out: a hole says nothing about the upstream's
 * records.
 */
const lacksAny = (db: SQLite.Database, schema: string): boolean =>
  db.prepare(`SELECT 1 FROM ${schema}.coverage WHERE reason IS NOT NULL`).get() !== undefined;

/** Tells whether a snapshot has answers of another run than the last. */
const holdsOlder = (db: SQLite.Database, schema: string): boolean =>
  db.prepare(`SELECT 1 FROM ${schema}.coverage WHERE asked_at <> (SELECT started_at FROM ${schema}.snapshot)`).get() !==
  undefined;

/** Writes the SQL for when a slice of a snapshot was asked; for one that its coverage does not have, the start of the crawl. */
const askedIn = (schema: string, alias: string) =>
  `iif(${alias}.status = 'failed', NULL, ifnull(${alias}.asked_at, (SELECT started_at FROM ${schema}.snapshot)))`;
