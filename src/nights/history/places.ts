import type SQLite from "better-sqlite3";
import { isLater } from "../../snapshot/published/sequence.ts";
import { HISTORY_TABLES } from "./tables.ts";

/** What says where a night stands among others: its publication, or its name where that is not known. */
export interface Place {
  version: string;
  sequence: number | null;
}

export const countNights = (db: SQLite.Database): number =>
  db.prepare<[], number>("SELECT count(*) FROM night").pluck().get() ?? 0;

/** The number that a night gets; those of later nights are moved on by one. */
export function makeRoom(db: SQLite.Database, place: Place): number {
  const nights = db.prepare<[], Place>("SELECT version, sequence FROM night ORDER BY night_id").all();
  const night = findPlace(nights, place) + 1;
  if (night > nights.length) return night;
  // By way of numbers that nobody has: within one statement a row may take the place of one that has not moved yet.
  const move = (table: string, column: string) => {
    db.prepare(`UPDATE ${table} SET ${column} = -${column} - 1 WHERE ${column} >= ?`).run(night);
    db.exec(`UPDATE ${table} SET ${column} = -${column} WHERE ${column} < 0`);
  };
  move("night", "night_id");
  move("failed_slice", "night_id");
  for (const { fact } of HISTORY_TABLES) {
    move(fact, "from_night");
    move(fact, "to_night");
  }
  return night;
}

/** In the order in which they stand, so that few have to be put between others. */
export function sortByPlace<T extends Place>(nights: readonly T[]): T[] {
  const sorted: T[] = [];
  for (const night of nights) sorted.splice(findPlace(sorted, night), 0, night);
  return sorted;
}

/** How many stand before it: behind what was published before it, and before the first that was published after it. */
function findPlace(nights: readonly Place[], place: Place): number {
  const first = nights.findLastIndex((other) => isNumbered(other, place) && isLater(place, other)) + 1;
  const after = nights.findIndex((other, at) => at >= first && isLater(other, place));
  return after === -1 ? nights.length : after;
}

const isNumbered = (a: Place, b: Place) => a.sequence !== null && b.sequence !== null;
