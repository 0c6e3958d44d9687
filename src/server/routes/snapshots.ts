import { existsSync } from "node:fs";
import { getRouterParam, type H3, type H3Event } from "h3";
import { compressedOf } from "../../snapshot/published/compress.ts";
import { IMMUTABLE, type SnapshotHandle } from "../query/snapshot-handle.ts";
import type { ActiveSnapshot } from "../reload/active-snapshot.ts";
import type { PublishedSnapshot, Versions } from "../reload/versions.ts";
import { fileResponse, type ServedFile } from "../response/files.ts";
import type { HttpResponse } from "../response/http-response.ts";
import { representText } from "../response/representation.ts";
import type { Respond, Route } from "../response/respond.ts";
import { addApiRoutes, toRequestHead } from "./api.ts";
import {
  COMPRESSED_ROUTE,
  FILE_ROUTE,
  LATEST_ROUTE,
  LIST_ROUTE,
  MANIFEST_ROUTE,
  PINNED_ROUTE,
  unmatched,
} from "./routes.ts";

export interface SnapshotRoutesDeps {
  active: ActiveSnapshot;
  versions: Versions;
  respond: Respond;
}

/** They change with the next publication: whoever keeps one asks each time whether it is still so. */
const NO_CACHE = "no-cache";

const FILE_NAME = /^(.*)\.(json|sqlite|sqlite\.zst)$/;

/** What lies under a version's name, by its ending. */
interface Kind extends Pick<Route, "route" | "kind"> {
  answer: (
    published: PublishedSnapshot,
    event: H3Event,
    handle: SnapshotHandle,
  ) => HttpResponse | Promise<HttpResponse>;
}

/** The published snapshots: their list, manifests and files, and all routes of `/api` from one of them. */
export function addSnapshotRoutes(app: H3, { active, versions, respond }: SnapshotRoutesDeps) {
  const { cache } = active;
  const version = (event: H3Event) => getRouterParam(event, "version") ?? "";
  const text = (event: H3Event, handle: SnapshotHandle, name: string, body: string, cacheControl: string) => {
    const made = representText(body);
    const key = `${name} ${made.tag}`;
    const address = { key, meta: { ...handle, cacheControl }, route: name };
    return cache.respond(
      cache.getRepresentation(key, () => made),
      address,
      toRequestHead(event),
      undefined,
    );
  };

  app.get(LIST_ROUTE, (event) =>
    respond(event, {
      route: LIST_ROUTE,
      answer: (_, handle) => text(event, handle, LIST_ROUTE, describeList(versions, handle), NO_CACHE),
    }),
  );
  app.get(LATEST_ROUTE, (event) =>
    respond(event, {
      route: LATEST_ROUTE,
      answer: (_, handle) =>
        text(event, handle, LATEST_ROUTE, format(versions.find(handle.version).essentials), NO_CACHE),
    }),
  );
  const kinds: Record<string, Kind> = {
    json: {
      route: MANIFEST_ROUTE,
      answer: ({ manifest }, event, handle) => text(event, handle, MANIFEST_ROUTE, manifest, handle.cacheControl),
    },
    sqlite: {
      route: FILE_ROUTE,
      kind: "file",
      answer: (published, event) => fileResponse(toServedFile(published), toRequestHead(event)),
    },
    "sqlite.zst": {
      route: COMPRESSED_ROUTE,
      kind: "file",
      answer(published, event) {
        const copy = toCompressedFile(published);
        if (copy) return fileResponse(copy, toRequestHead(event));
        throw notFound(event);
      },
    },
  };
  app.get("/snapshots/:name", (event) => {
    const [, name = "", ending = ""] = FILE_NAME.exec(getRouterParam(event, "name") ?? "") ?? [];
    const kind = kinds[ending];
    if (!kind) throw notFound(event);
    const answer = (_: H3Event, handle: SnapshotHandle) => kind.answer(versions.find(name), event, handle);
    return respond(event, { ...kind, answer });
  });
  addApiRoutes(app, PINNED_ROUTE, { cache, respond, snapshotOf: (event) => versions.open(version(event)) });
}

const notFound = (event: H3Event) => unmatched(event.req.method, event.url.pathname).error;

const format = (json: object) => `${JSON.stringify(json, null, 2)}\n`;

function describeList(versions: Versions, { version: latest }: SnapshotHandle): string {
  const records = versions.list().map(({ essentials, withdrawn }) => ({
    ...essentials,
    latest: essentials.version === latest,
    withdrawn,
    urls: {
      file: `/snapshots/${essentials.version}.sqlite`,
      manifest: `/snapshots/${essentials.version}.json`,
      api: `/snapshots/${essentials.version}/api/`,
    },
  }));
  return JSON.stringify({ code: 0, message: "OK", data: { records, total: records.length } });
}

/** The compressed copy, where one was made. */
function toCompressedFile(published: PublishedSnapshot): ServedFile | undefined {
  const path = compressedOf(published.file);
  if (!existsSync(path)) return undefined;
  return { ...toServedFile(published), path, tag: `${published.essentials.sha256}-zst`, mediaType: "application/zstd" };
}

function toServedFile({ file, essentials }: PublishedSnapshot): ServedFile {
  const { version, started_at, sha256 } = essentials;
  return {
    path: file,
    tag: sha256,
    mediaType: "application/vnd.sqlite3",
    version,
    startedAt: started_at,
    lastModified: new Date(started_at).toUTCString(),
    cacheControl: IMMUTABLE,
  };
}
