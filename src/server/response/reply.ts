import type { Readable } from "node:stream";
import { ApiError } from "../../api/errors.ts";
import type { Exchange } from "../http/exchange.ts";

export type Headers = Record<string, string>;

/** A whole response, before it is handed to h3 or to a socket. */
export interface Reply {
  status: number;
  headers: Headers;
  body: Uint8Array | Readable | undefined;
}

/** What of a request decides the form of its response. */
export interface Asked {
  method: string;
  headers: Readonly<Record<string, string | undefined>>;
}

/** Which snapshot an answer is from, and for how long it may be kept. */
export interface Origin {
  version: string;
  /** Start of its crawl, ISO 8601 in UTC. */
  startedAt: string;
  lastModified: string;
  cacheControl: string;
}

/** What every response says. It is the same for every origin, so that one copy in a cache serves all. */
export const COMMON = {
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
  "x-content-type-options": "nosniff",
};

/** Names and paths may come with the next snapshot; what went wrong once must be tried again. */
const SHORT = "public, max-age=60";
export const NEVER = "no-store";

/** What every response of a snapshot says. Its age would stand still in a cache: only what nothing stores tells it. */
export function headersOf(
  { version, startedAt }: Pick<Origin, "version" | "startedAt">,
  cacheControl: string,
): Headers {
  const headers: Headers = {
    ...COMMON,
    "x-snapshot-version": version,
    "x-snapshot-at": startedAt,
    "cache-control": cacheControl,
  };
  if (cacheControl === NEVER) headers["x-snapshot-age"] = String(ageOf(startedAt));
  return headers;
}

/** Seconds since the crawl began. */
export const ageOf = (startedAt: string) => Math.max(0, Math.floor((Date.now() - Date.parse(startedAt)) / 1000));

/** An answer of the error scheme. */
export function replyError(error: ApiError, origin: Origin): Reply {
  const lasting = error.code === "VALIDATION_FAILED" || error.code === "RESOURCE_NOT_FOUND";
  const body = Buffer.from(JSON.stringify(error));
  return {
    status: error.status,
    headers: {
      ...headersOf(origin, lasting ? SHORT : NEVER),
      "content-length": String(body.length),
      ...error.headers,
    },
    body,
  };
}

/** The headers as they are sent: with the name of the request. They are those of one reply. */
export function named(headers: Headers, exchange: Exchange | undefined): Headers {
  if (exchange) headers["x-request-id"] = exchange.assignRequestId(headers["cache-control"] !== NEVER);
  return headers;
}

/** A fault of ours; the answer shows nothing of the inside. */
export const internalError = () =>
  new ApiError("INTERNAL_ERROR", {
    message: "The mirror failed.",
    hint: "Try again; if it stays, tell whoever runs this mirror.",
    detail: "The log of the mirror has more.",
  });
