import type { Endpoint } from "../../api/endpoint.ts";

/** Other names are not told: a header has only what is harmless in it. */
const HARMLESS_NAME = /^[A-Za-z0-9_.-]{1,40}$/;
const MOST_NAMED = 8;

/** A header that names the parameters of a query that an endpoint does not have; undefined if it has all of them. */
export function ignoredParameters(
  { parameters }: Endpoint,
  query: URLSearchParams,
): Record<string, string> | undefined {
  if (query.size === 0) return undefined;
  const names = new Set(query.keys());
  for (const { name } of parameters) names.delete(name);
  const told = [...names].filter((name) => HARMLESS_NAME.test(name)).slice(0, MOST_NAMED);
  return told.length > 0 ? { "x-ignored-parameters": told.join(", ") } : undefined;
}
