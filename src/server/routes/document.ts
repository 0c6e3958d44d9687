import type { H3Event } from "h3";
import type { SnapshotHandle } from "../query/snapshot-handle.ts";
import type { Versions } from "../reload/versions.ts";
import type { Cache } from "../response/cache.ts";
import type { HttpResponse } from "../response/http-response.ts";
import type { Route } from "../response/respond.ts";
import type { AuthProxy } from "./auth.ts";

/** Below it lie all routes of `/api` again, answered from that version for ever. */
export const PINNED_ROUTE = "/snapshots/{version}";

export interface AdminAnswer {
  body: string;
  headers?: Record<string, string>;
}

/** Each may throw or reject with an ApiError. */
export type AdminRoutes = Record<"health" | "ready" | "metrics", () => AdminAnswer | Promise<AdminAnswer>>;

/** What routes answer with. */
export interface Services {
  cache: Cache;
  versions: Versions;
  admin: AdminRoutes;
  auth: AuthProxy;
}

/** What one route answers with. */
export interface RouteServices extends Services {
  route: string;
  mediaType: string;
}

/** One route of the server. */
export interface RouteEntry {
  /** The template, with parameters as `{name}`. */
  route: string;
  /** GET answers HEAD too. */
  method: "GET" | "POST";
  mediaType: string;
  kind?: Route["kind"];
  /** May throw or reject with an ApiError. */
  answer(event: H3Event, handle: SnapshotHandle, services: RouteServices): HttpResponse | Promise<HttpResponse>;
}

/** A route besides the endpoints, with what the index, the OpenAPI document and the docs say of it. */
export interface Document extends RouteEntry {
  /** Those of `api` are answered from pinned snapshots too. */
  group: "api" | "snapshots" | "auth" | "admin";
  summary: string;
  openApi: {
    operationId: string;
    /** Where the document says more than the index. */
    summary?: string;
    /** Statuses of its errors. */
    errors: readonly number[];
  };
}
