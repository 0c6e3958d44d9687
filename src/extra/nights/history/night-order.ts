import type SQLite from "better-sqlite3";
import { isLater } from "../../../snapshot/published/sequence.ts";
import { CARRIED_SLICES } from "./carried.ts";
import { HISTORY_TABLES } from "./tables.ts";

/** The position of a night among others: by its publication number, or by its name if it has none. */
export interface NightSequence {
  version: string;
  sequence: number | null;
}

export const countNights = (db: SQLite.Database): number =>
  db.prepare<[], number>("SELECT count(*) FROM night").pluck().get() ?? 0;

/** The id for a new night; the ids of later nights are increased by one. */
export function insertNightId(db: SQLite.Database, added: NightSequence): number {
  const nights = db.prepare<[], NightSequence>("SELECT version, sequence FROM night ORDER BY night_id").all();
  const night = insertionIndex(nights, added) + 1;
  if (night > nights.length) return night;
  // Via negative ids: a single UPDATE could collide with a row that has not moved yet.
  const move = (table: string, column: string) => {
    db.prepare(`UPDATE ${table} SET ${column} = -${column} - 1 WHERE ${column} >= ?`).run(night);
    db.exec(`UPDATE ${table} SET ${column} = -${column} WHERE ${column} < 0`);
  };
  move("night", "night_id");
  move("failed_slice_fact", "night_id");
  for (const { versionTable } of [CARRIED_SLICES, ...HISTORY_TABLES]) {
    move(versionTable, "from_night");
    move(versionTable, "to_night");
  }
  return night;
}

/** Sorts nights by publication, so that few have to be inserted between others. */
export function sortByPublication<T extends NightSequence>(nights: readonly T[]): T[] {
  const sorted: T[] = [];
  for (const night of nights) sorted.splice(insertionIndex(sorted, night), 0, night);
  return sorted;
}

/** Finds the place to insert a night: after all that are known to be published earlier, then before the first that is later. */
function insertionIndex(nights: readonly NightSequence[], night: NightSequence): number {
  const first = nights.findLastIndex((other) => areNumbered(other, night) && isLater(night, other)) + 1;
  const after = nights.findIndex((other, index) => index >= first && isLater(other, night));
  return after === -1 ? nights.length : after;
}

const areNumbered = (a: NightSequence, b: NightSequence) => a.sequence !== null && b.sequence !== null;
