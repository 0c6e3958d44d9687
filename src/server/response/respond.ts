import { STATUS_CODES } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import { ApiError } from "../../api/errors.ts";
import type { Admission } from "../http/admission.ts";
import { LINGER_MS } from "../http/client-error.ts";
import type { Exchange } from "../http/exchange.ts";
import { LIMITS } from "../http/limits.ts";
import type { KeyedRepresentation, SnapshotHandle } from "../query/snapshot-handle.ts";
import type { Cache } from "./cache.ts";
import { errorResponse, type HttpResponse, internalError, type RequestHead, withRequestId } from "./http-response.ts";

export interface ResponderDeps {
  currentSnapshot: () => SnapshotHandle;
  /** For answers and for files, which take long to send and must not hold up answers. */
  admissions: Readonly<Record<"answer" | "file", Admission>>;
  /** Gets every exception that is no ApiError; the client sees only INTERNAL_ERROR. */
  onInternalError: (error: unknown, event: H3Event) => void;
}

export interface Route {
  /** The template, as in the OpenAPI document. */
  route: string;
  /** The snapshot that a request names, opened if it is not; the current one by default. */
  snapshotOf?: (event: H3Event) => SnapshotHandle | Promise<SnapshotHandle>;
  /** What it sends; a short response needs no admission. */
  kind?: "answer" | "file" | "short";
  /** Must read what it needs of the snapshot before it awaits anything: the next reload closes it. */
  answer: (event: H3Event, handle: SnapshotHandle) => HttpResponse | Promise<HttpResponse>;
}

/** Turns what routes return, and whatever they throw, into responses. Nothing here throws or rejects. */
export interface Responder {
  respond(event: H3Event, route: Route): Response | Promise<Response>;
  respondError(event: H3Event, error: unknown, handle?: SnapshotHandle): Promise<Response>;
  toWebResponse(event: H3Event, response: HttpResponse): Response;
}

export type Respond = Responder["respond"];

type MaybePromise<T> = T | Promise<T>;

/** Awaits only a promise: most answers are made within one turn of the event loop. */
export const chain = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/** The request as it came over a socket; nothing for one of `app.request()`. */
export const exchangeOf = (event: H3Event) => event.runtime?.node?.res as Exchange | undefined;

/** The response with what a snapshot answers, remembered by its URL. */
export const respondFromSnapshot = (
  event: H3Event,
  handle: SnapshotHandle,
  { cache, route }: { cache: Cache; route: string },
  { key, representation }: KeyedRepresentation,
) => cache.respond(representation, { key, meta: handle, route }, toRequestHead(event), exchangeOf(event)?.req.url);

export function toRequestHead(event: H3Event): RequestHead {
  const headers = exchangeOf(event)?.req.headers ?? Object.fromEntries(event.req.headers);
  return { method: event.req.method, headers: headers as RequestHead["headers"] };
}

/** Answered before its body has arrived, a request could not be told from the next one on its connection. */
const requestEnd = ({ req }: Exchange) =>
  new Promise((resolve) => {
    req.resume().once("end", resolve).once("close", resolve);
  });

/** Sends the body now and closes the connection a little later, for the reason given at `lingeringClose`. */
function closeAfter(exchange: Exchange, response: HttpResponse): HttpResponse {
  exchange.shouldKeepAlive = false;
  const timeout = sleep(LINGER_MS, undefined, { ref: false });
  async function* linger() {
    yield response.body;
    await Promise.race([requestEnd(exchange), timeout]);
  }
  return { ...response, body: Readable.from(linger()) };
}

export function createResponder({ currentSnapshot, admissions, onInternalError }: ResponderDeps): Responder {
  function respond(event: H3Event, { route, snapshotOf = currentSnapshot, kind = "answer", answer }: Route) {
    const exchange = exchangeOf(event);
    if (exchange) exchange.route = route;
    let handle: SnapshotHandle | undefined;
    const produce = (): MaybePromise<Response> => {
      const found = snapshotOf(event);
      // Asked for again once it is open: it may have been closed before this request's turn.
      if (found instanceof Promise) return found.then(produce);
      handle = found;
      return chain(answer(event, found), (response) => toWebResponse(event, response));
    };
    try {
      const made = chain(kind === "short" ? undefined : admissions[kind].admit(), produce);
      return made instanceof Promise ? made.catch((error: unknown) => respondError(event, error, handle)) : made;
    } catch (error) {
      return respondError(event, error, handle);
    }
  }

  async function respondError(event: H3Event, error: unknown, handle?: SnapshotHandle) {
    if (!(error instanceof ApiError)) onInternalError(error, event);
    const apiError = error instanceof ApiError ? error : internalError();
    const response = errorResponse(apiError, handle ?? currentSnapshot());
    const exchange = exchangeOf(event);
    if (!exchange || exchange.req.complete) return toWebResponse(event, response);
    if (apiError.code === "PAYLOAD_TOO_LARGE" || !exchange.shouldKeepAlive)
      return toWebResponse(event, closeAfter(exchange, response));
    await requestEnd(exchange);
    return toWebResponse(event, response);
  }

  function toWebResponse(event: H3Event, { status, headers, body }: HttpResponse): Response {
    const exchange = exchangeOf(event);
    if (exchange && !exchange.destroyed && body) {
      if (body instanceof Uint8Array) admissions.answer.trackUnsent(exchange, body.length);
      else admissions.file.trackUnsent(exchange, LIMITS.perFileBytes);
    }
    // Not h3's own response, which reads every header into an object. It hands streams through, which its type does not say.
    return new FastResponse((body ?? null) as Uint8Array<ArrayBuffer> | null, {
      status,
      statusText: STATUS_CODES[status] ?? "",
      headers: withRequestId(headers, exchange),
    });
  }

  return { respond, respondError, toWebResponse };
}
