import * as z from "zod";

/**
 * How an answer wraps its records: in pages (`data.records` of `data.total`), or `data` is the one record, or the whole
 * body is.
 */
export type Wrapping = "pages" | "data" | "body";

export interface Page {
  records: unknown[];
  total: number;
}

/** What nearly every data endpoint answers with. Other keys (`traceID`) are noise. */
export const envelope = z.looseObject({
  code: z.int(),
  message: z.string().optional(),
  data: z.looseObject({ records: z.array(z.unknown()), total: z.int().nonnegative() }),
});
const single = z.looseObject({ code: z.int(), message: z.string().optional(), data: z.looseObject({}) });

const one = (record: unknown): Page => ({ records: [record], total: 1 });

/** Takes the records out of an answer, if it is wrapped as it should be. */
export const WRAPPINGS: Record<Wrapping, z.ZodType<Page>> = {
  pages: envelope.transform(({ data: { records, total } }): Page => ({ records, total })),
  data: single.transform(({ data }) => one(data)),
  body: z.looseObject({}).transform(one),
};

/** The path of the records in an answer, for SQLite. */
export const RECORDS_AT: Record<Wrapping, string> = { pages: "$.data.records", data: "$.data", body: "$" };

/** The body of an answer, from the texts of its records. */
export function wrap(wrapping: Wrapping, records: readonly string[], total: number): string {
  if (wrapping === "pages")
    return `{"code":0,"message":"OK","data":{"records":[${records.join(",")}],"total":${total}}}`;
  return wrapping === "body" ? (records[0] ?? "{}") : `{"code":0,"message":"Success","data":${records[0]}}`;
}
