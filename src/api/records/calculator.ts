import * as z from "zod";

export const calculatorAnswer = z
  .looseObject({
    status: z.literal("success"),
    match_now: z.int(),
    wr_now: z.number(),
    wr_future: z.number(),
    required_no_lose_matches: z.int(),
    message: z.string(),
  })
  .meta({ id: "WinRateCalculation", description: "Number of wins in a row that are needed to reach a win rate." });
