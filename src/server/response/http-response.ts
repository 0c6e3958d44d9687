import type { Readable } from "node:stream";
import { ApiError } from "../../api/errors.ts";
import { hintElsewhere } from "../../api/request/elsewhere.ts";
import { SAMPLE_HEADERS } from "../../api/sample-data.ts";

export type Headers = Record<string, string>;

/** A complete response, before it is written. */
export interface MirrorResponse {
  status: number;
  headers: Headers;
  body: Uint8Array | Readable | undefined;
}

/** The snapshot that a response is from. */
export interface SnapshotFacts {
  version: string;
  /** Start of the crawl, ISO 8601 in UTC. */
  startedAt: string;
  /** True if its numbers are made up. */
  sample: boolean;
}

/** The part of a response's head that comes from the snapshot. */
export interface ResponseMeta {
  /** Made once, by `snapshotHeaders`. */
  headers: Readonly<Headers>;
  /** An HTTP date. */
  lastModified: string;
  /** Headers of one URL: other spellings of its query have the same body, and other headers. */
  urlHeaders?: Readonly<Headers> | undefined;
}

/** Headers of every response. They are the same for every `Origin`, so that one cached copy serves all. */
const COMMON_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
  "x-content-type-options": "nosniff",
};

/** Caching of errors of the request that the next snapshot may mend: it may have new names and paths. */
const ONE_MINUTE = "public, max-age=60";
/** Caching of all other errors, and of answers that hold only now. */
export const NO_STORE = "no-store";

/**
 * Makes the headers of every response from a snapshot. `x-snapshot-age` is sent only if no cache stores it: in a cache it would be wrong.
 */
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

/** Makes the headers of a response that no cache may store. */
export const noStoreHeaders = (snapshot: SnapshotFacts, headers: Headers = {}): Headers => ({
  ...snapshotHeaders(snapshot, NO_STORE),
  ...headers,
});

/** Returns the seconds since the crawl began. */
export const ageSeconds = (startedAt: string) => Math.max(0, Math.floor((Date.now() - Date.parse(startedAt)) / 1000));

const NOTHING_STORED: Headers = { ...COMMON_HEADERS, "cache-control": NO_STORE };

/** Makes a response with a body of the error scheme; without a snapshot if none is served yet. */
export function errorResponse(error: ApiError, snapshot?: SnapshotFacts): MirrorResponse {
  const isStorable = error.code === "VALIDATION_FAILED" || error.code === "RESOURCE_NOT_FOUND";
  const body = Buffer.from(JSON.stringify(error));
  return {
    status: error.status,
    headers: {
      ...(snapshot ? snapshotHeaders(snapshot, isStorable ? ONE_MINUTE : NO_STORE) : NOTHING_STORED),
      "content-length": String(body.length),
      ...error.headers,
    },
    body,
  };
}

/** Makes the error that a client sees of an exception, without any internals. */
export const internalError = () =>
  new ApiError("INTERNAL_ERROR", {
    message: "The mirror failed.",
    hint: "Try again; if it fails again, tell the operator of this mirror.",
    detail: "The log of the mirror has more.",
  });

/** Makes the error for a path without a route. HEAD tells the length of what GET answers (RFC 9110, 8.6). */
export function unknownPath(method: string, pathname: string): ApiError {
  return new ApiError("RESOURCE_NOT_FOUND", {
    message: "No endpoint has this path.",
    hint: hintElsewhere(pathname) ?? "GET /api/ lists every endpoint.",
    detail: toDetail(method === "HEAD" ? "GET" : method, pathname),
  });
}

/** Makes the error for a path that has only `methods`. */
export function wrongMethod(method: string, pathname: string, methods: readonly string[]): ApiError {
  const allowed = methods.join(", ");
  return new ApiError(
    "METHOD_NOT_ALLOWED",
    {
      message: "This endpoint does not answer that method.",
      hint: `Use ${allowed}.`,
      detail: toDetail(method, pathname),
    },
    { allow: allowed },
  );
}

const toDetail = (method: string, pathname: string) => `${method} ${pathname}`;
