import type { Endpoint } from "./endpoint.ts";
import { academyEndpoints } from "./endpoints/academy.ts";
import { academyHeroEndpoints } from "./endpoints/academy-hero.ts";
import { heroEndpoints } from "./endpoints/heroes.ts";
import { toolEndpoints } from "./endpoints/tools.ts";

const TABLE = [...heroEndpoints, ...academyEndpoints, ...academyHeroEndpoints, ...toolEndpoints];

/** The one table of endpoints. Routes, validation, crawl plan, coverage, index and documents are derived from it. */
export const ENDPOINTS: readonly Endpoint[] = TABLE;

/** The same for types: which record each dataset has. */
export type KnownEndpoint = (typeof TABLE)[number];

const byDataset = new Map(ENDPOINTS.map((entry) => [entry.dataset, entry]));

/** Throws where there is none. */
export function endpointOf(dataset: string): Endpoint {
  const found = byDataset.get(dataset);
  if (!found) throw new Error(`no endpoint has the dataset ${dataset}`);
  return found;
}
