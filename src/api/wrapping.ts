/**
 * How an answer wraps its records: in pages (`data.records` of `data.total`), or `data` is the one record, or the whole
 * body is. Apart from the shapes of envelopes, which take longer to load than a server may take to start.
 */
export type Wrapping = "pages" | "data" | "body";

/** The path of the records in an answer, for SQLite. */
export const RECORDS_AT: Record<Wrapping, string> = { pages: "$.data.records", data: "$.data", body: "$" };

/** The records of an answer whose envelope was looked at before. */
export function unwrap(wrapping: Wrapping, body: unknown): unknown[] {
  if (wrapping === "body") return [body];
  const { data } = body as { data: unknown };
  return wrapping === "data" ? [data] : (data as { records: unknown[] }).records;
}

/** The body of an answer, from the texts of its records. */
export function wrap(wrapping: Wrapping, records: readonly string[], total: number): string {
  if (wrapping === "pages")
    return `{"code":0,"message":"OK","data":{"records":[${records.join(",")}],"total":${total}}}`;
  return wrapping === "body" ? (records[0] ?? "{}") : `{"code":0,"message":"Success","data":${records[0]}}`;
}
