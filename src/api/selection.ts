import * as z from "zod";
import { type Endpoint, isAsked, requiredDatasets } from "./endpoint.ts";
import { ENDPOINTS, endpointOf } from "./endpoints.ts";
import { DAY_WINDOWS, LANG_CODES, RANK_CODES } from "./enumerations.ts";

/** The data that a crawl asks for. `heroes` holds ids or names; null means the whole roster. */
export const selectionSchema = z.strictObject({
  languages: z.array(z.enum(LANG_CODES)),
  ranks: z.array(z.enum(RANK_CODES)),
  days: z.array(z.enum(DAY_WINDOWS)),
  heroes: z.array(z.string()).nullable(),
  endpoints: z.array(z.string()),
});

export type Selection = z.infer<typeof selectionSchema>;

export const FULL_SELECTION: Selection = {
  languages: [...LANG_CODES],
  ranks: [...RANK_CODES],
  days: [...DAY_WINDOWS],
  heroes: null,
  endpoints: ENDPOINTS.map((endpoint) => endpoint.dataset),
};

/** Only a whole crawl may become the latest snapshot. */
export const isFullSelection = (selection: Selection) => JSON.stringify(selection) === JSON.stringify(FULL_SELECTION);

/**
 * Returns the endpoints that a selection asks, with what they need. The hero list is always part of a crawl: names and languages of
 * everything else come from it.
 */
export function selectEndpoints({ endpoints }: Selection): Endpoint[] {
  const wanted = new Set(["heroes", ...endpoints]);
  // A set that grows during iteration also yields what was added.
  for (const dataset of wanted) for (const needed of requiredDatasets(endpointOf(dataset))) wanted.add(needed);
  return ENDPOINTS.filter((endpoint) => wanted.has(endpoint.dataset) && isAsked(endpoint));
}
