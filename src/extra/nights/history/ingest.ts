import type SQLite from "better-sqlite3";
import { type HasColumn, readHeldColumns } from "../../../snapshot/read/held-columns.ts";
import { listNames, quoteName } from "../../../snapshot/schema/sql.ts";
import { CARRIED_SLICES, IS_UNASKED_HOLE, loadSlices, rollingOf } from "./carried.ts";
import { lacksSlice } from "./moments.ts";
import { countNights, insertNightId, type NightSequence } from "./night-order.ts";
import { HISTORY_TABLES, type HistoryTable, isTermColumn, matchKey } from "./tables.ts";

/** The numbers of versions of rows that a night began and ended. */
export interface IngestedNight {
  version: string;
  opened: number;
  closed: number;
}

/** Facts about a night that its snapshot does not hold. */
export interface NightInfo {
  /** Its publication number in the data folder; null for a snapshot from elsewhere. */
  sequence: number | null;
  withdrawn: boolean;
}

/** Adds the snapshot attached as `snap` to the history. The caller holds the transaction. */
export function ingestNight(db: SQLite.Database, info: NightInfo, onTable?: (name: string) => void): IngestedNight {
  const { version, sequence } = db
    .prepare<[number | null], NightSequence>("SELECT version, ? AS sequence FROM snap.snapshot")
    .get(info.sequence) as NightSequence;
  const night = insertNightId(db, { version, sequence });
  loadSlices(db);
  addNight(db, night, info);
  recordFailedSlices(db, night);
  const isLast = night === countNights(db);
  mergeTable(db, CARRIED_SLICES, night, isLast, readHeldColumns(db, "temp"), "temp");
  const has = readHeldColumns(db, "snap");
  const changes = HISTORY_TABLES.filter(({ name, key }) => key.every((column) => has(name, column))).map((table) => {
    const change = mergeTable(db, table, night, isLast, has);
    onTable?.(table.name);
    return change;
  });
  db.exec("DROP TABLE temp.carried_slice; DROP TABLE temp.own_slice");
  const sum = (what: "opened" | "closed") => changes.reduce((total, change) => total + change[what], 0);
  return { version, opened: sum("opened"), closed: sum("closed") };
}

const addNight = (db: SQLite.Database, night: number, { sequence, withdrawn }: NightInfo) =>
  db
    .prepare(
      `INSERT INTO night (night_id, version, date, started_at, game_version, content_hash, schema_version, heroes, sequence, withdrawn, failed_slices, rolling, carried_slices)
       SELECT ?, version, substr(started_at, 1, 10), started_at, game_version, content_hash, schema_version, heroes, ?, ?,
         (SELECT count(*) FROM snap.coverage WHERE status = 'failed'), ?, (SELECT count(asked_at) FROM temp.carried_slice) FROM snap.snapshot`,
    )
    .run(night, sequence, Number(withdrawn), Number(rollingOf(db)));

/** The schema that a table comes from. */
type Schema = "snap" | "temp";

/**
 * Merges a table of the snapshot into its versions (slowly changing dimension, type 2): versions that the night
 * contradicts end with it, new ones begin with it, the others stay as they are.
 */
function mergeTable(
  db: SQLite.Database,
  table: HistoryTable,
  night: number,
  isLast: boolean,
  has: HasColumn,
  schema: Schema = "snap",
) {
  const { versionTable, key, values, slices } = table;
  const run: Run = (sql) => db.prepare(sql).run({ night }).changes;
  addTerms(db, table);
  loadIncoming(db, table, has, schema);
  // Versions that are valid in the last night have no end, and an index of their own.
  const valid = isLast ? "to_night IS NULL" : "from_night < :night AND (to_night IS NULL OR to_night > :night)";
  const index = isLast ? `INDEXED BY ${versionTable}_open` : "";
  const contradicted = `${valid} AND NOT ${equalsIncoming(table)}`;
  if (!isLast) saveInterrupted(table, contradicted, run);
  const closed = run(`UPDATE ${versionTable} AS old ${index} SET to_night = :night, gap = NULL WHERE ${contradicted}`);
  if (isLast) noteSlices(table, valid, run);
  run(
    `DELETE FROM temp.incoming WHERE (${listNames(key)}) IN (SELECT ${listNames(key)} FROM ${versionTable} AS old ${index} WHERE ${valid})`,
  );
  const extended = isLast ? 0 : resumeInterrupted(table, run);
  const cells = listNames([...key, ...values, ...slices]);
  const added = run(
    `INSERT INTO ${versionTable} (from_night, to_night, ${cells}) SELECT :night, ${isLast ? "NULL" : ":night + 1"}, ${cells}
     FROM temp.incoming ORDER BY ${listNames(key)}`,
  );
  run("DROP TABLE temp.incoming");
  markGaps(db, table, night);
  // A version that began with this night ends with the next one, unless that has it as well.
  if (!isLast) markGaps(db, table, night + 1);
  return { opened: added + extended, closed };
}

/** Runs a statement with `:night`; returns the number of changed rows. */
type Run = (sql: string) => number;

/** Saves versions that a night between others ends and that are still valid after it. */
function saveInterrupted({ versionTable, key, values, slices }: HistoryTable, contradicted: string, run: Run): void {
  run(`CREATE TEMP TABLE later AS SELECT to_night, gap, ${listNames([...key, ...values, ...slices])} FROM ${versionTable} AS old
       WHERE (to_night IS NULL OR to_night > :night + 1) AND ${contradicted}`);
}

