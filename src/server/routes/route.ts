import type { DocumentName } from "../contract/documents.ts";
import type { ReadFeed } from "../feed/feed.ts";
import type { MirrorRequest } from "../http/exchange.ts";
import type { SnapshotHandle } from "../query/snapshot-handle.ts";
import type { Versions } from "../reload/versions.ts";
import type { Reply, Route } from "../response/respond.ts";
import type { AuthProxy } from "./auth.ts";

/** All routes of `/api` exist again below this path, answered from that version for ever. */
export const PINNED_ROUTE = "/snapshots/{version}";

export interface AdminReply {
  body: string;
  headers?: Record<string, string>;
}

/** Handlers for the operator. Each may throw or reject with an ApiError. */
export type AdminRoutes = Record<"health" | "ready" | "metrics", () => AdminReply | Promise<AdminReply>>;

/** The site of the mirror. */
export interface Site {
  /** The base of absolute addresses, without a slash at the end; it never comes from a request. */
  publicUrl: string | undefined;
  /** True if there are pages for people. */
  hasPages: boolean;
}

/** Makes an absolute address if the site has one, else a path. */
export const siteAddress = ({ publicUrl = "" }: Site, path: string): string => publicUrl + path;

/** Services that handlers answer from, besides a snapshot. */
export interface Services {
  site: Site;
  readFeed: ReadFeed;
  versions: Versions;
  admin: AdminRoutes;
  auth: AuthProxy;
}

/** One route of the server. */
export interface RouteEntry {
  /** The template, with parameters as `{name}`. */
  route: string;
  /** The method; GET answers HEAD too. */
  method: "GET" | "POST";
  mediaType: string;
  /** The kind of its replies; `api` by default. */
  kind?: Route["kind"];
  /** Prepares further needs of the handler, which takes time: undefined if they are there. */
  prepare?(): Promise<void> | undefined;
  /** Handles a request. It may throw or reject with an ApiError. */
  handle(request: MirrorRequest, snapshot: SnapshotHandle, services: Services): Reply | Promise<Reply>;
}

/** A route besides the endpoints, with its descriptions for the index, the OpenAPI document and the docs. */
export interface Document extends RouteEntry {
  /** Documents of `api` are answered from pinned snapshots too. */
  group: "api" | "snapshots" | "site" | "auth" | "admin";
  summary: string;
  openApi: {
    operationId: string;
    /** The summary, if the OpenAPI document says more than the index. */
    summary?: string;
    /** The schema of its JSON; other bodies have none. */
    answer?: DocumentName;
    /** Statuses of its errors. */
    errors: readonly number[];
  };
}
