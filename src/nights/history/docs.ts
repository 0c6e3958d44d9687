import type SQLite from "better-sqlite3";
import { CARRIED_SLICES } from "./carried.ts";
import { HISTORY_TABLES } from "./tables.ts";
import { HISTORY_VIEWS } from "./views.ts";

const OWN_TABLES: Record<string, [description: string, columns: Record<string, string>]> = {
  night: [
    "The snapshots that were folded, in the order of publication.",
    {
      night_id: "Place of the night among all, from 1: in the order of publication, not of names or clocks.",
      version: "Name of the snapshot.",
      date: "Day of the crawl, UTC.",
      started_at: "Start of the crawl, ISO 8601 in UTC.",
      game_version: "Newest version of the game that the upstream listed.",
      content_hash: "sha256 of the content.",
      schema_version: "Schema of the snapshot.",
      heroes: "Size of the roster.",
      sequence: "Number of its publication; null: published in another folder, or by an earlier program.",
      withdrawn: "1: the pointer was moved back past it.",
      failed_slices: "Answers that the night lacks; what they tell is a gap (see gap in the other tables).",
      rolling:
        "1: it took answers over from an earlier night, or was never asked for some: carried_slice has them; 0: all were asked by its crawl.",
      carried_slices: "Answers that it took over.",
    },
  ],
  failed_slice: [
    "The answers that nights asked for and lack. What was never asked for is in carried_slice.",
    {
      night_id: "Night.",
      dataset: "Endpoint.",
      slice:
        "The parameters that select data, as in coverage of a snapshot; the columns after it have them one by one.",
      hero_id: "Hero.",
      subject: "Vote.",
      lane: "Lane.",
      rank: "Rank bracket.",
      days: "Window or length of the series.",
      lang: "Language it was asked in.",
    },
  ],
  word: [
    "Words that keys are made of; the facts hold their numbers.",
    { word_id: "Number.", column_name: "Column that it stands in.", word: "The word." },
  ],
  table_doc: ["What each table and view is.", { table_name: "Table or view.", description: "What it is." }],
  column_doc: [
    "What each column of each table and view is.",
    {
      table_name: "Table or view.",
      column_name: "Column.",
      description: "What it is.",
      unit: "What it is measured in.",
      source: "Endpoint and path it comes from.",
    },
  ],
};

const PERIOD_COLUMNS = {
  from_night: "First night that says so.",
  to_night: "First night that does not say so any more; null: it still holds.",
  gap: "1: it ends as that night lacks the answer that tells of it, so that nobody knows; null: it was gone, or otherwise.",
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
  for (const { name, versionTable, columns } of [CARRIED_SLICES, ...HISTORY_TABLES]) {
    insertTable.run(versionTable, `What the view ${name} shows, with numbers in place of words.`);
    for (const [column, meaning] of Object.entries(PERIOD_COLUMNS))
      insertColumn.run(versionTable, column, meaning, null, null);
    for (const [column, { description, unit, source }] of Object.entries(columns))
      insertColumn.run(versionTable, column, description, unit, source);
  }
  const known = new Map(HISTORY_TABLES.map(({ name, columns }) => [name, columns]));
  for (const { name, description, columns } of HISTORY_VIEWS) {
    insertTable.run(name, description);
    for (const [column, meaning] of Object.entries(columns)) {
      const { unit = null, source = null } = known.get(name)?.[column] ?? {};
      insertColumn.run(name, column, meaning, unit, source);
    }
  }
}
