import { pipeline, Readable } from "node:stream";
import { ApiError } from "../../api/errors.ts";
import { SAMPLE_HEADERS } from "../../api/sample-data.ts";
import type { Exchange } from "../http/exchange.ts";

export type Headers = Record<string, string>;

/** A whole response, before it is written. */
export interface HttpResponse {
  status: number;
  headers: Headers;
  body: Uint8Array | Readable | undefined;
}

/** Which snapshot a response is from. */
export interface SnapshotFacts {
  version: string;
  /** Start of the crawl, ISO 8601 in UTC. */
  startedAt: string;
  /** Whether its numbers are made up. */
  sample: boolean;
}

/** What the snapshot gives to the head of a response. */
export interface ResponseMeta {
  /** By `snapshotHeaders`, made once. */
  headers: Readonly<Headers>;
  /** An HTTP date. */
  lastModified: string;
}

/** On every response. The same for every `Origin`, so that one cached copy serves all. */
export const COMMON_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
  "x-content-type-options": "nosniff",
};

/** For errors of the request that the next snapshot may mend: it may have new names and paths. */
const ONE_MINUTE = "public, max-age=60";
/** For all other errors. */
const NO_STORE = "no-store";

/** On every response from a snapshot. `x-snapshot-age` only where nothing is stored: in a cache it would be wrong. */
export function snapshotHeaders({ version, startedAt, sample }: SnapshotFacts, cacheControl: string): Headers {
  const headers: Headers = {
    ...COMMON_HEADERS,
    ...(sample && SAMPLE_HEADERS),
    "x-snapshot-version": version,
    "x-snapshot-at": startedAt,
    "cache-control": cacheControl,
  };
  if (cacheControl === NO_STORE) headers["x-snapshot-age"] = String(ageSeconds(startedAt));
  return headers;
}

/** The headers of what no cache may store. */
export const noStoreHeaders = (snapshot: SnapshotFacts, headers: Headers = {}): Headers => ({
  ...snapshotHeaders(snapshot, NO_STORE),
  ...headers,
});

/** Seconds since the crawl began. */
export const ageSeconds = (startedAt: string) => Math.max(0, Math.floor((Date.now() - Date.parse(startedAt)) / 1000));

/** A response with a body of the error scheme. */
export function errorResponse(error: ApiError, snapshot: SnapshotFacts): HttpResponse {
  const isStorable = error.code === "VALIDATION_FAILED" || error.code === "RESOURCE_NOT_FOUND";
  const body = Buffer.from(JSON.stringify(error));
  return {
    status: error.status,
    headers: {
      ...snapshotHeaders(snapshot, isStorable ? ONE_MINUTE : NO_STORE),
      "content-length": String(body.length),
      ...error.headers,
    },
    body,
  };
}

/** Writes a response to its socket, with the request's id and the length of a body in memory. */
export function writeResponse(exchange: Exchange, { status, headers, body }: HttpResponse): void {
  if (body instanceof Uint8Array) headers["content-length"] ??= String(body.length);
  headers["x-request-id"] = exchange.assignRequestId(headers["cache-control"] !== NO_STORE);
  exchange.writeHead(status, headers);
  if (body instanceof Readable) pipeline(body, exchange, () => {});
  else exchange.end(exchange.req.method === "HEAD" ? undefined : body);
}

/** What a client sees of an exception: nothing of the inside. */
export const internalError = () =>
  new ApiError("INTERNAL_ERROR", {
    message: "The mirror failed.",
    hint: "Try again; if it stays, tell whoever runs this mirror.",
    detail: "The log of the mirror has more.",
  });
