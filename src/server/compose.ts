/**
 * The mirror: answers the upstream's API, documents and pages from one open snapshot.
 *
 * `http/` listens within limits. `response/cache.ts` has the bytes of URLs that were asked before; other requests get a route of `routes/`
 * from h3's router. `query/` answers endpoints, `response/` writes what a route returns. `reload/` opens and swaps snapshots, `operate/`
 * has health, metrics and logs, and `feed/` the Atom feed.
 *
 * The trap: a snapshot is swapped between two turns of the event loop, and the one before is closed at once. A handler must take all that it
 * needs from the snapshot in the turn in which it got it, before any `await`. The cache outlives a snapshot: its keys have `prefix`, never
 * the version.
 */

import type { IncomingMessage } from "node:http";
import { H3, type HTTPError } from "h3";
import { NodeRequest } from "srvx/node";
import type { Endpoint } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { ApiError } from "../api/errors.ts";
import type { Pages } from "../snapshot/read/shown.ts";
import { createFeed } from "./feed/feed.ts";
import { createAdmissions } from "./http/admission.ts";
import type { Exchange, RequestHead } from "./http/exchange.ts";
import type { RequestHandler } from "./http/http.ts";
import type { SnapshotHandle } from "./query/snapshot-handle.ts";
import type { ActiveSnapshot } from "./reload/active-snapshot.ts";
import { createVersions, type Versions, type VersionsOptions } from "./reload/versions.ts";
import { errorResponse, internalError, unknownPath, wrongMethod } from "./response/http-response.ts";
import { createResponder, type Responder, type ResponderDeps, type Route } from "./response/respond.ts";
import { DOCUMENTS } from "./routes/documents.ts";
import { createErrorDescriber, pageEntries } from "./routes/pages.ts";
import { PINNED_ROUTE, type RouteEntry, type Services } from "./routes/route.ts";

export interface MirrorOptions extends Omit<VersionsOptions, "cache">, Pick<Services, "admin" | "auth"> {
  active: ActiveSnapshot;
  /** Pages for people; without them only programs are answered. */
  pages?: Pages | undefined;
  /** The base of absolute addresses, without a slash at the end. */
  publicUrl?: string | undefined;
  onInternalError: ResponderDeps["onInternalError"];
}

/** The mirror, composed of all its parts. */
export interface Mirror {
  active: ActiveSnapshot;
  /** Answers requests without a socket too. */
  app: H3;
  versions: Versions;
  /** Answers from the cache of URLs, or by the app if the URL is not there. */
  handleRequest: RequestHandler;
  /** Refuses a request that Node does not hand to the handler: by its path, like every other request with a wrong method. */
  refuse(method: string, pathname: string): ApiError;
  close(): void;
}

export function createMirror(mirrorOptions: MirrorOptions): Mirror {
  const { active, admin, auth, pages, publicUrl, onInternalError, ...options } = mirrorOptions;
  const { cache } = active;
  const versions = createVersions({ ...options, cache });
  const admissions = createAdmissions();
  const responder = createResponder({
    cache,
    currentSnapshot: () => active.current,
    admissions,
    describeError: pages && createErrorDescriber(pages, () => (active.withheld ? undefined : active.current.snapshot)),
    onInternalError,
  });
  const site = { publicUrl, hasPages: pages !== undefined };
  const services = { versions, admin, auth, site, readFeed: createFeed(versions) };
  const routes = listRoutes(active, services, pages ? pageEntries(pages) : []);
  const app = createApp(routes, responder);

  /** No fault of one request may end the process: what throws at once rejects as well. */
  async function answer(request: IncomingMessage, exchange: Exchange): Promise<unknown> {
    const { method = "", url = "", headers } = request;
    const isRead = method === "GET" || method === "HEAD";
    const cached =
      isRead && !active.withheld && cache.getResponse(url, { method, headers: headers as RequestHead["headers"] });
    if (cached) {
      exchange.route = cached.route;
      return responder.send(exchange, cached.response);
    }
    // No answer depends on the Host header, and h3 throws if it is not the name of a host.
    headers.host = "localhost";
    return app.fetch(new NodeRequest({ req: request, res: exchange }));
  }

  return {
    active,
    app,
    versions,
    refuse(method, pathname) {
      const route = findRoute(app, pathname);
      return route ? wrongMethod(method, pathname, route.methods) : unknownPath(method, pathname);
    },
    handleRequest(request, exchange) {
      answer(request, exchange).catch((error: unknown) => {
        onInternalError(error, exchange);
        if (exchange.headersSent) exchange.destroy();
        else exchange.writeResponse(errorResponse(internalError(), active.current));
      });
    },
    close() {
      versions.close();
      active.close();
    },
  };
}

