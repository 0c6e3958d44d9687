import type { DocumentName } from "../contract/documents.ts";
import { noStoreHeaders, unknownPath } from "../response/http-response.ts";
import { encodeOnce } from "../response/representation.ts";
import { describeIndex } from "./api-index.ts";
import { describeForAssistants } from "./llms.ts";
import type { AdminRoutes, Document } from "./route.ts";
import {
  besideSnapshot,
  changesFeed,
  fileOfSnapshot,
  latestSnapshot,
  listSnapshots,
  manifestOfSnapshot,
  signatureOfSnapshot,
} from "./snapshots.ts";

const JSON_TYPE = "application/json";

/** The error statuses of any document; a document of one night also has 404, and a file also has 416. */
const OF_DOCUMENT = [405, 412, 500, 503];
const OF_NIGHT = [404, ...OF_DOCUMENT];
const OF_FILE = [416, ...OF_NIGHT];

/** The routes besides the endpoints. The router, the index, the OpenAPI document and the docs follow from this table. */
export const DOCUMENTS: readonly Document[] = [
  {
    route: "/api/",
    method: "GET",
    group: "api",
    mediaType: JSON_TYPE,
    summary: "List of all routes, and the snapshot that answers",
    openApi: {
      operationId: "listEndpoints",
      answer: "Index",
      errors: OF_DOCUMENT,
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
    summary: "OpenAPI document of this API",
    openApi: { operationId: "describeApi", answer: "OpenApi", errors: OF_DOCUMENT },
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
    summary: "List of the published snapshots, newest first",
    openApi: { operationId: "listSnapshots", answer: "Snapshots", errors: OF_DOCUMENT },
    handle: listSnapshots,
  },
  {
    route: "/snapshots/latest.json",
    method: "GET",
    group: "snapshots",
    mediaType: JSON_TYPE,
    summary: "Pointer to the snapshot that is served, with its hashes",
    openApi: { operationId: "latestSnapshot", answer: "Pointer", errors: OF_NIGHT },
    handle: latestSnapshot,
  },
  {
    route: "/snapshots/{version}.json",
    method: "GET",
    group: "snapshots",
    mediaType: JSON_TYPE,
    summary: "Manifest of a snapshot: hashes, counts and crawl report",
    openApi: { operationId: "describeSnapshot", answer: "Manifest", errors: OF_NIGHT },
    handle: manifestOfSnapshot,
  },
  {
    route: "/snapshots/{version}.json.minisig",
    method: "GET",
    group: "snapshots",
    mediaType: "text/plain",
    summary: "Detached minisign signature of the manifest; 404 if unsigned",
    openApi: { operationId: "signatureOfSnapshot", errors: OF_NIGHT },
    handle: signatureOfSnapshot,
  },
  {
    route: "/snapshots/{version}/changes.json",
    method: "GET",
    group: "snapshots",
    kind: "file",
    mediaType: JSON_TYPE,
    summary: "Changes of a snapshot since the night before; 404 if they were not compared",
    openApi: { operationId: "changesOfSnapshot", answer: "Changes", errors: OF_FILE },
    handle: besideSnapshot("changes"),
  },
  {
    route: "/snapshots/{version}.sqlite",
    method: "GET",
    group: "snapshots",
    kind: "file",
    mediaType: "application/vnd.sqlite3",
    summary: "SQLite file of a snapshot; supports byte ranges",
    openApi: { operationId: "downloadSnapshot", errors: OF_FILE },
    handle: fileOfSnapshot,
  },
  {
    route: "/snapshots/{version}.sqlite.zst",
    method: "GET",
    group: "snapshots",
    kind: "file",
    mediaType: "application/zstd",
    summary: "SQLite file of a snapshot, compressed with zstd; 404 if there is no compressed copy",
    openApi: { operationId: "downloadCompressed", errors: OF_FILE },
    handle: besideSnapshot("compressed"),
  },
  {
    route: "/snapshots/{version}.analysts.sqlite",
    method: "GET",
    group: "snapshots",
    kind: "file",
    mediaType: "application/vnd.sqlite3",
    summary: "SQLite file of the tables without the archive, for analysts; 404 if there is none",
    openApi: { operationId: "downloadForAnalysts", errors: OF_FILE },
    handle: besideSnapshot("analysts"),
  },
  {
    route: "/snapshots/{version}.history.sqlite.zst",
    method: "GET",
    group: "snapshots",
    kind: "file",
    mediaType: "application/zstd",
    summary: "SQLite file of the nights before a snapshot, compressed with zstd; 404 unless it is the newest",
    openApi: { operationId: "downloadHistory", errors: OF_FILE },
    handle: besideSnapshot("history"),
  },
  {
    route: "/changes.atom",
    method: "GET",
    group: "site",
    mediaType: "application/atom+xml",
    summary: "Atom feed: what changed, with an entry for each night",
    openApi: { operationId: "changesFeed", errors: OF_DOCUMENT },
    handle: changesFeed,
  },
  {
    route: "/llms.txt",
    method: "GET",
    group: "site",
    mediaType: "text/plain",
    summary: "Endpoints and parameters in the words that assistants read",
    openApi: { operationId: "describeForAssistants", errors: OF_DOCUMENT },
    handle: (_, snapshot, { site }) => ({
      key: "llms",
      make: () => ({ body: describeForAssistants(snapshot, DOCUMENTS, site) }),
    }),
  },
  ...(["send-vc", "login", "logout"] as const).map(authRoute),
  adminRoute(
    "health",
    "Health",
    "State of the mirror, 200 while it serves: snapshot, ages of its answers, closed parts of the upstream, reason for refusing a newer snapshot, state of a followed source",
  ),
  adminRoute(
    "ready",
    "Ready",
    "Readiness: 503 if the snapshot or its answers are too old, the snapshot no longer has its signed bytes, or the mirror is shutting down",
  ),
  adminRoute("metrics", undefined, "Metrics in the text format of Prometheus"),
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
    summary: `Login call ${name}, which the mirror passes to the upstream`,
    openApi: {
      operationId: name,
      answer: "Login",
      summary: `Login call ${name}: the mirror passes the request and the answer on byte for byte`,
      errors: [400, 405, 408, 413, 429, 500, 502, 503, 504],
    },
    async handle(request, snapshot, { auth }) {
      const { status, body, headers } = await auth(request);
      return { status, body, headers: noStoreHeaders(snapshot, headers) };
    },
  };
}

function adminRoute(name: keyof AdminRoutes, answer: DocumentName | undefined, summary: string): Document {
  return {
    route: `/${name}`,
    method: "GET",
    group: "admin",
    kind: "short",
    mediaType: answer ? JSON_TYPE : "text/plain",
    summary,
    openApi: { operationId: name, ...(answer && { answer }), errors: [405, 500, 503] },
    async handle(request, snapshot, { admin }) {
      const { method, pathname, exchange } = request;
      // A proxy in front keeps it private under this spelling alone.
      if ((exchange?.req.url ?? pathname).split("?")[0] !== `/${name}`) throw unknownPath(method, pathname);
      const { body, headers } = await admin[name]();
      const identity = Buffer.from(body);
      // A check of the mirror's health must not wait until other bodies are compressed.
      const encoded = answer ? { body: identity, headers: {} } : await encodeOnce(identity, request);
      return { ...encoded, status: 200, headers: noStoreHeaders(snapshot, { ...headers, ...encoded.headers }) };
    },
  };
}
