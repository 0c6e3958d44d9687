/**
 * A part of a text: characters, or their UTF-8 if that is ready. An answer with a few words in Thai is encoded three times as fast in
 * chunks as in one string, which the words would make one of wide characters.
 */
export type Chunk = string | Buffer;

/**
 * How an answer wraps its records: in pages (`data.records` of `data.total`), or `data` is the one record, or the whole
 * body is.
 */
export type Wrapping = "pages" | "data" | "body";

/** The path of the records in an answer, for SQLite. */
export const RECORDS_AT: Record<Wrapping, string> = { pages: "$.data.records", data: "$.data", body: "$" };

/** Takes the records out of an answer whose wrapping was checked when it came. Throws if it was not. */
export function unwrap(wrapping: Wrapping | undefined, body: unknown): unknown[] {
  if (wrapping === "body") return [body];
  const { data } = body as { data: { records: unknown[] } };
  if (wrapping === "data") return [data];
  if (!Array.isArray(data.records)) throw new Error("a body without records");
  return data.records;
}

/** Returns the number of records that all pages of such an answer have together. */
export const totalOf = (wrapping: Wrapping | undefined, body: unknown): number =>
  wrapping === undefined || wrapping === "pages" ? (body as { data: { total: number } }).data.total : 1;

/** The body of an answer, from its records. */
export function wrap(wrapping: Wrapping, records: readonly (readonly Chunk[])[], total: number): Chunk[] {
  if (wrapping === "body") return [...(records[0] ?? ["{}"])];
  if (wrapping === "data") return ['{"code":0,"message":"Success","data":', ...(records[0] ?? []), "}"];
  const chunks: Chunk[] = ['{"code":0,"message":"OK","data":{"records":['];
  for (const [index, record] of records.entries()) {
    if (index > 0) chunks.push(",");
    chunks.push(...record);
  }
  chunks.push(`],"total":${total}}}`);
  return chunks;
}

/** Bodies are put together here, so that their chunks need not be measured first: that takes as long as writing them. */
const draft = Buffer.allocUnsafeSlow(1024 * 1024);

/** The UTF-8 of all chunks, one after another. */
export function joinChunks(chunks: readonly Chunk[]): Buffer {
  let most = 0;
  for (const chunk of chunks) most += typeof chunk === "string" ? 3 * chunk.length : chunk.length;
  const joined = most <= draft.length ? draft : Buffer.allocUnsafeSlow(most);
  let size = 0;
  for (const chunk of chunks) {
    if (typeof chunk === "string") size += joined.write(chunk, size);
    else {
      joined.set(chunk, size);
      size += chunk.length;
    }
  }
  // Not from a pool, all of which would be kept with the part that is kept.
  const bytes = Buffer.allocUnsafeSlow(size);
  bytes.set(joined.subarray(0, size));
  return bytes;
}