/** Lists every endpoint, document and page, and those of the API once more below each version. */
function listRoutes(active: ActiveSnapshot, services: Services, pages: readonly RouteEntry[]): Route[] {
  const endpoints = ENDPOINTS.map(toEntry);
  const toRoute = ({ method, kind = "api", prepare, ...entry }: RouteEntry): Route => ({
    ...entry,
    kind,
    methods: METHODS[method],
    // Operators and players are answered even while the snapshot is withheld.
    snapshotOf: () => prepare?.() ?? (kind === "short" ? active.current : servedOf(active)),
    handle: (request, snapshot) => entry.handle(request, snapshot, services),
  });
  const toPinned = (entry: RouteEntry): Route => ({
    ...toRoute(entry),
    route: PINNED_ROUTE + entry.route,
    snapshotOf: ({ params }) => services.versions.open(params.version ?? ""),
  });
  return [
    ...[...endpoints, ...DOCUMENTS, ...pages].map(toRoute),
    ...[...endpoints, ...DOCUMENTS.filter(({ group }) => group === "api")].map(toPinned),
  ];
}

const METHODS = { GET: ["GET", "HEAD", "OPTIONS"], POST: ["POST", "OPTIONS"] };

/** Makes the app. Each path is one route for all methods, so that the router alone knows which paths there are. */
function createApp(routes: readonly Route[], { respond, respondError }: Responder): H3 {
  const app = new H3({
    silent: true,
    // A broken escape is part of a name that no hero has.
    allowMalformedURL: true,
    // h3 calls this for a path without a route, and for its own faults: `respond` throws nothing.
    onError: (error: HTTPError, event) =>
      respondError(event, error.unhandled ? (error.cause ?? error) : unknownPath(event.req.method, event.url.pathname)),
  });
  for (const route of routes) app.all(toRouterPath(route.route), (event) => respond(event, route), { meta: { route } });
  return app;
}

/** Finds the route of a path without a request of h3. Its router has no public way to ask it; a test guards this one. */
function findRoute(app: H3, pathname: string): Route | undefined {
  // A tunnel names a host, which the router takes for a path.
  if (!pathname.startsWith("/")) return undefined;
  const event = { req: { method: "GET" }, url: { pathname } } as Parameters<H3["~findRoute"]>[0];
  return app["~findRoute"](event)?.data.meta?.route as Route | undefined;
}

/** Returns the open snapshot. Throws an ApiError NOT_READY if it must not be served. */
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
  handle({ params, query }, { engine, seed }) {
    const identifier = endpoint.identifier && params[endpoint.identifier.name];
    const parsed = engine.parse(endpoint, identifier, query);
    const { canonical } = parsed;
    const make = () => ({
      body: engine.execute(parsed),
      name: `${seed} ${canonical}`,
      dataAt: engine.dataAt(parsed),
    });
    return { key: canonical, make, urlHeaders: ignoredParameters(endpoint, query) };
  },
});

/** Names that are sent in a header, since they have only harmless characters. */
const HARMLESS_NAME = /^[A-Za-z0-9_.-]{1,40}$/;
const MOST_NAMED = 8;

/** Makes a header that names the parameters of a query that an endpoint does not have; undefined if it has all of them. */
function ignoredParameters({ parameters }: Endpoint, query: URLSearchParams): Record<string, string> | undefined {
  if (query.size === 0) return undefined;
  const names = new Set(query.keys());
  for (const { name } of parameters) names.delete(name);
  const told = [...names].filter((name) => HARMLESS_NAME.test(name)).slice(0, MOST_NAMED);
  return told.length > 0 ? { "x-ignored-parameters": told.join(", ") } : undefined;
}

/** Writes a template as h3's router wants it. */
const toRouterPath = (route: string) => route.replaceAll(/\{(\w+)\}/g, ":$1");
