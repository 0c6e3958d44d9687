import { type Endpoint, isHeroEndpoint, parameterFor, type Slice } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../api/languages.ts";
import type { Rank } from "../api/ranks.ts";
import type { Selection } from "../api/selection.ts";

/** Records asked for at once: the whole roster in one answer, so that a list is of one moment. */
export const PAGE_SIZE = 200;

/**
 * Every slice of a selection, each number once: in all languages only where the texts differ. Heroes come innermost, so
 * that the slices of one batch are asked close together in time.
 */
export function planSlices(selection: Selection, heroes: readonly number[]): Slice[] {
  return selected(selection).flatMap((endpoint) => slicesOf(endpoint, selection, heroes));
}

/** The hero list is always part of a crawl: names and languages of everything else come from it. */
function selected(selection: Selection): Endpoint[] {
  return ENDPOINTS.filter(({ dataset }) => dataset === "heroes" || selection.endpoints.includes(dataset));
}

function slicesOf(endpoint: Endpoint, selection: Selection, heroes: readonly number[]): Slice[] {
  const languages: readonly Lang[] = endpoint.text === "all" ? selection.languages : [BASE_LANG];
  const ranks = choices(endpoint, "rank", selection.ranks) as (Rank | undefined)[];
  const windows = choices(endpoint, "days", selection.days);
  const subjects = isHeroEndpoint(endpoint) ? heroes : [undefined];
  return languages.flatMap((lang) =>
    ranks.flatMap((rank) =>
      windows.flatMap((days) =>
        subjects.map((hero) => ({
          dataset: endpoint.dataset,
          ...(hero !== undefined && { hero }),
          ...(rank !== undefined && { rank }),
          ...(days !== undefined && { days }),
          lang,
        })),
      ),
    ),
  );
}

function choices(endpoint: Endpoint, dimension: "rank" | "days", wanted: readonly string[]) {
  const parameter = parameterFor(endpoint, dimension);
  if (parameter?.kind !== "choice") return [undefined];
  return parameter.values.filter((value) => wanted.includes(value));
}

/** The URL path of one page of a slice. */
export function slicePath(endpoint: Endpoint, slice: Slice, page: number, size = PAGE_SIZE): string {
  const query = new URLSearchParams();
  for (const dimension of ["rank", "days"] as const) {
    const parameter = parameterFor(endpoint, dimension);
    const value = slice[dimension];
    if (parameter && value !== undefined) query.set(parameter.name, value);
  }
  query.set("size", String(size));
  query.set("index", String(page));
  query.set("lang", slice.lang);
  return `${endpoint.path.replace("{hero_identifier}", String(slice.hero))}?${query}`;
}

/** The slices of these datasets in all languages. */
export function widen(slices: readonly Slice[], datasets: readonly string[], languages: readonly Lang[]): Slice[] {
  return slices
    .filter(({ dataset }) => datasets.includes(dataset))
    .flatMap((slice) => languages.map((lang): Slice => ({ ...slice, lang })));
}

/** Requests by endpoint path, as far as they can be told from the roster. */
export function countRequests(slices: readonly Slice[], roster: number): Record<string, number> {
  const pages = Math.max(1, Math.ceil(roster / PAGE_SIZE));
  const counts: Record<string, number> = {};
  for (const endpoint of ENDPOINTS) {
    const asked = slices.filter((slice) => slice.dataset === endpoint.dataset).length;
    // One more for the roster, whose size is asked again at the end.
    const again = endpoint.dataset === "heroes" ? 1 : 0;
    if (asked > 0) counts[endpoint.path] = asked * (isHeroEndpoint(endpoint) ? 1 : pages) + again;
  }
  return counts;
}
