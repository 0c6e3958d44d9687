import * as z from "zod";
import type { Wrapping } from "./wrapping.ts";

export interface RecordsPage {
  records: unknown[];
  total: number;
}

/** The envelope of nearly every data endpoint. Other keys (`message`, `traceID`) are noise, whatever they hold. */
export const envelope = z.looseObject({
  code: z.int(),
  data: z.looseObject({ records: z.array(z.unknown()), total: z.int().nonnegative() }),
});
const single = z.looseObject({ code: z.int(), data: z.looseObject({}) });

const one = (record: unknown): RecordsPage => ({ records: [record], total: 1 });

/** Takes the records out of an answer, if it is wrapped as it should be. */
export const ENVELOPES: Record<Wrapping, z.ZodType<RecordsPage>> = {
  pages: envelope.transform(({ data: { records, total } }): RecordsPage => ({ records, total })),
  data: single.transform(({ data }) => one(data)),
  body: z.looseObject({}).transform(one),
};
