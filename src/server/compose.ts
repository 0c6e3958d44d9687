import { H3, type H3Event, type HTTPError } from "h3";
import { toNodeHandler } from "h3/node";
import type { Endpoint } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { ApiError } from "../api/errors.ts";
import type { Pages } from "../pages/pages.ts";
import { createAdmissions } from "./http/admission.ts";
import { UNMATCHED_ROUTE } from "./http/exchange.ts";
import { type RequestHandler, writeResponse } from "./http/http.ts";
import type { SnapshotHandle } from "./query/snapshot-handle.ts";
import type { ActiveSnapshot } from "./reload/active-snapshot.ts";
import { createVersions, type Versions, type VersionsOptions } from "./reload/versions.ts";
import { type HttpResponse, noStoreHeaders, type RequestHead, type ResponseMeta } from "./response/http-response.ts";
import { createResponder, exchangeOf, type ResponderDeps, respondFromSnapshot } from "./response/respond.ts";
import { type Document, PINNED_ROUTE, type RouteEntry, type Services } from "./routes/document.ts";
import { DOCUMENTS } from "./routes/documents.ts";
import { pageEntries } from "./routes/pages.ts";
import { versionOf } from "./routes/snapshots.ts";
import { toKnown, type UnmatchedRequest, unmatched } from "./routes/unmatched.ts";

export interface MirrorOptions extends Omit<VersionsOptions, "cache">, Pick<Services, "admin" | "auth"> {
  active: ActiveSnapshot;
  /** For people to look at; without them only programs are answered. */
  pages?: Pages | undefined;
  onInternalError: ResponderDeps["onInternalError"];
}

/** All that answers, put together. */
export interface Mirror {
  active: ActiveSnapshot;
  /** Answers requests without a socket too. */
  app: H3;
  versions: Versions;
  /** Answers from the cache of URLs, and by the app what is not there. */
  answer: RequestHandler;
  /** What to answer to a request that no route takes. */
  unmatched(method: string, pathname: string): UnmatchedRequest;
  close(): void;
}

export function createMirror({ active, admin, auth, pages, onInternalError, ...options }: MirrorOptions): Mirror {
  const { cache } = active;
  const versions = createVersions({ ...options, cache });
  const admissions = createAdmissions();
  const responder = { currentSnapshot: () => active.current, admissions, onInternalError };
  const shown = pages ? pageEntries(pages) : [];
  const known = shown.map(toKnown);
  const unmatchedHere = (method: string, pathname: string) => unmatched(method, pathname, known);
  const app = createApp({ cache, versions, admin, auth }, shown, {
    ...responder,
    unmatched: unmatchedHere,
    servedSnapshot: () => servedOf(active),
  });
  const handle = toNodeHandler(app);

  return {
    active,
    app,
    versions,
    unmatched: unmatchedHere,
    answer(request, exchange) {
      const { method = "", url = "", headers } = request;
      const isRead = method === "GET" || method === "HEAD";
      const held =
        isRead && !active.withheld && cache.getResponse(url, { method, headers: headers as RequestHead["headers"] });
      if (!held) return void handle(request, exchange);
      exchange.route = held.route;
      writeResponse(exchange, held.response);
      // Most responses are handed to the system at once.
      if (exchange.writableLength > 0) admissions.answer.trackUnsent(exchange, exchange.writableLength);
    },
    close() {
      versions.close();
      active.close();
    },
  };
}

/** Every endpoint, document and page, and those of the API once more below each version. */
function createApp(
  services: Services,
  pages: readonly RouteEntry[],
  deps: ResponderDeps & Pick<Mirror, "unmatched"> & { servedSnapshot: () => SnapshotHandle },
): H3 {
  const { respond, respondError, toWebResponse } = createResponder(deps);

  const answerUnmatched = (event: H3Event) => {
    const { route = UNMATCHED_ROUTE, allowed, error } = deps.unmatched(event.req.method, event.url.pathname);
    const exchange = exchangeOf(event);
    if (exchange) exchange.route = route;
    if (event.req.method !== "OPTIONS" || allowed === undefined) return respondError(event, error);
    return toWebResponse(event, optionsResponse(allowed, event, deps.currentSnapshot()));
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

  function add({ method, kind, mediaType, ...entry }: RouteEntry & Partial<Document>, prefix: string) {
    const isOfOperator = entry.group === "admin" || entry.group === "auth";
    const route = prefix + entry.route;
    const routeServices = { ...services, route, mediaType };
    const handler = {
      route,
      ...(kind && { kind }),
      ...(!isOfOperator && { snapshotOf: deps.servedSnapshot }),
      ...(prefix && { snapshotOf: (event: H3Event) => services.versions.open(versionOf(event)) }),
      answer: (event: H3Event, handle: SnapshotHandle) => entry.answer(event, handle, routeServices),
    };
    app.on(method, toRouterPath(route), (event) => respond(event, handler));
  }
  const endpoints = ENDPOINTS.map(toEntry);
  for (const entry of [...endpoints, ...DOCUMENTS, ...pages]) add(entry, "");
  for (const entry of [...endpoints, ...DOCUMENTS.filter(({ group }) => group === "api")]) add(entry, PINNED_ROUTE);
  return app;
}

/** Throws an ApiError NOT_READY if what is open must not be served. */
function servedOf({ current, withheld }: ActiveSnapshot): SnapshotHandle {
  if (!withheld) return current;
  throw new ApiError("NOT_READY", {
    message: "The snapshot of this mirror has changed, and is no longer what was signed.",
    hint: "Ask another mirror, or wait until this one has fetched it again.",
    detail: current.version,
  });
}

const toEntry = (endpoint: Endpoint): RouteEntry => ({
  route: endpoint.path,
  method: "GET",
  mediaType: "application/json",
  answer(event, handle, services) {
    const found = handle.answer(endpoint, pathParameter(event, endpoint), event.url.searchParams);
    return respondFromSnapshot(event, handle, services, found);
  },
});

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
