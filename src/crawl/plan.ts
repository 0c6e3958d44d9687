import { type Endpoint, isPaged, parameterFor, type Slice } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import type { Rank } from "../api/enumerations.ts";
import { BASE_LANG, LANE_CODES, type Lang } from "../api/enumerations.ts";
import { type Selection, selectEndpoints } from "../api/selection.ts";
import { PAGE_SIZE } from "./ask/page-size.ts";

/** The targets that paths name: heroes by id, and by dataset the subjects that another list names, undefined if nobody has that list. */
export interface Targets {
  /** Ids of all heroes that the upstream lists. */
  roster: readonly number[];
  /** Ids of the heroes that are asked for. */
  heroes: readonly number[];
  subjects: ReadonlyMap<string, readonly string[] | undefined>;
}

/**
 * Plans every slice of a selection, equal numbers once: in all languages only if the texts differ. Heroes vary fastest, so that the slices
 * of one batch are asked close together in time.
 */
export function planSlices(selection: Selection, targets: Omit<Targets, "roster">): Slice[] {
  return selectEndpoints(selection).flatMap((endpoint) => slicesOf(endpoint, selection, targets));
}

function slicesOf(endpoint: Endpoint, selection: Selection, targets: Omit<Targets, "roster">): Slice[] {
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
  { heroes, subjects }: Omit<Targets, "roster">,
): Pick<Slice, "hero" | "subject">[] {
  if (identifier?.kind === "hero") return heroes.map((hero) => ({ hero }));
  if (identifier?.kind === "word") return subjects.get(dataset)?.map((subject) => ({ subject })) ?? [];
  return [{}];
}

function choices(endpoint: Endpoint, dimension: "lane" | "rank" | "days", wanted: readonly string[]) {
  const parameter = parameterFor(endpoint, dimension);
  if (parameter?.kind !== "choice") return [undefined];
  return parameter.values.filter((value) => wanted.includes(value));
}

/** Makes the URL path of one page of a slice. */
export function slicePath(endpoint: Endpoint, slice: Slice, page: number, size: number): string {
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

/** Returns the slices in all languages. */
export function widen(slices: readonly Slice[], languages: readonly Lang[]): Slice[] {
  return slices.flatMap((slice) => languages.map((lang): Slice => ({ ...slice, lang })));
}

/** Counts requests by endpoint path, as far as the roster tells. */
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
