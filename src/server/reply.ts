import type { Readable } from "node:stream";
import type { H3Event } from "h3";
import { ApiError } from "../api/errors.ts";

/** A whole response, before it is handed to h3 or to a socket. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array | Readable;
}

/** What of a request decides the form of its response. */
export interface Asked {
  method: string;
  header(name: string): string | undefined;
}

/** Sends what a route makes of a request, also when it fails; synchronous where the route is. */
export type Guard = (event: H3Event, produce: () => Reply | Promise<Reply>, origin?: Origin) => unknown;

/** Whose answer it is, and for how long it may be kept. */
export interface Origin {
  lastModified: string;
  cacheControl: string;
  /** Version and age of the snapshot, as headers. */
  about(): Record<string, string>;
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
const NEVER = "no-store";

/** An answer of the error scheme. */
export function replyError(error: ApiError, about: Record<string, string>): Reply {
  const lasting = error.code === "VALIDATION_FAILED" || error.code === "RESOURCE_NOT_FOUND";
  const body = Buffer.from(JSON.stringify(error));
  return {
    status: error.status,
    headers: {
      ...COMMON,
      ...about,
      "cache-control": lasting ? SHORT : NEVER,
      "content-length": String(body.length),
      ...error.headers,
    },
    body,
  };
}

/** A fault of ours; the answer shows nothing of the inside. */
export const internalError = () =>
  new ApiError("INTERNAL_ERROR", {
    message: "The mirror failed.",
    hint: "Try again; if it stays, tell whoever runs this mirror.",
  });
