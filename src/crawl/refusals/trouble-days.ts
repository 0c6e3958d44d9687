import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { makeFolder } from "../../base/files.ts";

/** So many UTC days in a row a trouble ends the night; after that it is how the upstream is now. */
export const TROUBLED_DAYS = 2;

const DDL =
  "CREATE TABLE IF NOT EXISTS trouble (what TEXT PRIMARY KEY, days INTEGER NOT NULL, last_day TEXT NOT NULL) STRICT, WITHOUT ROWID";

/** On how many UTC days in a row crawls into a folder have met a trouble. A night without it begins anew. */
export interface TroubleDays extends Disposable {
  /** Counts the day once. Returns on how many days it was met, this one included. */
  note(what: string, day: string): number;
  /** Forgets every trouble that this night has not met. */
  keepOnly(what: readonly string[]): void;
}

/** A damaged file is made anew: a count that begins again costs less than the night. */
function open(file: string): SQLite.Database {
  const db = new SQLite(file);
  try {
    db.exec(DDL);
    return db;
  } catch (error) {
    db.close();
    if (!/^SQLITE_(NOTADB|CORRUPT|ERROR)/.test((error as { code?: string }).code ?? "")) throw error;
    rmSync(file);
    return open(file);
  }
}

const fileOf = (data: string) => join(data, "troubles.sqlite");

/** Whether a crawl into this folder has ever met one. */
export const hasTroubles = (data: string): boolean => existsSync(fileOf(data));

export function openTroubleDays(data: string): TroubleDays {
  makeFolder(data);
  const db = open(fileOf(data));
  const count = db
    .prepare<{ what: string; day: string }, number>(
      `INSERT INTO trouble VALUES (:what, 1, :day)
       ON CONFLICT DO UPDATE SET days = days + (last_day <> :day), last_day = :day RETURNING days`,
    )
    .pluck();
  const forget = db.prepare("DELETE FROM trouble WHERE what NOT IN (SELECT value FROM json_each(?))");
  return {
    note: (what, day) => count.get({ what, day }) ?? 1,
    keepOnly: (what) => void forget.run(JSON.stringify(what)),
    [Symbol.dispose]: () => void db.close(),
  };
}
