import type SQLite from "better-sqlite3";
import { SQL } from "./queries.ts";

/** Where the records of one slice lie: in so many rows on end, in their order. */
export interface Place {
  first: number;
  count: number;
}

/**
 * Where every slice lies. Finding a row by its number takes half the time of finding it by dataset, slice and position.
 * Slices whose rows do not lie on end in their order are left out.
 */
export function readPlaces(db: SQLite.Database): Map<string, Place> {
  const rows = db.prepare<[], [string, string, number, number, number]>(SQL.places).raw().all();
  const places = new Map<string, Place>();
  for (const [dataset, slice, first, last, count] of rows)
    if (first === last) places.set(placeKey(dataset, slice), { first, count });
  return places;
}

export const placeKey = (dataset: string, slice: string) => `${dataset}?${slice}`;
