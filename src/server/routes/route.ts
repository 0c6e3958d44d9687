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

/** Each may throw or reject with an ApiError. */
export type AdminRoutes = Record<"health" | "ready" | "metrics", () => AdminReply | Promise<AdminReply>>;

/** How the mirror is found. */
export interface Site {
  /** Of absolute addresses, without a slash at the end; a request never says it. */
  publicUrl: string | undefined;
  /** Whether there are pages for people. */
  hasPages: boolean;
}

/** An absolute address if there is one, else a path. */
export const siteAddress = ({ publicUrl = "" }: Site, path: string): string => publicUrl + path;

/** What handlers answer from, besides a snapshot. */
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
  /** GET answers HEAD too. */
  method: "GET" | "POST";
  mediaType: string;
  /** `api` by default. */
  kind?: Route["kind"];
  /** What the handler needs besides, which takes time: undefined if it is there. */
  prepare?(): Promise<void> | undefined;
  /** May throw or reject with an ApiError. */
  handle(request: MirrorRequest, snapshot: SnapshotHandle, services: Services): Reply | Promise<Reply>;
}

/** A route besides the endpoints, with what the index, the OpenAPI document and the docs say of it. */
export interface Document extends RouteEntry {
  /** Documents of `api` are answered from pinned snapshots too. */
  group: "api" | "snapshots" | "site" | "auth" | "admin";
  summary: string;
  openApi: {
    operationId: string;
    /** If the document says more than the index. */
    summary?: string;
    /** The schema of its JSON; other bodies have none. */
    answer?: DocumentName;
    /** Statuses of its errors. */
    errors: readonly number[];
  };
}
