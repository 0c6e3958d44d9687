import type SQLite from "better-sqlite3";
import { NOT_DUE } from "../../../api/faults.ts";
import { integer } from "../../../snapshot/schema/definition.ts";
import { coverageTable } from "../../../snapshot/schema/tables/archive.ts";
import type { HistoryTable } from "./tables.ts";

/** The columns of the table `slice` that name a slice. */
export const SLICE_CELLS = ["dataset", "slice", "hero_id", "subject", "lane", "rank", "days", "lang"] as const;

/**
 * Slices that nights have from earlier runs, as a table of versions: one row for as many nights as have a slice from the same run, or lack
 * it. All other slices were asked by the last run of their night.
 */
export const CARRIED_SLICES: HistoryTable = {
  name: "carried_slice",
  versionTable: "carried_slice_fact",
  description:
    "Slices that a night has from an earlier run. An earlier night asked for the slice, or an earlier run of the night's crawl did. asked_at is null if the slice has no answer.",
  key: ["slice_id"],
  values: ["asked_at"],
  columns: { slice_id: integer("Slice, as in slice."), asked_at: coverageTable.columns.asked_at },
  rows: [],
  slices: [],
  withoutRowid: true,
};

/** The index that finds the runs of a slice. */
export const CARRIED_INDEX = "CREATE INDEX IF NOT EXISTS carried_slice_of ON carried_slice_fact (slice_id, from_night)";

/**
 * Gives each slice of the snapshot attached as `snap` its number in the history, in `temp.own_slice`, and writes those that were carried to
 * `temp.carried_slice`. Numbers of a file are its own.
 */
export function loadSlices(db: SQLite.Database): void {
  const cells = SLICE_CELLS.join(", ");
  db.exec(`INSERT INTO slice (${cells}) SELECT ${cells} FROM snap.coverage WHERE true ORDER BY snap.coverage.slice_id ON CONFLICT DO NOTHING;
    CREATE TEMP TABLE own_slice (snap_id INTEGER PRIMARY KEY, slice_id INTEGER NOT NULL);
    INSERT INTO temp.own_slice SELECT taken.slice_id, main.slice.slice_id FROM snap.coverage AS taken JOIN main.slice USING (dataset, slice);
    CREATE TEMP TABLE carried_slice (slice_id, asked_at);
    INSERT INTO temp.carried_slice SELECT own.slice_id, asked_at
      FROM snap.coverage AS taken JOIN temp.own_slice AS own ON snap_id = taken.slice_id WHERE ${IS_CARRIED}`);
}

const NOT_DUE_REASONS = Object.keys(NOT_DUE).map((reason) => `'${reason}'`);

/** SQL for a slice of the attached snapshot being a hole that was not asked for: it was not due, or lies in a closed part. */
export const IS_UNASKED_HOLE = `(status = 'failed' AND (part_id IS NOT NULL OR reason IN (${NOT_DUE_REASONS.join(", ")})))`;

const IS_CARRIED = `(${IS_UNASKED_HOLE} OR (status <> 'failed' AND asked_at <> (SELECT started_at FROM snap.snapshot)))`;

/** Tells whether the attached snapshot is rolling. */
export const rollingOf = (db: SQLite.Database): boolean =>
  db.prepare("SELECT rolling FROM snap.snapshot").pluck().get() === 1;
