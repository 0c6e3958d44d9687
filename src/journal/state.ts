import * as z from "zod";
import { LANG_CODES } from "../api/enumerations.ts";

const comparison = z.object({
  dataset: z.string(),
  slice: z.string(),
  lang: z.enum(LANG_CODES),
  /** Path of the first difference after localisation; null when there is none. */
  difference: z.string().nullable(),
});

/** An answer in another language, compared with what is served in its place. */
export type LanguageComparison = z.infer<typeof comparison>;

/**
 * What a journal remembers besides answers, from one run to the next and from the crawl to the build. The names are in the
 * file: another name is another journal version.
 */
export const STATE = {
  /** Ids of the heroes that the plan was made for. */
  roster: z.array(z.number()),
  /** The rate limiter's (rate-limiter.ts). */
  pace: z.object({ rate: z.number(), concurrency: z.number(), resumeAt: z.number() }),
  /** Which slices are drawn for the language check. */
  proof_seed: z.string(),
  /** The result of the language check. */
  proof: z.array(comparison),
};

export type State = { [Name in keyof typeof STATE]: z.infer<(typeof STATE)[Name]> };
