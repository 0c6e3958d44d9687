import type SQLite from "better-sqlite3";
import type { QualityRow } from "../build/quality.ts";
import type { ShapeRow } from "../build/shape.ts";
import type { Misfit } from "../derive/misfits.ts";
import type { Counts } from "../published/loss.ts";
import type { Coverage } from "../schema/row-types.ts";

/** Slices of one endpoint in one language, by status. */
export interface CoverageSummary {
  dataset: string;
  lang: string;
  slices: number;
  captured: number;
  empty: number;
  failed: number;
  records: number;
}

/** Summarises the coverage; `schema` is the name that a second file is attached by. */
export const summariseCoverage = (db: SQLite.Database, schema = "main") =>
  db.prepare<[], CoverageSummary>(selectCoverage(schema)).all();

// The plus sign keeps off the index by endpoint, which would lead to each of thirty thousand rows by itself.
export const selectCoverage = (schema = "main") =>
  `SELECT dataset, lang, count(*) AS slices, sum(status = 'captured') AS captured, sum(status = 'empty') AS empty,
          sum(status = 'failed') AS failed, sum(records) AS records
   FROM ${schema}.coverage GROUP BY +dataset, lang ORDER BY dataset, lang`;

/** Slices of a snapshot by the origin of their answers: its own crawl, an earlier run, or none. */
export interface SliceStates {
  captured: number;
  carried: number;
  missing: number;
}

/**
 * Counts slices by origin. In a file that is not rolling, `reason` tells which are carried over: another time only shows that the crawl was
 * resumed.
 */
export const countSliceStates = (db: SQLite.Database): SliceStates =>
  db
    .prepare<[], SliceStates>(
      `SELECT count(*) FILTER (WHERE state = 'captured') AS captured, count(*) FILTER (WHERE state = 'carried') AS carried,
              count(*) FILTER (WHERE state = 'missing') AS missing
       FROM (SELECT iif(status = 'failed', 'missing', iif(
                      reason IS NOT NULL OR (rolling = 1 AND asked_at <> started_at), 'carried', 'captured')) AS state
             FROM coverage, snapshot)`,
    )
    .get() as SliceStates;

export const readCounts = (db: SQLite.Database): Counts =>
  db
    .prepare<[], Counts>(
      `SELECT (SELECT count(*) FROM hero) AS heroes, count(DISTINCT lang) FILTER (WHERE status = 'captured') AS languages,
              coalesce(sum(records), 0) AS records FROM coverage`,
    )
    .get() as Counts;

export const readHoles = (db: SQLite.Database) =>
  db.prepare<[], Coverage>("SELECT * FROM coverage WHERE status = 'failed' ORDER BY dataset, slice").all();

/** Slices of a group (an endpoint, rank, window, lane and language) that are of another batch than most of it, by batch. */
export interface StaleRow {
  dataset: string;
  rank: string | null;
  days: number | null;
  lane: string | null;
  lang: string;
  slices: number;
  /** Slices of the group in all batches. */
  of: number;
  batch: string;
  /** The batch of most slices. */
  most: string;
  /** One of the slices. */
  example: string;
}

export const readStale = (db: SQLite.Database): StaleRow[] =>
  db
    .prepare<[], StaleRow>(
      `WITH batches AS (
         SELECT dataset, rank, days, lane, lang, batch, stale, count(*) AS slices, min(slice) AS example,
                sum(count(*)) OVER slice_group AS "of", max(iif(stale, NULL, batch)) OVER slice_group AS most
         FROM coverage WHERE batch IS NOT NULL GROUP BY dataset, rank, days, lane, lang, batch, stale
         WINDOW slice_group AS (PARTITION BY dataset, rank, days, lane, lang)
       )
       SELECT dataset, rank, days, lane, lang, slices, "of", batch, most, example FROM batches WHERE stale = 1
       ORDER BY dataset, lang, lane, rank, days, batch`,
    )
    .all();

export const QUALITY = "SELECT * FROM text_quality ORDER BY dataset, lang";

export const readQuality = (db: SQLite.Database) => db.prepare<[], QualityRow>(QUALITY).all();

export const readShape = (db: SQLite.Database, schema = "main") =>
  db.prepare<[], ShapeRow>(`SELECT * FROM ${schema}.shape ORDER BY dataset, path`).all();

/** The values that did not fit the tables. */
export const MISFIT_ROWS =
  "SELECT table_name, column_name, dataset, path, kind, count, example FROM misfit ORDER BY misfit_id";

export const readMisfits = (db: SQLite.Database): Misfit[] => db.prepare<[], Misfit>(MISFIT_ROWS).all();
