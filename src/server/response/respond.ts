import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import { ApiError } from "../../api/errors.ts";
import type { Admission } from "../http/admission.ts";
import { type Exchange, exchangeOf, type MirrorRequest, readRequest } from "../http/exchange.ts";
import type { SnapshotHandle } from "../query/snapshot-handle.ts";
import type { Cache } from "./cache.ts";
import { fileResponse, type ServedFile } from "./files.ts";
import {
  errorResponse,
  type Headers,
  internalError,
  type MirrorResponse,
  noStoreHeaders,
  wrongMethod,
} from "./http-response.ts";
import { type Content, createRepresentation } from "./representation.ts";

/** A body that is cached, compressed and tagged. */
export interface CachedBody {
  /** A key that all requests with this body share, as long as the snapshot is served. */
  key: string;
  /** Called if the cache does not have it. */
  make: () => Content;
  /** `Cache-Control`; that of the snapshot by default. */
  cacheControl?: string;
  /** True if a URL may have another body before the next snapshot is served. */
  changes?: boolean;
  /** Further headers of this URL; all requests with the key share the body. */
  urlHeaders?: Headers | undefined;
}

/** The reply of a handler. */
export type Reply = CachedBody | ServedFile | MirrorResponse;

/** A route with its handler. */
export interface Route {
  /** The template, as in the OpenAPI document. */
  route: string;
  /** The methods that it answers; GET comes with HEAD, and each with OPTIONS. */
  methods: readonly string[];
  /** The media type of the response, unless the reply has another one. */
  mediaType: string;
  /** The kind of its replies. Answers of the API and files are bounded apart; a short response needs no admission. */
  kind: "api" | "file" | "short";
  /** Returns the snapshot that the request names; a promise if it, or another need of the handler, is not there yet: ask again then. */
  snapshotOf: (request: MirrorRequest) => SnapshotHandle | Promise<unknown>;
  /** Handles a request. It must read all that it needs of the snapshot before it awaits anything: the next reload closes it. */
  handle: (request: MirrorRequest, snapshot: SnapshotHandle) => Reply | Promise<Reply>;
}

/** The part of a request that decides how an error is described. */
interface RefusedHead {
  pathname: string;
  query: URLSearchParams;
  accept: string | undefined;
}

export type DescribeError = (
  error: ApiError,
  request: RefusedHead,
  snapshot: SnapshotHandle,
) => MirrorResponse | Promise<MirrorResponse>;

export interface ResponderDeps {
  cache: Cache;
  currentSnapshot: () => SnapshotHandle;
  /** Two budgets, as files take long to send and must not hold up answers. */
  admissions: Readonly<Record<"api" | "file", Admission>>;
  /** Describes errors; in the error scheme by default. */
  describeError?: DescribeError | undefined;
  /** Gets every exception that is not an ApiError; the client sees only INTERNAL_ERROR. */
  onInternalError: (error: unknown, exchange: Exchange | undefined) => void;
}

/** Turns what handlers return or throw into responses, and writes them. No method rejects. */
export interface Responder {
  respond(event: H3Event, route: Route): Promise<Response>;
  respondError(event: H3Event, error: unknown): Promise<Response>;
  /** Writes to the socket at the end of the turn, with the other answers; a request without a socket gets the response itself. */
  send(exchange: Exchange | undefined, response: MirrorResponse): Promise<Response>;
}

/** Tells h3 that the response is on its socket already. */
const WRITTEN = new FastResponse(null);

let turn: Promise<void> | undefined;

/**
 * Resolves at the end of this turn of the event loop, the same for all who wait for it. Clients read as fast as we write: if each response
 * were written on its own, it would wake them and find them asleep again. Cached answers are a tenth faster so.
 */
function turnEnd(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = undefined;
      resolve();
    });
  });
  return turn;
}

