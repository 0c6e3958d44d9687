import type SQLite from "better-sqlite3";
import { matchRows, matchSlices, SLICE_COLUMNS } from "../../snapshot/schema/slices-of-rows.ts";
import { listNames, quoteName } from "../../snapshot/schema/sql.ts";
import { isUnknownHole } from "./carried.ts";
import { type HistoryTable, isTermColumn, matchKey } from "./tables.ts";

/**
 * Stores which slices of a night failed: a night that is later inserted before it needs to know. What was not asked, or
 * is refused, is among the carried slices.
 */
export function recordFailedSlices(db: SQLite.Database, night: number): void {
  const names = listNames(["slice", ...Object.values(SLICE_COLUMNS)]);
  db.prepare(
    `INSERT INTO failed_slice (night_id, ${names}) SELECT ?, ${names} FROM snap.coverage
     WHERE status = 'failed' AND NOT ${isUnknownHole(db)}`,
  ).run(night);
}

/** Marks versions that end with this night only because their slice is missing: nobody knows whether the row is gone. */
export function markGaps(db: SQLite.Database, table: HistoryTable, night: number): void {
  if (!db.prepare("SELECT 1 FROM night WHERE night_id = ? AND failed_slices > 0").get(night)) return;
  const { versionTable, key, rows } = table;
  const own = (column: string) => {
    const cell = `old.${quoteName(column)}`;
    return isTermColumn(table, column) ? `(SELECT word FROM word WHERE word_id = ${cell})` : cell;
  };
  for (const source of rows) {
    const match = matchSlices(key, source, own).join(" AND ");
    const isOf = ["true", ...matchRows(key, source, own)].join(" AND ");
    db.prepare(
      `UPDATE ${versionTable} AS old SET gap = 1 WHERE to_night = :night AND ${isOf}
       AND NOT EXISTS (SELECT 1 FROM ${versionTable} AS next WHERE next.from_night = :night AND ${matchKey(key, "next", "old")})
       AND (EXISTS (SELECT 1 FROM failed_slice AS slice WHERE night_id = :night AND ${match})
         OR EXISTS (SELECT 1 FROM carried_slice_fact AS slice WHERE asked_at IS NULL AND from_night <= :night
           AND ifnull(to_night > :night, true) AND ${match}))`,
    ).run({ night });
  }
}
