import type SQLite from "better-sqlite3";
import { BASE_LANG } from "../../api/enumerations.ts";
import type { Asked, Rows } from "../../snapshot/schema/row-source.ts";
import { listNames, quoteName } from "../../snapshot/schema/sql.ts";
import { type HistoryTable, isWord, matchKey } from "./tables.ts";

/** Keeps which answers a night lacks: a night that is folded before it later on needs to know. */
export function addFailed(db: SQLite.Database, night: number): void {
  const there = db.prepare<[], string>("SELECT name FROM pragma_table_info('coverage', 'snap')").pluck().all();
  const names = ["slice", ...Object.values(COLUMNS)];
  const cells = names.map((name) => (there.includes(name) ? quoteName(name) : "NULL"));
  db.prepare(
    `INSERT INTO failed_slice (night_id, ${listNames(names)}) SELECT ?, ${cells.join(", ")} FROM snap.coverage WHERE status = 'failed'`,
  ).run(night);
}

/** Marks the rows that end with this night as the answer that tells of them has failed: nobody knows whether they are gone. */
export function markGaps(db: SQLite.Database, table: HistoryTable, night: number): void {
  if (!db.prepare("SELECT 1 FROM failed_slice WHERE night_id = ?").get(night)) return;
  const { fact, key, rows } = table;
  for (const source of rows)
    db.prepare(
      `UPDATE ${fact} AS old SET gap = 1 WHERE to_night = :night
       AND NOT EXISTS (SELECT 1 FROM ${fact} AS next WHERE next.from_night = :night AND ${matchKey(key, "next", "old")})
       AND EXISTS (SELECT 1 FROM failed_slice AS slice WHERE night_id = :night AND ${conditions(table, source).join(" AND ")})`,
    ).run({ night });
}

const COLUMNS: Record<Asked, string> = {
  dataset: "dataset",
  hero: "hero_id",
  subject: "subject",
  lane: "lane",
  rank: "rank",
  days: "days",
  lang: "lang",
};

/** When a slice is one that a row of this source comes from. */
function conditions(table: HistoryTable, { datasets, langs, cells }: Rows): string[] {
  const names = datasets.map((dataset) => `'${dataset}'`).join(", ");
  const asked = Object.entries(cells).flatMap(([column, cell]) => {
    if (cell.kind !== "asked" || !table.key.includes(column)) return [];
    const own = isWord(table, column)
      ? `(SELECT word FROM word WHERE word_id = old.${quoteName(column)})`
      : `old.${quoteName(column)}`;
    const told = `slice.${COLUMNS[cell.name]}`;
    return [`${own} = ${cell.otherwise === undefined ? told : `ifnull(${told}, ${cell.otherwise})`}`];
  });
  return [`slice.dataset IN (${names})`, ...(langs === "base" ? [`slice.lang = '${BASE_LANG}'`] : []), ...asked];
}
