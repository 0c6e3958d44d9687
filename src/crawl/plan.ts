import { type Endpoint, isAsked, isPaged, parameterFor, requiredDatasets, type Slice } from "../api/endpoint.ts";
import { ENDPOINTS, endpointOf } from "../api/endpoints.ts";
import type { Rank } from "../api/enumerations.ts";
import { BASE_LANG, LANE_CODES, type Lang } from "../api/enumerations.ts";
import type { Selection } from "../api/selection.ts";

/** Records asked for at once: the whole roster in one answer, so that a list is of one moment. */
const PAGE_SIZE = 200;

/** What paths name: heroes by id, and by dataset the subjects that another list names; undefined if nobody has that list. */
export interface Targets {
  heroes: readonly number[];
  subjects: ReadonlyMap<string, readonly string[] | undefined>;
}

/**
 * Every slice of a selection, each number once: in all languages only if the texts differ. Heroes come innermost, so
 * that the slices of one batch are asked close together in time.
 */
export function planSlices(selection: Selection, targets: Targets): Slice[] {
  return selectEndpoints(selection).flatMap((endpoint) => slicesOf(endpoint, selection, targets));
}

/**
 * The endpoints that a selection asks, with what they need: the hero list is always part of a crawl, names and languages
 * of everything else come from it.
 */
export function selectEndpoints({ endpoints }: Selection): Endpoint[] {
  const wanted = new Set(["heroes", ...endpoints]);
  // A set that grows while it is walked also gives what was added.
  for (const dataset of wanted) for (const needed of requiredDatasets(endpointOf(dataset))) wanted.add(needed);
  return ENDPOINTS.filter((endpoint) => wanted.has(endpoint.dataset) && isAsked(endpoint));
}

function slicesOf(endpoint: Endpoint, selection: Selection, targets: Targets): Slice[] {
  const languages: readonly Lang[] = endpoint.text === "all" ? selection.languages : [BASE_LANG];
  const lanes = choices(endpoint, "lane", LANE_CODES);
  const ranks = choices(endpoint, "rank", selection.ranks) as (Rank | undefined)[];
  const windows = choices(endpoint, "days", selection.days);
  const named = targetsOf(endpoint, targets);
  return languages.flatMap((lang) =>
    lanes.flatMap((lane) =>
      ranks.flatMap((rank) =>
        windows.flatMap((days) =>
          named.map((one) => ({
            dataset: endpoint.dataset,
            ...one,
            ...(lane !== undefined && { lane }),
            ...(rank !== undefined && { rank }),
            ...(days !== undefined && { days }),
            lang,
          })),
        ),
      ),
    ),
  );
}

function targetsOf(
  { dataset, identifier }: Endpoint,
  { heroes, subjects }: Targets,
): Pick<Slice, "hero" | "subject">[] {
  if (identifier?.kind === "hero") return heroes.map((hero) => ({ hero }));
  if (identifier?.kind === "word") return subjects.get(dataset)?.map((subject) => ({ subject })) ?? [{}];
  return [{}];
}

function choices(endpoint: Endpoint, dimension: "lane" | "rank" | "days", wanted: readonly string[]) {
  const parameter = parameterFor(endpoint, dimension);
  if (parameter?.kind !== "choice") return [undefined];
  return parameter.values.filter((value) => wanted.includes(value));
}

/** The URL path of one page of a slice. */
export function slicePath(endpoint: Endpoint, slice: Slice, page: number, size = PAGE_SIZE): string {
  const query = new URLSearchParams();
  for (const dimension of ["lane", "rank", "days"] as const) {
    const parameter = parameterFor(endpoint, dimension);
    const value = slice[dimension];
    if (parameter && value !== undefined) query.set(parameter.name, value);
  }
  if (isPaged(endpoint)) {
    query.set("size", String(size));
    query.set("index", String(page));
  }
  query.set("lang", slice.lang);
  return `${endpoint.path.replace(/\{\w+\}/, encodeURIComponent(slice.hero ?? slice.subject ?? ""))}?${query}`;
}

/** The slices in all languages. */
export function widen(slices: readonly Slice[], languages: readonly Lang[]): Slice[] {
  return slices.flatMap((slice) => languages.map((lang): Slice => ({ ...slice, lang })));
}

/** Requests by endpoint path, as far as they can be told from the roster. */
export function countRequests(slices: readonly Slice[], roster: number): Record<string, number> {
  const pages = Math.max(1, Math.ceil(roster / PAGE_SIZE));
  const counts: Record<string, number> = {};
  for (const endpoint of ENDPOINTS) {
    const asked = slices.filter((slice) => slice.dataset === endpoint.dataset).length;
    // One more for the roster, whose size is asked again at the end.
    const again = endpoint.dataset === "heroes" ? 1 : 0;
    if (asked > 0) counts[endpoint.path] = asked * (endpoint.ofHeroes ? pages : 1) + again;
  }
  return counts;
}
