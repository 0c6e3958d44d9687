import type SQLite from "better-sqlite3";
import { parseSlice } from "../../api/endpoint.ts";
import { DIMENSIONS, endpointPart, isNamingList, type PartDimension, partId } from "../../api/parts.ts";
import { PAGE_SLOTS } from "../schema.ts";

/** The number of slices that a complete night has of each part, by `partId`. */
export type PlannedCounts = ReadonlyMap<string, number>;

/** The answered slices of an endpoint with one rank, window, lane and language. */
export interface TableCount {
  dataset: string;
  /** Slices with records, and without. */
  filled: number;
  empty: number;
}

/** Each slice has exactly one language: those of an endpoint are counted by it. */
const COUNT_PARTS = `
  SELECT dataset, key AS dimension, value, count(*) AS planned FROM slice, json_each(slice.json)
  WHERE purpose <> 'proof' AND key IN (${DIMENSIONS.map((name) => `'${name}'`).join(", ")})
  GROUP BY dataset, key, value`;

export function countPlanned(db: SQLite.Database): PlannedCounts {
  const rows = db
    .prepare<[], { dataset: string; dimension: PartDimension; value: string | number; planned: number }>(COUNT_PARTS)
    .all();
  const counts = new Map<string, number>();
  const add = (id: string, count: number) => counts.set(id, (counts.get(id) ?? 0) + count);
  for (const { dataset, dimension, value, planned } of rows) {
    // The English list of an endpoint belongs to no part, and is its only slice in English.
    if (dimension === "lang" && isNamingList(parseSlice(dataset, `lang=${value}`))) continue;
    add(partId({ dataset, dimension, value: String(value) }), planned);
    add(partId({ dataset: "", dimension, value: String(value) }), planned);
    if (dimension === "lang") add(partId(endpointPart(dataset)), planned);
  }
  return counts;
}

const COUNT_TABLES = `
  SELECT dataset, sum(records > 0) AS filled, sum(records = 0) AS empty FROM (
    SELECT dataset, json ->> 'rank' AS rank, json ->> 'days' AS days, json ->> 'lane' AS lane, json ->> 'lang' AS lang,
           facts ->> 'records' AS records
    FROM slice JOIN answer ON slice_id = answer_key / ${PAGE_SLOTS} WHERE purpose = 'answer' AND facts IS NOT NULL)
  GROUP BY dataset, rank, days, lane, lang`;

export const countTables = (db: SQLite.Database): TableCount[] => db.prepare<[], TableCount>(COUNT_TABLES).all();
