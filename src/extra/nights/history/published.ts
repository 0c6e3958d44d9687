import { existsSync } from "node:fs";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../../../api/failure.ts";
import { compressFile, type MakeHistory } from "../../../snapshot/published/companions.ts";
import { readNights } from "../../../snapshot/published/sequence.ts";
import { historyFile, openHistory, requireHistory } from "./open.ts";
import { createSchema } from "./schema.ts";

/** Compresses the history of a data folder, which its caller has locked. */
export const compressHistory: MakeHistory = async (data, target) => {
  const file = historyFile(data);
  if (!existsSync(file)) return undefined;
  // Opening it undoes what a writer that was killed has left.
  openHistory(file).close();
  return await compressFile(file, target);
};

/**
 * Checks a history that somebody else has made, before it is put into a data folder. Throws a Failure for usage if it is damaged, has
 * objects that no history has (a trigger would run when a night is folded), or numbers the nights here otherwise.
 */
export function checkReceived(file: string, data: string): void {
  const db = new SQLite(file, { readonly: true });
  try {
    db.pragma("trusted_schema = OFF");
    requireHistory(db, file);
    requireOurObjects(db);
    if (db.pragma("quick_check(1)", { simple: true }) !== "ok") throw refused("is damaged");
    requireNumbersOf(db, data);
  } catch (error) {
    if (error instanceof SQLite.SqliteError) throw refused(`is damaged: ${error.message}`);
    throw error;
  } finally {
    db.close();
  }
}

/** The indexes that SQLite makes for keys have no text. Columns may be fewer: they are added when a night is folded. */
const OBJECTS =
  "SELECT type || ' ' || name || (sql LIKE 'CREATE VIRTUAL%') FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";

function requireOurObjects(db: SQLite.Database) {
  using ours = openEmpty();
  const known = new Set(ours.db.prepare<[], string>(OBJECTS).pluck().all());
  const foreign = db.prepare<[], string>(OBJECTS).pluck().all();
  const other = foreign.find((object) => !known.has(object));
  if (other !== undefined) throw refused(`has the ${other.slice(0, -1)}, which no history of this version has`);
}

function openEmpty() {
  const db = new SQLite(":memory:");
  createSchema(db);
  return { db, [Symbol.dispose]: () => void db.close() };
}

function requireNumbersOf(db: SQLite.Database, data: string) {
  const numbers = new Map(db.prepare<[], [string, number | null]>("SELECT version, sequence FROM night").raw().all());
  for (const { version, sequence } of readNights(data).nights)
    if (numbers.has(version) && numbers.get(version) !== sequence)
      throw refused(`has ${version} as number ${numbers.get(version)}, which is number ${sequence} here`);
}

const refused = (what: string) =>
  new Failure(EXIT.usage, `the history of the source ${what}`, "fold the nights that are here with `npm run history`");
