import { ENDPOINTS } from "../../api/endpoints.ts";
import { ApiError } from "../../api/errors.ts";
import { PINNED_ROUTE, type RouteEntry } from "./document.ts";
import { DOCUMENTS } from "./documents.ts";

const METHODS = { GET: "GET, HEAD, OPTIONS", POST: "POST, OPTIONS" };

const API = [
  ...DOCUMENTS.filter(({ group }) => group === "api"),
  ...ENDPOINTS.map(({ path }) => ({ route: path, method: "GET" as const })),
];

const PATTERNS = [
  ...API,
  ...DOCUMENTS.filter(({ group }) => group !== "api"),
  ...API.map(({ route, method }) => ({ route: PINNED_ROUTE + route, method })),
].map(toKnown);

export interface UnmatchedRequest {
  error: ApiError;
  /** Where the path is known, and the methods that it answers. */
  route?: string;
  allowed?: string;
}

/** A path that is answered, with the methods that it answers. */
export interface KnownRoute {
  route: string;
  pattern: RegExp;
  allowed: string;
}

/**
 * What to answer to a request that no route takes: 405 where the path is known, otherwise 404. `more` are routes besides those
 * of the tables.
 */
export function unmatched(method: string, pathname: string, more: readonly KnownRoute[] = []): UnmatchedRequest {
  const known = [...PATTERNS, ...more].find(({ pattern }) => pattern.test(pathname));
  const detail = `${method} ${pathname}`.slice(0, 200);
  if (known) {
    const { route, allowed } = known;
    const explanation = { message: "This endpoint does not answer that method.", hint: `Use ${allowed}.`, detail };
    return { route, allowed, error: new ApiError("METHOD_NOT_ALLOWED", explanation, { allow: allowed }) };
  }
  const hint = /^\/api\/(user|region|addon|academy\/recommended)(\/|$)/.test(pathname)
    ? "Player data, regions and tools are not mirrored; ask the upstream. GET /api/ lists what is here."
    : "GET /api/ lists every endpoint.";
  return { error: new ApiError("RESOURCE_NOT_FOUND", { message: "No endpoint has this path.", hint, detail }) };
}

export function toKnown({ route, method }: Pick<RouteEntry, "route" | "method">): KnownRoute {
  return { route, pattern: toPattern(route), allowed: METHODS[method] };
}

/** Matches the path with or without a slash at its end; a slash is never part of a name, escaped or not. */
function toPattern(route: string): RegExp {
  const pattern = route
    .replace(/\/$/, "")
    .replaceAll(".", "\\.")
    .replace("{version}", "[^/]+")
    .replace(/\{\w+\}/, "(?:(?!%2[fF])[^/])+");
  return new RegExp(`^${pattern}/?$`);
}
