import { type Endpoint, isAsked, isListEndpoint, parameterFor, type Slice } from "../endpoint.ts";
import { BASE_LANG } from "../enumerations.ts";
import { isDefault } from "./parameters.ts";

/** The order in which a path names values that are not the default. No dimension has a value of another one. */
const DIMENSIONS = ["lane", "rank", "days"] as const;

/** The parameters that select a slice besides the one in the path. */
export type Variant = Pick<Slice, (typeof DIMENSIONS)[number] | "lang">;

/** Tells whether an endpoint has files: those that are computed or read from the records of another endpoint have none. */
export const hasFiles = (endpoint: Endpoint): boolean => isAsked(endpoint);

/** Tells whether each language has its own files: if all texts of an endpoint are in that language, or if its lists show names. */
export const hasFilesByLang = (endpoint: Endpoint): boolean =>
  endpoint.text === "all" || (endpoint.text !== "none" && isListEndpoint(endpoint));

/**
 * Returns the path of a complete answer's file below `/api`: the path of the endpoint, then lane, rank and days if they are not the
 * default. Languages other than the base language have a folder each. `named`: the value of the path parameter; without it the path is a
 * template.
 */
export function toFilePath(endpoint: Endpoint, variant: Variant, named?: number | string): string {
  const path = endpoint.path.slice(1).replace(/\{\w+\}/, (template) => String(named ?? template));
  const chosen = DIMENSIONS.flatMap((dimension) => {
    const parameter = parameterFor(endpoint, dimension);
    const value = variant[dimension];
    return !parameter || isDefault(parameter, value) ? [] : [`/${value}`];
  });
  return `${variant.lang === BASE_LANG ? "" : `${variant.lang}/`}${path}${chosen.join("")}.json`;
}

/** Describes for people what follows the path of an endpoint; undefined if it has no files. */
export function describeFileEnding(endpoint: Endpoint): string | undefined {
  if (!hasFiles(endpoint)) return undefined;
  const dimensions = DIMENSIONS.filter((dimension) => parameterFor(endpoint, dimension));
  return `${dimensions.map((dimension) => `/{${dimension}}`).join("")}.json`;
}
