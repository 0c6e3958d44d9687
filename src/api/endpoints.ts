/**
 * The API of the upstream as data: endpoints, parameters, shapes of records, faults, errors. The room does no I/O, and imports nothing
 * of ours.
 *
 * An endpoint is one entry in `endpoints/`. The plan of a crawl, the checks of answers, the routes of a mirror, coverage and documents
 * follow from the table below; only the sample has a list of its own.
 *
 * The trap: `text` of an entry claims what changes with the language (`TextRule`). What is claimed not to change is asked for in English
 * alone, and a mirror answers all languages from that. A crawl checks the claim, but only with samples. The source of the entries is the
 * upstream's OpenAPI document; its answers in `test/helpers/captures` tell more than that does.
 */

import type { Endpoint } from "./endpoint.ts";
import { academyEndpoints } from "./endpoints/academy.ts";
import { academyHeroEndpoints } from "./endpoints/academy-hero.ts";
import { heroEndpoints } from "./endpoints/heroes.ts";
import { toolEndpoints } from "./endpoints/tools.ts";

interface EndpointGroup {
  name: string;
  summary: string;
  endpoints: readonly Endpoint[];
}

const GROUPS = [
  { name: "Heroes", summary: "The list of heroes, their rates, and details of each hero", endpoints: heroEndpoints },
  {
    name: "Academy",
    summary: "Lists of the publisher: versions, roles, items, spells, emblems, ranks",
    endpoints: academyEndpoints,
  },
  {
    name: "Academy, by hero",
    summary: "Data of the academy on each hero: lanes, builds, matchups with all heroes",
    endpoints: academyHeroEndpoints,
  },
  { name: "Votes and calculator", summary: "Endpoints without pages", endpoints: toolEndpoints },
] as const;

/** The one table of endpoints, in groups. Routes, validation, crawl plan, coverage, index and documents are derived from it. */
export const ENDPOINT_GROUPS: readonly EndpointGroup[] = GROUPS;

export const ENDPOINTS: readonly Endpoint[] = ENDPOINT_GROUPS.flatMap(({ endpoints }) => endpoints);

/** The same for types: which record each dataset has. */
export type KnownEndpoint = (typeof GROUPS)[number]["endpoints"][number];

const byDataset = new Map(ENDPOINTS.map((entry) => [entry.dataset, entry]));

/** Returns the endpoint of a dataset. Throws if there is none. */
export function endpointOf(dataset: string): Endpoint {
  const endpoint = byDataset.get(dataset);
  if (!endpoint) throw new Error(`no endpoint has the dataset ${dataset}`);
  return endpoint;
}
