import type SQLite from "better-sqlite3";
import { listNames, quoteName } from "../../snapshot/schema/sql.ts";
import { addFailed, markGaps } from "./gaps.ts";
import { countNights, makeRoom, type Place } from "./places.ts";
import { HISTORY_TABLES, type HistoryTable, isWord, matchKey } from "./tables.ts";

/** How many rows a night has brought. */
export interface Folded {
  version: string;
  opened: number;
  closed: number;
}

/** What is known of a night beside its snapshot. */
export interface NightFacts {
  /** Number of its publication; null for what was published elsewhere. */
  sequence: number | null;
  withdrawn: boolean;
}

/** Folds the snapshot that is attached as `snap`, in the transaction that the caller holds. */
export function foldNight(db: SQLite.Database, facts: NightFacts, onTable?: (name: string) => void): Folded {
  const { version, sequence } = db
    .prepare<[number | null], Place>("SELECT version, ? AS sequence FROM snap.snapshot")
    .get(facts.sequence) as Place;
  const night = makeRoom(db, { version, sequence });
  addNight(db, night, facts);
  addFailed(db, night);
  const isLast = night === countNights(db);
  const changes = HISTORY_TABLES.filter((table) => isThere(db, table)).map((table) => {
    const change = foldTable(db, table, night, isLast);
    onTable?.(table.name);
    return change;
  });
  const sum = (what: "opened" | "closed") => changes.reduce((total, change) => total + change[what], 0);
  return { version, opened: sum("opened"), closed: sum("closed") };
}

const addNight = (db: SQLite.Database, night: number, { sequence, withdrawn }: NightFacts) =>
  db
    .prepare(
      `INSERT INTO night (night_id, version, date, started_at, game_version, content_hash, schema_version, heroes, sequence, withdrawn, failed_slices)
       SELECT ?, version, substr(started_at, 1, 10), started_at, game_version, content_hash, schema_version, heroes, ?, ?,
         (SELECT count(*) FROM snap.coverage WHERE status = 'failed') FROM snap.snapshot`,
    )
    .run(night, sequence, Number(withdrawn));

const columnsOf = (db: SQLite.Database, table: string) =>
  db.prepare<[string], string>("SELECT name FROM pragma_table_info(?, 'snap')").pluck().all(table);

/** A snapshot of an older schema says nothing about tables that it does not have. */
const isThere = (db: SQLite.Database, { name, key }: HistoryTable) => {
  const columns = columnsOf(db, name);
  return key.every((column) => columns.includes(column));
};

/** What is not so any more is closed, what is new is opened; what is as before stays as it is. */
function foldTable(db: SQLite.Database, table: HistoryTable, night: number, isLast: boolean) {
  const { fact, key, values } = table;
  collectWords(db, table);
  collectRows(db, table);
  const cells = listNames([...key, ...values]);
  const same = sameAsIncoming(table);
  // What holds before the last night is open, which has an index of its own.
  const holds = isLast ? "to_night IS NULL" : "from_night < :night AND (to_night IS NULL OR to_night > :night)";
  const index = isLast ? `INDEXED BY ${fact}_open` : "";
  const gone = `${holds} AND NOT ${same}`;
  const run = (sql: string) => db.prepare(sql).run({ night }).changes;
  const later = isLast ? undefined : goOnAfter(db, table, night, gone);
  const closed = run(`UPDATE ${fact} AS old ${index} SET to_night = :night, gap = NULL WHERE ${gone}`);
  run(
    `DELETE FROM temp.incoming WHERE (${listNames(key)}) IN (SELECT ${listNames(key)} FROM ${fact} AS old ${index} WHERE ${holds})`,
  );
  const moved = later?.join() ?? 0;
  const opened = run(
    `INSERT INTO ${fact} (from_night, to_night, ${cells}) SELECT :night, ${isLast ? "NULL" : ":night + 1"}, ${cells}
     FROM temp.incoming ORDER BY ${listNames(key)}`,
  );
  db.exec("DROP TABLE temp.incoming");
  markGaps(db, table, night);
  // What it brought ends with the next night, where that does not say so too.
  if (!isLast) markGaps(db, table, night + 1);
  return { opened: opened + moved, closed };
}

/** What a night between others does to the rows of those after it, which say what they said before. */
function goOnAfter(db: SQLite.Database, table: HistoryTable, night: number, gone: string) {
  const { fact, key, values } = table;
  const cells = listNames([...key, ...values]);
  const run = (sql: string) => db.prepare(sql).run({ night }).changes;
  run(`CREATE TEMP TABLE later AS SELECT to_night, gap, ${cells} FROM ${fact} AS old
       WHERE (to_night IS NULL OR to_night > :night + 1) AND ${gone}`);
  return {
    /** Rows that the night interrupts go on after it; rows that begin after it and are so already begin with it. */
    join(): number {
      run(
        `INSERT INTO ${fact} (from_night, to_night, gap, ${cells}) SELECT :night + 1, to_night, gap, ${cells} FROM temp.later`,
      );
      const moved = run(
        `UPDATE ${fact} AS old SET from_night = :night WHERE from_night = :night + 1 AND ${sameAsIncoming(table)}`,
      );
      run(
        `DELETE FROM temp.incoming WHERE (${listNames(key)}) IN (SELECT ${listNames(key)} FROM ${fact} WHERE from_night = :night)`,
      );
      db.exec("DROP TABLE temp.later");
      return moved;
    },
  };
}

const sameAsIncoming = ({ key, values }: HistoryTable) =>
  `EXISTS (SELECT 1 FROM temp.incoming AS new WHERE ${matchKey(key, "new", "old")} ${
    values.length === 0 ? "" : `AND (${listNames(values, "new.")}) IS (${listNames(values, "old.")})`
  })`;

function collectWords(db: SQLite.Database, table: HistoryTable) {
  for (const column of table.key.filter((one) => isWord(table, one)))
    db.exec(
      `INSERT INTO word (column_name, word) SELECT DISTINCT '${column}', ${quoteName(column)} FROM snap.${quoteName(table.name)} WHERE true
       ORDER BY 2 ON CONFLICT DO NOTHING`,
    );
}

/** The rows of the snapshot as the history would hold them. */
function collectRows(db: SQLite.Database, table: HistoryTable) {
  const { name, key, values, columns } = table;
  const there = columnsOf(db, name);
  const words = key.filter((column) => isWord(table, column));
  const number = (column: string) =>
    `(SELECT word_id FROM word WHERE column_name = '${column}' AND word = snap.${quoteName(name)}.${quoteName(column)})`;
  const source = [...key, ...values].map((column) =>
    words.includes(column) ? number(column) : there.includes(column) ? quoteName(column) : "NULL",
  );
  const types = Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type]));
  const typed = [...key, ...values].map(
    (column) => `${quoteName(column)} ${words.includes(column) ? "INTEGER" : types[column]}`,
  );
  db.exec(`CREATE TEMP TABLE incoming (${typed.join(", ")}, PRIMARY KEY (${listNames(key)})) WITHOUT ROWID;
    INSERT INTO temp.incoming SELECT ${source.join(", ")} FROM snap.${quoteName(name)}`);
}