/** Afterwards lets the saved versions resume in the next night. Those that begin there and equal the incoming rows now begin here. */
function resumeInterrupted(table: HistoryTable, run: Run): number {
  const { versionTable, key, values, slices } = table;
  const cells = listNames([...key, ...values, ...slices]);
  run(
    `INSERT INTO ${versionTable} (from_night, to_night, gap, ${cells}) SELECT :night + 1, to_night, gap, ${cells} FROM temp.later`,
  );
  const extended = run(
    `UPDATE ${versionTable} AS old SET from_night = :night WHERE from_night = :night + 1 AND ${equalsIncoming(table)}`,
  );
  run(
    `DELETE FROM temp.incoming WHERE (${listNames(key)}) IN (SELECT ${listNames(key)} FROM ${versionTable} WHERE from_night = :night)`,
  );
  run("DROP TABLE temp.later");
  return extended;
}

const equalsIncoming = ({ key, values }: HistoryTable) =>
  `EXISTS (SELECT 1 FROM temp.incoming AS new WHERE ${matchKey(key, "new", "old")} ${
    values.length === 0 ? "" : `AND (${listNames(values, "new.")}) IS (${listNames(values, "old.")})`
  })`;

/** Adds the terms of the table's key to the dictionary. */
function addTerms(db: SQLite.Database, table: HistoryTable) {
  for (const column of table.key.filter((column) => isTermColumn(table, column)))
    db.exec(
      `INSERT INTO word (column_name, word) SELECT DISTINCT '${column}', ${quoteName(column)} FROM snap.${quoteName(table.name)} WHERE true
       ORDER BY 2 ON CONFLICT DO NOTHING`,
    );
}

/**
 * Copies a table of the snapshot to `temp.incoming`, in the form of the history: with ids for terms, and null for columns that it lacks.
 */
function loadIncoming(db: SQLite.Database, table: HistoryTable, has: HasColumn, schema: Schema) {
  const { name, key, values, slices, columns } = table;
  const terms = key.filter((column) => isTermColumn(table, column));
  const termId = (column: string) =>
    `(SELECT word_id FROM word WHERE column_name = '${column}' AND word = snap.${quoteName(name)}.${quoteName(column)})`;
  const cellOf = (column: string) => (has(name, column) ? quoteName(column) : "NULL");
  const sliceOf = (column: string) =>
    has(name, column)
      ? `(SELECT slice_id FROM temp.own_slice WHERE snap_id = ${schema}.${quoteName(name)}.${quoteName(column)})`
      : "NULL";
  const source = [
    ...[...key, ...values].map((column) => (terms.includes(column) ? termId(column) : cellOf(column))),
    ...slices.map(sliceOf),
  ];
  const types = Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type]));
  const typed = [...key, ...values, ...slices].map(
    (column) => `${quoteName(column)} ${terms.includes(column) ? "INTEGER" : (types[column] ?? "INTEGER")}`,
  );
  db.exec(`CREATE TEMP TABLE incoming (${typed.join(", ")}, PRIMARY KEY (${listNames(key)})) WITHOUT ROWID;
    INSERT INTO temp.incoming SELECT ${source.join(", ")} FROM ${schema}.${quoteName(name)}`);
}

/** Notes that rows which stay as they are may come from another slice than before. */
function noteSlices({ versionTable, key, slices }: HistoryTable, valid: string, run: Run): void {
  if (slices.length === 0) return;
  const set = slices.map((column) => `${quoteName(column)} = new.${quoteName(column)}`).join(", ");
  run(`UPDATE ${versionTable} AS old SET ${set} FROM temp.incoming AS new
       WHERE ${valid} AND ${matchKey(key, "new", "old")} AND (${listNames(slices, "new.")}) IS NOT (${listNames(slices, "old.")})`);
}

/**
 * Stores which slices of a night failed: a night that is later inserted before it needs to know. Slices that were not asked are among the
 * carried ones.
 */
function recordFailedSlices(db: SQLite.Database, night: number): void {
  db.prepare(
    `INSERT INTO failed_slice_fact (night_id, slice_id) SELECT ?, own.slice_id FROM snap.coverage AS taken
     JOIN temp.own_slice AS own ON snap_id = taken.slice_id WHERE status = 'failed' AND NOT ${IS_UNASKED_HOLE}`,
  ).run(night);
}

/** Marks versions that end with this night only because their slice is missing: nobody knows whether the row is gone. */
function markGaps(db: SQLite.Database, { versionTable, key, slices }: HistoryTable, night: number): void {
  if (slices.length === 0) return;
  if (!db.prepare("SELECT 1 FROM night WHERE night_id = ? AND failed_slices > 0").get(night)) return;
  const isMissing = slices.map((column) => lacksSlice(`old.${quoteName(column)}`, ":night")).join(" OR ");
  db.prepare(
    `UPDATE ${versionTable} AS old SET gap = 1 WHERE to_night = :night AND (${isMissing})
     AND NOT EXISTS (SELECT 1 FROM ${versionTable} AS next WHERE next.from_night = :night AND ${matchKey(key, "next", "old")})`,
  ).run({ night });
}
