import type SQLite from "better-sqlite3";
import { toDdl, toIndexDdl } from "./definition.ts";
import { TABLES } from "./definitions/all.ts";
import { VIEWS } from "./views.ts";

/** Makes all tables, empty. */
export function createTables(db: SQLite.Database): void {
  for (const table of TABLES) db.exec(toDdl(table));
}

/** Fills the analysts' tables from the archive, and adds views and their documentation. */
export function deriveTables(db: SQLite.Database): void {
  db.function("plain_text", { deterministic: true }, (text) => (typeof text === "string" ? stripMarkup(text) : null));
  db.function("number_list", { deterministic: true }, (json) => JSON.stringify(numbersIn(json)));
  for (const { name, columns, fill } of TABLES) {
    const names = Object.keys(columns).map((column) => `"${column}"`);
    if (fill) db.exec(`INSERT INTO ${name} (${names.join(", ")}) ${fill}`);
  }
  // An index that is made from a full table has its rows in order, without gaps.
  for (const table of TABLES) db.exec(toIndexDdl(table));
  for (const { name, select } of VIEWS) db.exec(`CREATE VIEW ${name} AS\n${select}`);
  documentTables(db);
}

/** Descriptions come as HTML-like markup (`<font color="…">`); a lone `<` is text. */
const stripMarkup = (text: string) => text.replaceAll(/<\/?[a-z][^<>]*>/gi, "");

/** Ids come as one text, in whatever way they are set apart. */
const numbersIn = (json: unknown) =>
  typeof json === "string" ? (json.match(/\d+/g) ?? []).map(Number).filter(Number.isSafeInteger) : [];

function documentTables(db: SQLite.Database) {
  const insertTable = db.prepare("INSERT INTO table_doc VALUES (?, ?)");
  const insertColumn = db.prepare("INSERT INTO column_doc VALUES (?, ?, ?, ?, ?)");
  for (const { name, description, columns } of TABLES) {
    insertTable.run(name, description);
    for (const [column, { description: meaning, unit, source }] of Object.entries(columns)) {
      insertColumn.run(name, column, meaning, unit, source);
    }
  }
  for (const { name, description, columns } of VIEWS) {
    insertTable.run(name, description);
    for (const [column, meaning] of Object.entries(columns)) insertColumn.run(name, column, meaning, null, null);
  }
}
