import * as z from "zod";

/** What every data endpoint answers with. Other keys (`traceID`) are noise. */
export const envelope = z.looseObject({
  code: z.int(),
  message: z.string().optional(),
  data: z.looseObject({ records: z.array(z.unknown()), total: z.int().nonnegative() }),
});
