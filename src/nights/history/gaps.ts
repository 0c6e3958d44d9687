import type SQLite from "better-sqlite3";
import { BASE_LANG } from "../../api/languages.ts";
import type { Asked, Rows } from "../../snapshot/derive/rows.ts";
import { type HistoryTable, isWord, list, quote } from "./tables.ts";

/** Marks the rows that end with this night as the answer that tells of them has failed: nobody knows whether they are gone. */
export function markGaps(db: SQLite.Database, table: HistoryTable, night: number): void {
  const failed = db.prepare("SELECT 1 FROM snap.coverage WHERE status = 'failed' LIMIT 1").get();
  if (!failed) return;
  const { fact, key, rows } = table;
  for (const source of rows)
    db.prepare(
      `UPDATE ${fact} AS old SET gap = 1 WHERE to_night = ? AND (${list(key)}) NOT IN (SELECT ${list(key)} FROM temp.incoming)
       AND EXISTS (SELECT 1 FROM snap.coverage AS slice WHERE status = 'failed' AND ${conditions(table, source).join(" AND ")})`,
    ).run(night);
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
      ? `(SELECT word FROM word WHERE word_id = old.${quote(column)})`
      : `old.${quote(column)}`;
    const told = `slice.${COLUMNS[cell.name]}`;
    return [`${own} = ${cell.otherwise === undefined ? told : `ifnull(${told}, ${cell.otherwise})`}`];
  });
  return [`slice.dataset IN (${names})`, ...(langs === "base" ? [`slice.lang = '${BASE_LANG}'`] : []), ...asked];
}
