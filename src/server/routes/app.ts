import { H3, type H3Event, type HTTPError } from "h3";
import { createAdmissions } from "../http/admission.ts";
import { UNMATCHED_ROUTE } from "../http/exchange.ts";
import type { AdminRoutes } from "../operate/admin.ts";
import type { ActiveSnapshot } from "../reload/active-snapshot.ts";
import type { Versions } from "../reload/versions.ts";
import {
  type Headers,
  type HttpResponse,
  NO_STORE,
  type ResponseMeta,
  snapshotHeaders,
} from "../response/http-response.ts";
import { createResponder, exchangeOf, type ResponderDeps } from "../response/respond.ts";
import { addApiRoutes } from "./api.ts";
import type { AuthProxy } from "./auth.ts";
import { ADMIN_ROUTES, AUTH_ROUTES, unmatched } from "./routes.ts";
import { addSnapshotRoutes } from "./snapshots.ts";

export interface AppDeps {
  active: ActiveSnapshot;
  /** The published snapshots; without them there is only the one that is served. */
  versions?: Versions;
  auth: AuthProxy;
  admin: AdminRoutes;
  admissions?: ResponderDeps["admissions"];
  onInternalError: ResponderDeps["onInternalError"];
}

/** The mirror as an h3 app: every route of the table, the documents, the snapshots and the three auth routes. */
export function createApp({
  active,
  versions,
  auth,
  admin,
  admissions = createAdmissions(),
  onInternalError,
}: AppDeps): H3 {
  const { respond, respondError, toWebResponse } = createResponder({
    currentSnapshot: () => active.current,
    admissions,
    onInternalError,
  });

  const answerUnmatched = (event: H3Event) => {
    const { route = UNMATCHED_ROUTE, allowed, error } = unmatched(event.req.method, event.url.pathname);
    const exchange = exchangeOf(event);
    if (exchange) exchange.route = route;
    if (event.req.method !== "OPTIONS" || allowed === undefined) return respondError(event, error);
    return toWebResponse(event, optionsResponse(allowed, event, active.current));
  };

  const app = new H3({
    silent: true,
    // A broken escape is part of a name that no hero has.
    allowMalformedURL: true,
    // h3 comes here with what no route has taken, and with what a route has thrown.
    onError: (error: HTTPError, event) => {
      return error.unhandled ? respondError(event, error.cause ?? error) : answerUnmatched(event);
    },
  });
  addApiRoutes(app, "", { cache: active.cache, respond });
  if (versions) addSnapshotRoutes(app, { active, versions, respond });
  for (const route of AUTH_ROUTES) {
    const answer = async (event: H3Event, handle: ResponseMeta): Promise<HttpResponse> => {
      const { status, body, headers } = await auth(event);
      return { status, body, headers: noStoreHeaders(handle, headers) };
    };
    app.post(route, (event) => respond(event, { route, kind: "short", answer }));
  }
  for (const route of ADMIN_ROUTES) {
    const answer = async (_: H3Event, handle: ResponseMeta): Promise<HttpResponse> => {
      const { body, headers } = await admin[route]();
      return { status: 200, body: Buffer.from(body), headers: noStoreHeaders(handle, headers) };
    };
    app.get(route, (event) => respond(event, { route, kind: "short", answer }));
  }
  return app;
}

const noStoreHeaders = (meta: ResponseMeta, headers: Headers = {}): Headers => ({
  ...snapshotHeaders(meta, NO_STORE),
  ...headers,
});

function optionsResponse(allow: string, event: H3Event, meta: ResponseMeta): HttpResponse {
  const { "content-type": _, ...common } = snapshotHeaders(meta, NO_STORE);
  const headers = {
    ...common,
    allow,
    "access-control-allow-methods": allow,
    "access-control-allow-headers": event.req.headers.get("access-control-request-headers") ?? "*",
    "access-control-max-age": "86400",
    vary: "Access-Control-Request-Headers",
  };
  return { status: 204, headers, body: undefined };
}
