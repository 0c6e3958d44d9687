import { noStoreHeaders } from "../response/http-response.ts";
import { describeIndex } from "./api-index.ts";
import type { AdminRoutes, Document } from "./route.ts";
import {
  changesOfSnapshot,
  compressedSnapshot,
  fileOfSnapshot,
  latestSnapshot,
  listSnapshots,
  manifestOfSnapshot,
  signatureOfSnapshot,
} from "./snapshots.ts";

const JSON_TYPE = "application/json";

/** The routes besides the endpoints. The router, the index, the OpenAPI document and the docs follow from this table. */
export const DOCUMENTS: readonly Document[] = [
  {
    route: "/api/",
    method: "GET",
    group: "api",
    mediaType: JSON_TYPE,
    summary: "This list",
    openApi: {
      operationId: "listEndpoints",
      summary: "Every endpoint, and which snapshot answers",
      errors: [405, 500],
    },
    handle: (_, { snapshot }) => ({
      key: "index",
      make: () => ({ body: JSON.stringify(describeIndex(snapshot, DOCUMENTS)) }),
    }),
  },
  {
    route: "/api/openapi.json",
    method: "GET",
    group: "api",
    mediaType: JSON_TYPE,
    summary: "The OpenAPI document",
    openApi: { operationId: "describeApi", summary: "This document", errors: [405, 500] },
    async handle(_, { snapshot, version }) {
      const deprecated = snapshot.deprecated();
      // Imported here: its schemas take longer to load than all else, and few clients ask for them.
      const { describeOpenApi } = await import("./openapi.ts");
      return {
        key: "openapi",
        make: () => ({ body: JSON.stringify(describeOpenApi(version, DOCUMENTS, deprecated)) }),
      };
    },
  },
  {
    route: "/snapshots/",
    method: "GET",
    group: "snapshots",
    mediaType: JSON_TYPE,
    summary: "The published snapshots, newest first",
    openApi: { operationId: "listSnapshots", errors: [405, 500] },
    handle: listSnapshots,
  },
  {
    route: "/snapshots/latest.json",
    method: "GET",
    group: "snapshots",
    mediaType: JSON_TYPE,
    summary: "Which snapshot is served, with its hashes",
    openApi: { operationId: "latestSnapshot", errors: [405, 500] },
    handle: latestSnapshot,
  },
  {
    route: "/snapshots/{version}.json",
    method: "GET",
    group: "snapshots",
    mediaType: JSON_TYPE,
    summary: "Hashes, counts and crawl report of one snapshot",
    openApi: { operationId: "describeSnapshot", summary: "Hashes, counts and crawl report", errors: [404, 405, 500] },
    handle: manifestOfSnapshot,
  },
  {
    route: "/snapshots/{version}.json.minisig",
    method: "GET",
    group: "snapshots",
    mediaType: "text/plain",
    summary: "The signature of that, in minisign's form, where it was signed",
    openApi: { operationId: "signatureOfSnapshot", errors: [404, 405, 500] },
    handle: signatureOfSnapshot,
  },
  {
    route: "/snapshots/{version}/changes.json",
    method: "GET",
    group: "snapshots",
    kind: "file",
    mediaType: JSON_TYPE,
    summary: "What changed since the night before it, where that was compared",
    openApi: { operationId: "changesOfSnapshot", errors: [404, 405, 412, 416, 500, 503] },
    handle: changesOfSnapshot,
  },
  {
    route: "/snapshots/{version}.sqlite",
    method: "GET",
    group: "snapshots",
    kind: "file",
    mediaType: "application/vnd.sqlite3",
    summary: "Its SQLite file; ranges of bytes are answered",
    openApi: {
      operationId: "downloadSnapshot",
      summary: "The SQLite file; ranges of bytes are answered",
      errors: [404, 405, 412, 416, 500, 503],
    },
    handle: fileOfSnapshot,
  },
  {
    route: "/snapshots/{version}.sqlite.zst",
    method: "GET",
    group: "snapshots",
    kind: "file",
    mediaType: "application/zstd",
    summary: "The same as zstd, where a compressed copy was made",
    openApi: { operationId: "downloadCompressed", errors: [404, 405, 412, 416, 500, 503] },
    handle: compressedSnapshot,
  },
  ...(["send-vc", "login", "logout"] as const).map(authRoute),
  adminRoute(
    "health",
    JSON_TYPE,
    "200 while it serves: the snapshot, the ages of its answers and what the upstream refuses, why a newer snapshot was refused, how a source that is followed stands",
    [405, 500],
  ),
  adminRoute(
    "ready",
    JSON_TYPE,
    "503 when the snapshot or what it holds is too old, is no longer what was signed, or the mirror is shutting down",
    [503, 405, 500],
  ),
  adminRoute("metrics", "text/plain", "Counters and gauges in the text format of Prometheus", [405, 500]),
];

const AUTH_ROUTES = new Set(DOCUMENTS.filter(({ group }) => group === "auth").map(({ route }) => route));

export const isAuthRoute = (route: string): boolean => AUTH_ROUTES.has(route);

function authRoute(name: string): Document {
  return {
    route: `/api/user/auth/${name}`,
    method: "POST",
    group: "auth",
    kind: "short",
    mediaType: JSON_TYPE,
    summary: "Passed to the upstream",
    openApi: {
      operationId: name,
      summary: "Passed to the upstream byte for byte, and its answer back",
      errors: [400, 405, 408, 413, 429, 500, 502, 503, 504],
    },
    async handle(request, snapshot, { auth }) {
      const { status, body, headers } = await auth(request);
      return { status, body, headers: noStoreHeaders(snapshot, headers) };
    },
  };
}

function adminRoute(name: keyof AdminRoutes, mediaType: string, summary: string, errors: readonly number[]): Document {
  return {
    route: `/${name}`,
    method: "GET",
    group: "admin",
    kind: "short",
    mediaType,
    summary: "For whoever runs the mirror",
    openApi: { operationId: name, summary, errors },
    async handle(_, snapshot, { admin }) {
      const { body, headers } = await admin[name]();
      return { status: 200, body: Buffer.from(body), headers: noStoreHeaders(snapshot, headers) };
    },
  };
}
