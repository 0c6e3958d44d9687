import type SQLite from "better-sqlite3";
import { NOT_ASKED } from "../../api/faults.ts";
import { coverageTable } from "../../snapshot/schema/tables/proof.ts";
import type { HistoryTable } from "./tables.ts";

const { dataset, slice, hero_id, subject, lane, rank, days, lang, asked_at } = coverageTable.columns;

/**
 * What rolling nights did not ask for, as a table of versions: one row for as many nights as a slice stands in them as the same
 * crawl got it, or as nobody has asked for it. All else was asked by the crawl of its night.
 */
export const CARRIED_SLICES: HistoryTable = {
  name: "carried_slice",
  versionTable: "carried_slice_fact",
  description: "What rolling nights did not ask for: carried over from an earlier night, or never asked.",
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

/** Writes the carried slices of the snapshot attached as `snap` to `temp.carried_slice`: none, where it is not rolling. */
export function loadCarried(db: SQLite.Database): void {
  const cells = Object.keys(CARRIED_SLICES.columns).join(", ");
  db.exec(`CREATE TEMP TABLE carried_slice (${cells})`);
  if (!rollingOf(db)) return;
  db.exec(`INSERT INTO temp.carried_slice SELECT ${cells} FROM snap.coverage
    WHERE iif(status = 'failed', reason = '${NOT_ASKED}', asked_at <> (SELECT started_at FROM snap.snapshot))`);
}

/** Whether the attached snapshot is rolling; older schemas know no such. */
export function rollingOf(db: SQLite.Database): boolean {
  const known = db.prepare("SELECT 1 FROM pragma_table_info('snapshot', 'snap') WHERE name = 'rolling'").get();
  return known !== undefined && db.prepare("SELECT rolling FROM snap.snapshot").pluck().get() === 1;
}
