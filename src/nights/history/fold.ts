import type SQLite from "better-sqlite3";
import { HISTORY_TABLES, type HistoryTable, isWord, list, quote } from "./tables.ts";

/** How many rows a night has brought. */
export interface Folded {
  version: string;
  opened: number;
  closed: number;
}

/** Folds the snapshot that is attached as `snap`, in the transaction that the caller holds. */
export function foldNight(db: SQLite.Database, onTable?: (name: string) => void): Folded {
  const { version, night } = addNight(db);
  const changes = HISTORY_TABLES.filter((table) => isThere(db, table)).map((table) => {
    const change = foldTable(db, table, night);
    onTable?.(table.name);
    return change;
  });
  const sum = (what: "opened" | "closed") => changes.reduce((total, change) => total + change[what], 0);
  return { version, opened: sum("opened"), closed: sum("closed") };
}

function addNight(db: SQLite.Database) {
  return db
    .prepare(
      `INSERT INTO night (version, date, started_at, game_version, content_hash, schema_version, heroes)
       SELECT version, substr(started_at, 1, 10), started_at, game_version, content_hash, schema_version, heroes
       FROM snap.snapshot RETURNING version, night_id AS night`,
    )
    .get() as { version: string; night: number };
}

const columnsOf = (db: SQLite.Database, table: string) =>
  db.prepare<[string], string>("SELECT name FROM pragma_table_info(?, 'snap')").pluck().all(table);

/** A snapshot of an older schema says nothing about tables that it does not have. */
const isThere = (db: SQLite.Database, { name, key }: HistoryTable) => {
  const columns = columnsOf(db, name);
  return key.every((column) => columns.includes(column));
};

/** What is not so any more is closed, what is new is opened; what is as before stays as it is. */
function foldTable(db: SQLite.Database, table: HistoryTable, night: number) {
  const { fact, key, values } = table;
  collectWords(db, table);
  collectRows(db, table);
  const match = (a: string, b: string) =>
    key.map((column) => `${a}.${quote(column)} = ${b}.${quote(column)}`).join(" AND ");
  const same = values.length === 0 ? "" : `AND (${list(values, "new.")}) IS (${list(values, `${fact}.`)})`;
  const closed = db
    .prepare(
      `UPDATE ${fact} INDEXED BY ${fact}_open SET to_night = ? WHERE to_night IS NULL
         AND NOT EXISTS (SELECT 1 FROM temp.incoming AS new WHERE ${match("new", fact)} ${same})`,
    )
    .run(night).changes;
  const opened = db
    .prepare(
      `INSERT INTO ${fact} (from_night, ${list([...key, ...values])}) SELECT ?, ${list([...key, ...values])} FROM temp.incoming AS new
       WHERE NOT EXISTS (SELECT 1 FROM ${fact} AS open WHERE open.to_night IS NULL AND ${match("open", "new")}) ORDER BY ${list(key)}`,
    )
    .run(night).changes;
  db.exec("DROP TABLE temp.incoming");
  return { opened, closed };
}

function collectWords(db: SQLite.Database, table: HistoryTable) {
  for (const column of table.key.filter((one) => isWord(table, one)))
    db.exec(
      `INSERT INTO word (column_name, word) SELECT DISTINCT '${column}', ${quote(column)} FROM snap.${quote(table.name)} WHERE true
       ORDER BY 2 ON CONFLICT DO NOTHING`,
    );
}

/** The rows of the snapshot as the history would hold them. */
function collectRows(db: SQLite.Database, table: HistoryTable) {
  const { name, key, values, columns } = table;
  const there = columnsOf(db, name);
  const words = key.filter((column) => isWord(table, column));
  const number = (column: string) =>
    `(SELECT word_id FROM word WHERE column_name = '${column}' AND word = snap.${quote(name)}.${quote(column)})`;
  const source = [...key, ...values].map((column) =>
    words.includes(column) ? number(column) : there.includes(column) ? quote(column) : "NULL",
  );
  const types = Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type]));
  const typed = [...key, ...values].map(
    (column) => `${quote(column)} ${words.includes(column) ? "INTEGER" : types[column]}`,
  );
  db.exec(`CREATE TEMP TABLE incoming (${typed.join(", ")}, PRIMARY KEY (${list(key)})) WITHOUT ROWID;
    INSERT INTO temp.incoming SELECT ${source.join(", ")} FROM snap.${quote(name)}`);
}
