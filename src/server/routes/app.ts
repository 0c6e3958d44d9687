import { H3, type H3Event, type HTTPError } from "h3";
import { createAdmissions } from "../http/admission.ts";
import { UNMATCHED_ROUTE } from "../http/exchange.ts";
import type { ActiveSnapshot } from "../reload/active-snapshot.ts";
import { type HttpResponse, noStoreHeaders, type ResponseMeta } from "../response/http-response.ts";
import { createResponder, exchangeOf, type ResponderDeps } from "../response/respond.ts";
import { ENDPOINT_ROUTES } from "./api.ts";
import { PINNED_ROUTE, type RouteEntry, type Services } from "./document.ts";
import { DOCUMENTS } from "./documents.ts";
import { versionOf } from "./snapshots.ts";
import { unmatched } from "./unmatched.ts";

export interface AppDeps extends Omit<Services, "cache"> {
  active: ActiveSnapshot;
  admissions?: ResponderDeps["admissions"];
  onInternalError: ResponderDeps["onInternalError"];
}

/** The mirror as an h3 app: every endpoint and every document, and those of the API once more below each version. */
export function createApp({ active, admissions = createAdmissions(), onInternalError, ...deps }: AppDeps): H3 {
  const services: Services = { ...deps, cache: active.cache };
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
    // h3 calls this for what no route has taken, and for what a route has thrown.
    onError: (error: HTTPError, event) => {
      return error.unhandled ? respondError(event, error.cause ?? error) : answerUnmatched(event);
    },
  });

  function add({ method, kind, mediaType, ...entry }: RouteEntry, prefix: string) {
    const route = prefix + entry.route;
    const routeServices = { ...services, route, mediaType };
    const handler = {
      route,
      ...(kind && { kind }),
      ...(prefix && { snapshotOf: (event: H3Event) => services.versions.open(versionOf(event)) }),
      answer: (event: H3Event, handle: Parameters<typeof entry.answer>[1]) =>
        entry.answer(event, handle, routeServices),
    };
    app.on(method, toRouterPath(route), (event) => respond(event, handler));
  }
  for (const entry of [...ENDPOINT_ROUTES, ...DOCUMENTS]) add(entry, "");
  const pinned = [...ENDPOINT_ROUTES, ...DOCUMENTS.filter(({ group }) => group === "api")];
  for (const entry of pinned) add(entry, PINNED_ROUTE);
  return app;
}

/** A template as h3's router wants it. */
const toRouterPath = (route: string) => route.replaceAll(/\{(\w+)\}/g, ":$1");

function optionsResponse(allow: string, event: H3Event, meta: ResponseMeta): HttpResponse {
  const { "content-type": _, ...common } = noStoreHeaders(meta);
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
