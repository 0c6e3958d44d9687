import type SQLite from "better-sqlite3";
import { MAX_BODY_BYTES } from "../../api/request/upstream-request.ts";

/** A record, and all records of a slice: no crawl takes as much (src/crawl/upstream/limits.ts). */
const MAX_RECORD_BYTES = MAX_BODY_BYTES;
const MAX_SLICE_BYTES = 4 * MAX_BODY_BYTES;
/** A text outside the archive. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** The first text that is longer than any honest one. SQLite knows lengths without reading the texts. */
export function findOversized(db: SQLite.Database): string | undefined {
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  for (const table of tables) {
    const columns = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
    const longest = columns.map((column) => `max(octet_length("${column}"))`).join(", ");
    const lengths = db.prepare(`SELECT ${longest} FROM ${table}`).raw().get() as (number | null)[];
    const at = lengths.findIndex((bytes, place) => (bytes ?? 0) > limitOf(table, columns[place]));
    if (at >= 0) return `${table}.${columns[at]} has a value of ${lengths[at]} bytes`;
  }
  const slice = db
    .prepare<[], { name: string; bytes: number }>(
      "SELECT dataset || ' ' || slice AS name, total(octet_length(json)) AS bytes FROM record GROUP BY dataset, slice ORDER BY bytes DESC LIMIT 1",
    )
    .get();
  return slice && slice.bytes > MAX_SLICE_BYTES ? `${slice.name} has ${slice.bytes} bytes` : undefined;
}

const limitOf = (table: string, column: string | undefined) =>
  table === "record" && column === "json" ? MAX_RECORD_BYTES : MAX_TEXT_BYTES;
