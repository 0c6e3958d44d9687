import type { Chunk } from "./chunks.ts";

/**
 * How an answer wraps its records: in pages (`data.records` of `data.total`), or `data` is the one record, or the whole
 * body is.
 */
export type Wrapping = "pages" | "data" | "body";

/** The path of the records in an answer, for SQLite. */
export const RECORDS_AT: Record<Wrapping, string> = { pages: "$.data.records", data: "$.data", body: "$" };

/** The records of an answer whose wrapping was looked at when it came. Throws where that is not so. */
export function unwrap(wrapping: Wrapping | undefined, body: unknown): unknown[] {
  if (wrapping === "body") return [body];
  const { data } = body as { data: { records: unknown[] } };
  if (wrapping === "data") return [data];
  if (!Array.isArray(data.records)) throw new Error("a body without records");
  return data.records;
}

/** How many records all pages of such an answer have together. */
export const totalOf = (wrapping: Wrapping | undefined, body: unknown): number =>
  wrapping === undefined || wrapping === "pages" ? (body as { data: { total: number } }).data.total : 1;

/** The body of an answer, from its records. */
export function wrap(wrapping: Wrapping, records: readonly (readonly Chunk[])[], total: number): Chunk[] {
  if (wrapping === "body") return [...(records[0] ?? ["{}"])];
  if (wrapping === "data") return ['{"code":0,"message":"Success","data":', ...(records[0] ?? []), "}"];
  const pieces: Chunk[] = ['{"code":0,"message":"OK","data":{"records":['];
  for (const [at, record] of records.entries()) {
    if (at > 0) pieces.push(",");
    pieces.push(...record);
  }
  pieces.push(`],"total":${total}}}`);
  return pieces;
}
