import type { H3Event } from "h3";
import type { Endpoint } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { type RouteEntry, respondFromSnapshot } from "./document.ts";
import { unmatched } from "./unmatched.ts";

/** A route for each endpoint. */
export const ENDPOINT_ROUTES: readonly RouteEntry[] = ENDPOINTS.map((endpoint) => ({
  route: endpoint.path,
  method: "GET",
  mediaType: "application/json",
  answer(event, handle, services) {
    const found = handle.answer(endpoint, pathParameter(event, endpoint), event.url.searchParams);
    return respondFromSnapshot(event, handle, services, found);
  },
}));

/** What the path names, unescaped. Throws an ApiError RESOURCE_NOT_FOUND for an escaped slash: none is part of a name. */
function pathParameter(event: H3Event, { identifier }: Endpoint): string | undefined {
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