export function createResponder({
  cache,
  currentSnapshot,
  admissions,
  describeError = (error, _, snapshot) => errorResponse(error, snapshot),
  onInternalError,
}: ResponderDeps): Responder {
  async function respond(event: H3Event, route: Route) {
    let snapshot: SnapshotHandle | undefined;
    try {
      const request = readRequest(event);
      if (request.exchange) request.exchange.route = route.route;
      if (!route.methods.includes(request.method)) throw wrongMethod(request.method, request.pathname, route.methods);
      if (request.method === "OPTIONS")
        return await send(request.exchange, describeOptions(request, route, currentSnapshot()));
      if (route.kind !== "short") await admissions[route.kind].admit(request.exchange);
      // A client that has gone while it waited would cost an answer, or a file that is opened, for nobody.
      if (request.exchange?.destroyed) return WRITTEN;
      let opened = route.snapshotOf(request);
      // Asked for again each time: it may have been closed before this request's turn.
      for (; opened instanceof Promise; opened = route.snapshotOf(request)) await opened;
      snapshot = opened;
      const response = await answer(request, snapshot, route);
      return await send(request.exchange, response);
    } catch (error) {
      return respondError(event, error, snapshot);
    }
  }

  /** Answers a request. It stands apart from `respond`, which would keep the sources of the reply until the response is written. */
  function answer(request: MirrorRequest, snapshot: SnapshotHandle, route: Route) {
    const reply = route.handle(request, snapshot);
    // Only a promise is awaited: a reply uses the snapshot in the turn in which it was found open.
    if (reply instanceof Promise) return reply.then((replied) => toResponse(replied, request, snapshot, route));
    return toResponse(reply, request, snapshot, route);
  }

  function toResponse(reply: Reply, request: MirrorRequest, snapshot: SnapshotHandle, { route, mediaType }: Route) {
    if ("open" in reply) return fileResponse(reply, mediaType, request);
    if ("status" in reply) return reply;
    const { cacheControl, changes = false, make, urlHeaders } = reply;
    const key = snapshot.prefix + reply.key;
    const representation = cache.getRepresentation(key, () =>
      createRepresentation({ contentType: `${mediaType}; charset=utf-8`, ...make() }),
    );
    const headers = cacheControl ? { ...snapshot.headers, "cache-control": cacheControl } : snapshot.headers;
    const cached = { key, route, meta: { headers, lastModified: snapshot.lastModified, urlHeaders } };
    return cache.respond(representation, cached, request, changes ? undefined : request.exchange?.req.url);
  }

  async function respondError(event: H3Event, error: unknown, snapshot = currentSnapshot()) {
    const exchange = exchangeOf(event);
    if (!(error instanceof ApiError)) onInternalError(error, exchange);
    const apiError = error instanceof ApiError ? error : internalError();
    return send(exchange, await tellError(event, apiError, snapshot));
  }

  async function tellError(event: H3Event, error: ApiError, snapshot: SnapshotHandle): Promise<MirrorResponse> {
    try {
      const { pathname, searchParams: query } = event.url;
      const accept = event.req.headers.get("accept") ?? undefined;
      return await describeError(error, { pathname, query, accept }, snapshot);
    } catch (fault) {
      onInternalError(fault, exchangeOf(event));
      return errorResponse(internalError(), snapshot);
    }
  }

  async function send(exchange: Exchange | undefined, response: MirrorResponse): Promise<Response> {
    if (exchange) {
      await turnEnd();
      write(exchange, response);
      return WRITTEN;
    }
    const { status, headers, body } = response;
    // The constructor takes streams, which its type does not say.
    const init = { status, statusText: STATUS_CODES[status] ?? "", headers };
    return new FastResponse((body ?? null) as Uint8Array<ArrayBuffer> | null, init);
  }

  function write(exchange: Exchange, response: MirrorResponse) {
    const stream = response.body instanceof Readable ? response.body : undefined;
    if (exchange.destroyed) return void stream?.destroy();
    exchange.writeResponse(response);
    // Most responses are handed to the system at once.
    if (!stream && exchange.writableLength > 0) admissions.api.trackUnsent(exchange, exchange.writableLength);
  }

  return { respond, respondError, send };
}

function describeOptions({ headers }: MirrorRequest, { methods }: Route, snapshot: SnapshotHandle): MirrorResponse {
  const allowed = methods.join(", ");
  const { "content-type": _, ...common } = noStoreHeaders(snapshot);
  return {
    status: 204,
    headers: {
      ...common,
      allow: allowed,
      "access-control-allow-methods": allowed,
      "access-control-allow-headers": headers["access-control-request-headers"] ?? "*",
      "access-control-max-age": "86400",
      vary: "Access-Control-Request-Headers",
    },
    body: undefined,
  };
}
