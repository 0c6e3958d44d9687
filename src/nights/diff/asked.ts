import type SQLite from "better-sqlite3";
import { NOT_ASKED } from "../../snapshot/read/ages.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import { quoteName } from "../../snapshot/schema/sql.ts";

/** Between which two moments something changed: when it was asked for the first snapshot, and when for the second. */
export interface Moments {
  changed_after: string;
  changed_before: string;
}

/** One dataset of two snapshots of which one is rolling: how many of its slices can be compared, and of when they are. */
export interface DatasetMoments extends Moments {
  dataset: string;
  /** Slices that were asked anew between the two. */
  compared: number;
  /** Those of them that are older in the second than in the first. */
  older: number;
  /** Slices that both have from the same crawl: nothing can have changed in them. */
  carried: number;
  /** Slices that one of them has not been asked for. */
  not_asked: number;
}

type Head = Pick<SnapshotTable, "started_at"> & Partial<Pick<SnapshotTable, "rolling">>;

/**
 * Where one of two snapshots is rolling: fills the table `temp.asked`, a row for each slice of either, with the moments when it
 * was asked (of one that a snapshot does not know at all: the start of its crawl) and whether the two can be compared. Undefined
 * where all of each was asked by its own crawl.
 */
export function compareMoments(db: SQLite.Database, before: Head, after: Head): DatasetMoments[] | undefined {
  if (before.rolling !== 1 && after.rolling !== 1) return undefined;
  db.pragma("temp_store = MEMORY");
  db.exec(`CREATE TEMP TABLE asked (dataset, slice, hero_id, subject, lane, rank, days, lang, was_at, now_at, state);
    CREATE INDEX temp.asked_of ON asked (dataset, hero_id, lang)`);
  const both = CELLS.map((cell) => `ifnull(now.${cell}, was.${cell})`).join(", ");
  db.prepare(
    `INSERT INTO temp.asked SELECT dataset, slice, ${both},
       iif(was.status IS NULL, :was, was.at), iif(now.status IS NULL, :now, now.at),
       CASE WHEN was.reason = '${NOT_ASKED}' OR now.reason = '${NOT_ASKED}' THEN 'unasked' WHEN was.at = now.at THEN 'carried' ELSE 'compared' END
     FROM (${selectSlices(db, "main")}) AS now FULL JOIN (${selectSlices(db, "was")}) AS was USING (dataset, slice)`,
  ).run({ was: before.started_at, now: after.started_at });
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

const CELLS = ["hero_id", "subject", "lane", "rank", "days", "lang"];

/** Older schemas lack cells; all that such a file holds was asked by its own crawl. */
function selectSlices(db: SQLite.Database, schema: string): string {
  const known = db.prepare<[string], string>("SELECT name FROM pragma_table_info('coverage', ?)").pluck().all(schema);
  const cells = CELLS.map((cell) => (known.includes(cell) ? quoteName(cell) : `NULL AS ${quoteName(cell)}`));
  const start = `(SELECT started_at FROM ${schema}.snapshot)`;
  const at = known.includes("asked_at") ? `ifnull(asked_at, ${start})` : start;
  return `SELECT dataset, slice, ${cells.join(", ")}, status, reason, iif(status = 'failed', NULL, ${at}) AS at FROM ${schema}.coverage`;
}
