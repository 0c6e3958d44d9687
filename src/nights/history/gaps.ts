import type SQLite from "better-sqlite3";
import { BASE_LANG } from "../../api/enumerations.ts";
import type { RowSource, SliceField } from "../../snapshot/schema/row-source.ts";
import { listNames, quoteName } from "../../snapshot/schema/sql.ts";
import { type HistoryTable, isTermColumn, matchKey } from "./tables.ts";

/** Stores which slices of a night failed: a night that is later inserted before it needs to know. */
export function recordFailedSlices(db: SQLite.Database, night: number): void {
  const there = db.prepare<[], string>("SELECT name FROM pragma_table_info('coverage', 'snap')").pluck().all();
  const names = ["slice", ...Object.values(SLICE_COLUMNS)];
  const cells = names.map((name) => (there.includes(name) ? quoteName(name) : "NULL"));
  db.prepare(
    `INSERT INTO failed_slice (night_id, ${listNames(names)}) SELECT ?, ${cells.join(", ")} FROM snap.coverage WHERE status = 'failed'`,
  ).run(night);
}

/** Marks versions that end with this night only because their slice failed: nobody knows whether the row is gone. */
export function markGaps(db: SQLite.Database, table: HistoryTable, night: number): void {
  if (!db.prepare("SELECT 1 FROM failed_slice WHERE night_id = ?").get(night)) return;
  const { versionTable, key, rows } = table;
  for (const source of rows)
    db.prepare(
      `UPDATE ${versionTable} AS old SET gap = 1 WHERE to_night = :night
       AND NOT EXISTS (SELECT 1 FROM ${versionTable} AS next WHERE next.from_night = :night AND ${matchKey(key, "next", "old")})
       AND EXISTS (SELECT 1 FROM failed_slice AS slice WHERE night_id = :night AND ${sliceConditions(table, source).join(" AND ")})`,
    ).run({ night });
}

const SLICE_COLUMNS: Record<SliceField, string> = {
  dataset: "dataset",
  hero: "hero_id",
  subject: "subject",
  lane: "lane",
  rank: "rank",
  days: "days",
  lang: "lang",
};

/** SQL conditions for `slice` being the one that the row `old` came from. */
function sliceConditions(table: HistoryTable, { datasets, langs, cells }: RowSource): string[] {
  const names = datasets.map((dataset) => `'${dataset}'`).join(", ");
  const parameters = Object.entries(cells).flatMap(([column, cell]) => {
    if (cell.kind !== "asked" || !table.key.includes(column)) return [];
    const own = isTermColumn(table, column)
      ? `(SELECT word FROM word WHERE word_id = old.${quoteName(column)})`
      : `old.${quoteName(column)}`;
    const value = `slice.${SLICE_COLUMNS[cell.name]}`;
    return [`${own} = ${cell.otherwise === undefined ? value : `ifnull(${value}, ${cell.otherwise})`}`];
  });
  return [`slice.dataset IN (${names})`, ...(langs === "base" ? [`slice.lang = '${BASE_LANG}'`] : []), ...parameters];
}
