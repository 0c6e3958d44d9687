import type { Endpoint } from "./endpoint.ts";
import { academyEndpoints } from "./endpoints/academy.ts";
import { academyHeroEndpoints } from "./endpoints/academy-hero.ts";
import { heroEndpoints } from "./endpoints/heroes.ts";
import { toolEndpoints } from "./endpoints/tools.ts";

/** The one table of endpoints. Routes, validation, crawl plan, coverage, index and documents are derived from it. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...heroEndpoints,
  ...academyEndpoints,
  ...academyHeroEndpoints,
  ...toolEndpoints,
];

const byDataset = new Map(ENDPOINTS.map((entry) => [entry.dataset, entry]));

export function endpointOf(dataset: string): Endpoint {
  const found = byDataset.get(dataset);
  if (!found) throw new Error(`no endpoint has the dataset ${dataset}`);
  return found;
}
