import { namingListOf, type Slice } from "./endpoint.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { BASE_LANG } from "./enumerations.ts";
import { HERO_IDENTIFIER } from "./request/path-parameter.ts";

/** The parameters that the slices of a part may have in common. */
export const DIMENSIONS = ["lang", "rank", "days", "lane", "hero"] as const;
export type PartDimension = (typeof DIMENSIONS)[number];

/**
 * Slices that may be missing together: all of an endpoint (then `dimension` and `value` are empty), those of an endpoint with one value
 * of a parameter, or those of all endpoints with it (then `dataset` is empty).
 */
export interface Part {
  dataset: string;
  dimension: PartDimension | "";
  value: string;
}

/** The fewest slices that make a part; fewer having a value in common says nothing. */
export const LEAST_OF_A_PART = 3;

/** The lists whose English slice determines what the other endpoints are asked for. */
const NAMING = new Set([HERO_IDENTIFIER.list, ...ENDPOINTS.flatMap((endpoint) => namingListOf(endpoint) ?? [])]);

/**
 * Tells whether a slice is an English list of heroes, or of the words in paths. They belong to no part: without them nobody knows which
 * slices are missing.
 */
export const isNamingList = ({ dataset, lang }: Slice): boolean => lang === BASE_LANG && NAMING.has(dataset);

export const endpointPart = (dataset: string): Part => ({ dataset, dimension: "", value: "" });

export const partId = ({ dataset, dimension, value }: Part): string => `${dataset} ${dimension} ${value}`;

/**
 * Recognises English across endpoints, which is no part: most endpoints are asked in English alone, so it says nothing of what their slices
 * have in common.
 */
const isOfAllInEnglish = ({ dataset, dimension, value }: Part): boolean =>
  dataset === "" && dimension === "lang" && value === BASE_LANG;

/** Returns all parts that a slice belongs to. */
export function partsOf(slice: Slice): Part[] {
  if (isNamingList(slice)) return [];
  const { dataset } = slice;
  const parts = [endpointPart(dataset)];
  for (const dimension of DIMENSIONS) {
    if (slice[dimension] === undefined) continue;
    const value = String(slice[dimension]);
    parts.push({ dataset, dimension, value }, { dataset: "", dimension, value });
  }
  return parts.filter((part) => !isOfAllInEnglish(part));
}

export function isInPart(part: Part, slice: Slice): boolean {
  const { dataset, dimension, value } = part;
  if (isNamingList(slice) || isOfAllInEnglish(part) || (dataset !== "" && dataset !== slice.dataset)) return false;
  return dimension === "" || String(slice[dimension]) === value;
}

/** Tells whether all slices of a part belong to another one, too. */
export const isWithin = (part: Part, outer: Part): boolean =>
  (outer.dataset === "" || outer.dataset === part.dataset) &&
  (outer.dimension === "" || (outer.dimension === part.dimension && outer.value === part.value));

/** The parameters that tell slices apart. */
export const SELECTING = ["dataset", ...DIMENSIONS, "subject"] as const;

/** A part of which nothing, or nearly nothing, could be had. */
export interface ClosedPart extends Part {
  /** Start of the crawl of the night since which it is closed, ISO 8601 in UTC. */
  since: string;
  /** Version of that night; null stands for the night in the making, which has no name before its data is complete. */
  since_version: string | null;
  /** The fault that most of its slices ended with (faults.ts). */
  reason: string;
  /** The HTTP status and the service's own code, if the fault came with them. */
  status: number | null;
  code: string | null;
}

/** `200, code 10407`, `422`, or a reason. */
export function describeFault({ reason, status, code }: Pick<ClosedPart, "reason" | "status" | "code">): string {
  if (status === null) return reason;
  return code === null ? String(status) : `${status}, code ${code}`;
}

/** `ratings`, `lang km`, or `rank glory in counters`. */
export function describePart({ dataset, dimension, value }: Part): string {
  if (dimension === "") return dataset;
  return dataset === "" ? `${dimension} ${value}` : `${dimension} ${value} in ${dataset}`;
}

/** Describes the parts in one line, those that end alike together: `ratings, rating: 200, code 10407` and `lang km: 422`. */
export const describeClosed = (
  parts: readonly (Part & Pick<ClosedPart, "reason" | "status" | "code">)[],
  more: (part: Part) => string = () => "",
): string[] =>
  [
    ...Map.groupBy(parts, (part) => `${part.dimension === "" ? "" : partId(part)} ${describeFault(part)}${more(part)}`),
  ].map(([, alike]) => {
    const [first] = alike;
    return first ? `${alike.map(describePart).join(", ")}: ${describeFault(first)}${more(first)}` : "";
  });

export const ENDPOINT_STATES = ["open", "closed", "left-out"] as const;

/** The state of an endpoint in a night. */
export interface EndpointState {
  dataset: string;
  state: (typeof ENDPOINT_STATES)[number];
  /** Start of the crawl of the night in which it was first in this state, ISO 8601 in UTC. */
  since: string;
  /** 1: the upstream's own document marks it as deprecated; null: that document was never read. */
  deprecated: number | null;
}
