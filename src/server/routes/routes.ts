import type { H3Event } from "h3";
import type { Endpoint } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { ApiError } from "../../api/errors.ts";

export const AUTH_ROUTES = ["/api/user/auth/send-vc", "/api/user/auth/login", "/api/user/auth/logout"] as const;

/** For whoever runs the mirror. */
export const ADMIN_ROUTES = ["/health", "/ready", "/metrics"] as const;

export const INDEX_ROUTE = "/api/";
export const OPENAPI_ROUTE = "/api/openapi.json";

/** The published snapshots. Below `PINNED_ROUTE` lie all routes of `/api` again, answered from that version for ever. */
export const LIST_ROUTE = "/snapshots/";
export const LATEST_ROUTE = "/snapshots/latest.json";
export const MANIFEST_ROUTE = "/snapshots/{version}.json";
export const FILE_ROUTE = "/snapshots/{version}.sqlite";
export const COMPRESSED_ROUTE = "/snapshots/{version}.sqlite.zst";
export const PINNED_ROUTE = "/snapshots/{version}";

const READ_METHODS = ["GET", "HEAD", "OPTIONS"];
const WRITE_METHODS = ["POST", "OPTIONS"];

const API = [INDEX_ROUTE, OPENAPI_ROUTE, ...ENDPOINTS.map(({ path }) => path)];
const SNAPSHOTS = [LIST_ROUTE, LATEST_ROUTE, MANIFEST_ROUTE, FILE_ROUTE, COMPRESSED_ROUTE];

const ROUTE_METHODS = [
  ...[...API, ...SNAPSHOTS, ...API.map((path) => PINNED_ROUTE + path)].map((path) => ({ path, methods: READ_METHODS })),
  ...ADMIN_ROUTES.map((path) => ({ path, methods: READ_METHODS })),
  ...AUTH_ROUTES.map((path) => ({ path, methods: WRITE_METHODS })),
].map(({ path, methods }) => ({ path, pattern: toPattern(path), methods }));

/** A route as h3's router wants it. */
export const toRouterPath = (route: string) => route.replaceAll(/\{(\w+)\}/g, ":$1");

/** Matches the path with or without a slash at its end. */
function toPattern(path: string): RegExp {
  const pattern = path
    .replace(/\/$/, "")
    .replaceAll(".", "\\.")
    .replace("{version}", "[^/]+")
    .replace(/\{\w+\}/, "(?:(?!%2[fF])[^/])+");
  return new RegExp(`^${pattern}/?$`);
}

/** What to say of a request that no route takes: 405 where the path is known, else 404. */
export function unmatched(method: string, pathname: string): UnmatchedRequest {
  const known = ROUTE_METHODS.find(({ pattern }) => pattern.test(pathname));
  const detail = `${method} ${pathname}`.slice(0, 200);
  if (known) {
    const allowed = known.methods.join(", ");
    const explanation = { message: "This endpoint does not answer that method.", hint: `Use ${allowed}.`, detail };
    return { route: known.path, allowed, error: new ApiError("METHOD_NOT_ALLOWED", explanation, { allow: allowed }) };
  }
  const hint = /^\/api\/(user|region|addon|academy\/recommended)(\/|$)/.test(pathname)
    ? "Player data, regions and tools are not mirrored; ask the upstream. GET /api/ lists what is here."
    : "GET /api/ lists every endpoint.";
  return { error: new ApiError("RESOURCE_NOT_FOUND", { message: "No endpoint has this path.", hint, detail }) };
}

export interface UnmatchedRequest {
  error: ApiError;
  /** Where the path is known, and the methods that it answers. */
  route?: string;
  allowed?: string;
}

/** What the path names. A slash is never part of a name, escaped or not. */
export function pathParameter(event: H3Event, { identifier }: Endpoint): string | undefined {
  const raw = identifier && event.context.params?.[identifier.name];
  if (raw === undefined || !raw.includes("%")) return raw;
  if (/%2f/i.test(raw)) throw unmatched(event.req.method, event.url.pathname).error;
  return decodeIdentifier(raw);
}

/** A broken escape is part of a name that no hero has. */
function decodeIdentifier(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
