import type { H3Event } from "h3";
import { ENDPOINTS } from "../api/endpoints.ts";
import { ApiError } from "../api/errors.ts";

export const AUTH_ROUTES = ["/api/user/auth/send-vc", "/api/user/auth/login", "/api/user/auth/logout"] as const;

export const INDEX_ROUTE = "/api/";
export const OPENAPI_ROUTE = "/api/openapi.json";

const READ = ["GET", "HEAD", "OPTIONS"];
const WRITE = ["POST", "OPTIONS"];

const METHODS = [
  ...[INDEX_ROUTE, OPENAPI_ROUTE, ...ENDPOINTS.map(({ path }) => path)].map((path) => ({ path, methods: READ })),
  ...AUTH_ROUTES.map((path) => ({ path, methods: WRITE })),
].map(({ path, methods }) => ({ pattern: toPattern(path), methods }));

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/\/$/, "").replace(/\{\w+\}/, "(?:(?!%2[fF])[^/])+")}/?$`);
}

/** What to say of a request that no route takes: 405 where the path is known, else 404. */
export function unmatched(method: string, pathname: string): { allowed: string[]; error: ApiError } {
  const allowed = METHODS.find(({ pattern }) => pattern.test(pathname))?.methods ?? [];
  const detail = `${method} ${pathname}`.slice(0, 200);
  if (allowed.length > 0) {
    const methods = allowed.join(", ");
    const explanation = { message: "This endpoint does not answer that method.", hint: `Use ${methods}.`, detail };
    return { allowed, error: new ApiError("METHOD_NOT_ALLOWED", explanation, { allow: methods }) };
  }
  const hint = /^\/api\/(user|region|addon|academy\/recommended)(\/|$)/.test(pathname)
    ? "Player data, regions and tools are not mirrored; ask the upstream. GET /api/ lists what is here."
    : "GET /api/ lists every endpoint.";
  return {
    allowed,
    error: new ApiError("RESOURCE_NOT_FOUND", { message: "No endpoint has this path.", hint, detail }),
  };
}

/** What the path names. A slash is never part of a name, escaped or not. */
export function pathParameter(event: H3Event): string | undefined {
  const [raw] = Object.values(event.context.params ?? {});
  if (raw === undefined || !raw.includes("%")) return raw;
  if (/%2f/i.test(raw)) throw unmatched(event.req.method, event.url.pathname).error;
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
