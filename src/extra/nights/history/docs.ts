import type SQLite from "better-sqlite3";
import { CARRIED_SLICES } from "./carried.ts";
import { HISTORY_TABLES } from "./tables.ts";
import { HISTORY_VIEWS } from "./views.ts";

const OWN_TABLES: Record<string, [description: string, columns: Record<string, string>]> = {
  night: [
    "One row for each snapshot that was folded, in the order of publication.",
    {
      night_id: "Place of the night in the order of publication, from 1. Names and clocks do not count.",
      version: "Name of the snapshot.",
      date: "Day of the crawl, UTC.",
      started_at: "Start of the crawl, ISO 8601 in UTC.",
      game_version: "Newest version of the game that the upstream listed.",
      content_hash: "sha256 over the hashes of all slices, as in snapshot.",
      schema_version: "Schema version of the snapshot.",
      heroes: "Number of heroes.",
      sequence: "Number of the publication in this folder. null: another folder published the night.",
      withdrawn: "1: a rollback moved the pointer back past this night.",
      failed_slices:
        "Number of answers that the night lacks. Rows that depend on them have a gap (column gap of the other tables).",
      rolling:
        "1: some answers are from an earlier night or were never asked for; carried_slice lists them. 0: the night's crawl asked for all.",
      carried_slices: "Number of answers that the night carried over.",
    },
  ],
  failed_slice_fact: [
    "Rows of the view failed_slice, with numbers in place of words.",
    {
      night_id: "Night.",
      slice_id: "Slice, as in slice.",
    },
  ],
  slice: [
    "Slices of all nights, numbered in the order in which this file met them.",
    {
      slice_id: "Number of the slice in this file.",
      dataset: "Endpoint.",
      slice:
        "The parameters that select the data, as in coverage of a snapshot. The next columns have them one by one.",
      hero_id: "Hero.",
      subject: "Vote.",
      lane: "Lane.",
      rank: "Rank bracket.",
      days: "Window or length of the series.",
      lang: "Language it was asked in.",
    },
  ],
  word: [
    "Words that keys consist of. The fact tables hold the numbers of these words.",
    { word_id: "Number of the word.", column_name: "Column that has the word.", word: "The word." },
  ],
  table_doc: [
    "Descriptions of the tables and views.",
    { table_name: "Table or view.", description: "What the table or view holds." },
  ],
  column_doc: [
    "Descriptions of the columns of tables and views.",
    {
      table_name: "Table or view.",
      column_name: "Column.",
      description: "What the column holds.",
      unit: "Unit of the values.",
      source: "Endpoint and path that the value comes from.",
    },
  ],
};

const PERIOD_COLUMNS = {
  from_night: "First night that has the row.",
  to_night: "First night that no longer has the row. null: the row still holds.",
  gap: "1: the row ends because to_night lacks the answer, so it is unknown whether the row still holds. null: the row was gone or changed.",
};

/** Writes the description of every table, view and column into the file, as a snapshot has it. */
export function writeDocs(db: SQLite.Database): void {
  const insertTable = db.prepare("INSERT INTO table_doc VALUES (?, ?)");
  const insertColumn = db.prepare("INSERT INTO column_doc VALUES (?, ?, ?, ?, ?)");
  db.exec("DELETE FROM table_doc; DELETE FROM column_doc");
  for (const [name, [description, columns]] of Object.entries(OWN_TABLES)) {
    insertTable.run(name, description);
    for (const [column, meaning] of Object.entries(columns)) insertColumn.run(name, column, meaning, null, null);
  }
  for (const { name, versionTable, columns, slices } of [CARRIED_SLICES, ...HISTORY_TABLES]) {
    insertTable.run(versionTable, `Rows of the view ${name}, with numbers in place of words.`);
    for (const [column, meaning] of Object.entries(PERIOD_COLUMNS))
      insertColumn.run(versionTable, column, meaning, null, null);
    for (const [column, { description, unit, source }] of Object.entries(columns))
      insertColumn.run(versionTable, column, description, unit, source);
    for (const column of slices)
      insertColumn.run(versionTable, column, "Slice that the row last came from.", null, null);
  }
  const columnsOf = new Map(HISTORY_TABLES.map(({ name, columns }) => [name, columns]));
  for (const { name, description, columns } of HISTORY_VIEWS) {
    insertTable.run(name, description);
    for (const [column, meaning] of Object.entries(columns)) {
      const { unit = null, source = null } = columnsOf.get(name)?.[column] ?? {};
      insertColumn.run(name, column, meaning, unit, source);
    }
  }
}
