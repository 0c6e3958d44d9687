import { randomBytes } from "node:crypto";
import { type IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { H3Event } from "h3";
import { type MirrorResponse, NO_STORE, unknownPath } from "../response/http-response.ts";

/** The route in logs and metrics of a request that no route takes. */
export const UNMATCHED_ROUTE = "other";

const PREFIX = `${randomBytes(6).toString("base64url")}-`;
const SAFE_REQUEST_ID = /^[\w.-]{1,64}$/;

let count = 0;

export function nextRequestId(): string {
  count += 1;
  return PREFIX + count.toString(36);
}

/** A request and its response on their socket, with facts for head, log and metrics. */
export class Exchange extends ServerResponse<IncomingMessage> {
  readonly startedAt = performance.now();
  /** The template, as in the OpenAPI document. */
  route = UNMATCHED_ROUTE;
  /** The kind of response, while it is not admitted because others are not sent yet; undefined otherwise. */
  waitsFor: "api" | "file" | undefined;
  /** Aborted once the server shuts down. */
  shutdown: AbortSignal | undefined;
  #id: string | undefined;

  /** Final once the head is written. */
  get requestId(): string {
    this.#id ??= nextRequestId();
    return this.#id;
  }

  /** Writes a complete response, with the request's id and the length of a body in memory. */
  writeResponse({ status, headers, body }: MirrorResponse): void {
    // The rest of a body that nobody reads could not be told from the next request, and is not waited for.
    if (this.shutdown?.aborted || !this.req.complete) this.shouldKeepAlive = false;
    if (headers["cache-control"] === NO_STORE) this.#acceptRequestId();
    // The upstream may answer a login call with 204, which has no length (RFC 9110, 8.6).
    if (body instanceof Uint8Array && status !== 204) headers["content-length"] ??= String(body.length);
    headers["x-request-id"] = this.requestId;
    this.writeHead(status, headers);
    if (body instanceof Readable) pipeline(body, this, () => {});
    else this.end(this.req.method === "HEAD" ? undefined : body);
  }

  /** Takes the client's own id if it is harmless. Only if no cache stores the response: a stored one goes to other clients too. */
  #acceptRequestId() {
    const given = this.req.headers["x-request-id"];
    if (typeof given === "string" && SAFE_REQUEST_ID.test(given)) this.#id = given;
  }
}

/** A request as handlers get it, read once. */
export interface MirrorRequest {
  method: string;
  /** Path and query as they were sent. */
  pathname: string;
  search: string;
  query: URLSearchParams;
  /** The values of the parameters in the route, unescaped. */
  params: Readonly<Record<string, string | undefined>>;
  /** Headers by lower-case name. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Request and response on their socket; undefined for `app.request()`, which has none. */
  exchange: Exchange | undefined;
}

/** The part of a request that decides status, encoding and range of its response. */
export type RequestHead = Pick<MirrorRequest, "method" | "headers">;

export const exchangeOf = (event: H3Event) => event.runtime?.node?.res as Exchange | undefined;

/** Reads a request. Throws an ApiError RESOURCE_NOT_FOUND for an escaped slash: it is part of no name. */
export function readRequest(event: H3Event): MirrorRequest {
  const exchange = exchangeOf(event);
  const { pathname, search, searchParams } = event.url;
  const { params = {} } = event.context;
  if (/%2f/i.test(pathname)) throw unknownPath(event.req.method, pathname);
  return {
    method: event.req.method,
    pathname,
    search,
    query: searchParams,
    params: pathname.includes("%") ? unescapeAll(params) : params,
    headers: (exchange?.req.headers ?? Object.fromEntries(event.req.headers)) as MirrorRequest["headers"],
    exchange,
  };
}

const unescapeAll = (params: Record<string, string>) =>
  Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decode(text)]));

/** Decodes an escape; a broken one is part of a name that nothing has. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
