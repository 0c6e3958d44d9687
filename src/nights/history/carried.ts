import type SQLite from "better-sqlite3";
import { NOT_DUE } from "../../api/faults.ts";
import { coverageTable } from "../../snapshot/schema/tables/archive.ts";
import type { HistoryTable } from "./tables.ts";

const { dataset, slice, hero_id, subject, lane, rank, days, lang, asked_at } = coverageTable.columns;

/**
 * What nights have from earlier runs, as a table of versions: one row for as many nights as a slice stands in them as the same run
 * got it, or as nobody has it. All else was asked by the last run of its night.
 */
export const CARRIED_SLICES: HistoryTable = {
  name: "carried_slice",
  versionTable: "carried_slice_fact",
  description:
    "Slices that a night has from an earlier run. An earlier night asked for the slice, or an earlier run of the night's crawl did. asked_at is null if the slice has no answer.",
  key: ["dataset", "slice"],
  values: ["hero_id", "subject", "lane", "rank", "days", "lang", "asked_at"],
  columns: { dataset, slice, hero_id, subject, lane, rank, days, lang, asked_at },
  rows: [],
  withoutRowid: true,
  plain: true,
};

/** Finds the runs of a slice by what names it. */
export const CARRIED_INDEX =
  "CREATE INDEX IF NOT EXISTS carried_slice_of ON carried_slice_fact (dataset, hero_id, lang, rank)";

/** Writes the carried slices of the snapshot attached as `snap` to `temp.carried_slice`. */
export function loadCarried(db: SQLite.Database): void {
  const cells = Object.keys(CARRIED_SLICES.columns).join(", ");
  db.exec(`CREATE TEMP TABLE carried_slice (${cells});
    INSERT INTO temp.carried_slice SELECT ${cells} FROM snap.coverage WHERE ${IS_CARRIED}`);
}

const NOT_DUE_REASONS = Object.keys(NOT_DUE).map((reason) => `'${reason}'`);

/** SQL for a slice of the attached snapshot being a hole that was not asked for: it was not due, or lies in a closed part. */
export const IS_UNASKED_HOLE = `(status = 'failed' AND (part_id IS NOT NULL OR reason IN (${NOT_DUE_REASONS.join(", ")})))`;

const IS_CARRIED = `${IS_UNASKED_HOLE} OR (status <> 'failed' AND asked_at <> (SELECT started_at FROM snap.snapshot))`;

/** Whether the attached snapshot is rolling. */
export const rollingOf = (db: SQLite.Database): boolean =>
  db.prepare("SELECT rolling FROM snap.snapshot").pluck().get() === 1;
