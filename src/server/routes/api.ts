import type { H3, H3Event } from "h3";
import { ENDPOINTS } from "../../api/endpoints.ts";
import type { KeyedRepresentation, SnapshotHandle } from "../query/snapshot-handle.ts";
import type { Cache } from "../response/cache.ts";
import type { RequestHead } from "../response/http-response.ts";
import { chain, exchangeOf, type Respond, type Route } from "../response/respond.ts";
import { describeIndex } from "./api-index.ts";
import { INDEX_ROUTE, OPENAPI_ROUTE, pathParameter, toRouterPath } from "./routes.ts";

export interface ApiRoutesDeps {
  cache: Cache;
  respond: Respond;
  snapshotOf?: Route["snapshotOf"];
}

/** Every route of the table, the index and the OpenAPI document, answered from the handle that a request means. */
export function addApiRoutes(app: H3, prefix: string, { cache, respond, snapshotOf }: ApiRoutesDeps) {
  function add(
    path: string,
    find: (event: H3Event, handle: SnapshotHandle) => KeyedRepresentation | Promise<KeyedRepresentation>,
  ) {
    const route = prefix + path;
    const toResponse = (event: H3Event, handle: SnapshotHandle, { key, representation }: KeyedRepresentation) =>
      cache.respond(representation, { key, meta: handle, route }, toRequestHead(event), exchangeOf(event)?.req.url);
    const answer = (event: H3Event, handle: SnapshotHandle) =>
      chain(find(event, handle), (found) => toResponse(event, handle, found));
    app.get(toRouterPath(route), (event) => respond(event, { route, answer, ...(snapshotOf && { snapshotOf }) }));
  }

  for (const endpoint of ENDPOINTS)
    add(endpoint.path, (event, handle) =>
      handle.answer(endpoint, pathParameter(event, endpoint), event.url.searchParams),
    );
  add(INDEX_ROUTE, (_, handle) => handle.document("index", () => describeIndex(handle.snapshot.head)));
  add(OPENAPI_ROUTE, async (_, handle) => {
    // Its schemas take longer to load than all else, and few ask for them.
    const { describeOpenApi } = await import("./openapi.ts");
    return handle.document("openapi", () => describeOpenApi(handle.version));
  });
}

export function toRequestHead(event: H3Event): RequestHead {
  const headers = exchangeOf(event)?.req.headers ?? Object.fromEntries(event.req.headers);
  return { method: event.req.method, headers: headers as RequestHead["headers"] };
}
