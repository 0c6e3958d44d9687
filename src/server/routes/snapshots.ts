import { existsSync } from "node:fs";
import { getRouterParam, type H3Event } from "h3";
import { ApiError } from "../../api/errors.ts";
import { compressedPath } from "../../snapshot/published/compress.ts";
import { changesOf } from "../../snapshot/published/folder.ts";
import { IMMUTABLE, type SnapshotHandle } from "../query/snapshot-handle.ts";
import type { PublishedSnapshot, Versions } from "../reload/versions.ts";
import { fileResponse, type ServedFile } from "../response/files.ts";
import { representBody } from "../response/representation.ts";
import { toRequestHead } from "../response/respond.ts";
import type { RouteServices } from "./document.ts";

/** For what changes with the next publication: a cache asks each time whether it still holds. */
const NO_CACHE = "no-cache";

/** The version in the path of a request; any text. */
export const versionOf = (event: H3Event) => getRouterParam(event, "version") ?? "";

export function listSnapshots(event: H3Event, handle: SnapshotHandle, services: RouteServices) {
  return respondText(event, handle, services, describeList(services.versions, handle), NO_CACHE);
}

export function latestSnapshot(event: H3Event, handle: SnapshotHandle, services: RouteServices) {
  const { essentials } = services.versions.find(handle.version);
  return respondText(event, handle, services, `${JSON.stringify(essentials, null, 2)}\n`, NO_CACHE);
}

export function manifestOfSnapshot(event: H3Event, handle: SnapshotHandle, services: RouteServices) {
  const { manifest } = services.versions.find(versionOf(event));
  return respondText(event, handle, services, manifest, handle.cacheControl);
}

export function signatureOfSnapshot(event: H3Event, handle: SnapshotHandle, services: RouteServices) {
  const published = services.versions.find(versionOf(event));
  if (published.signature === undefined) throw notSigned(published);
  return respondText(event, handle, services, published.signature, NO_CACHE);
}

export function fileOfSnapshot(event: H3Event, _: SnapshotHandle, { versions, mediaType }: RouteServices) {
  const published = versions.find(versionOf(event));
  return fileResponse(toServedFile(published, mediaType), toRequestHead(event));
}

export function compressedSnapshot(event: H3Event, _: SnapshotHandle, { versions, mediaType }: RouteServices) {
  const published = versions.find(versionOf(event));
  const path = compressedPath(published.file);
  if (!published.compressed || !existsSync(path)) throw notCompressed(published);
  const tag = `${published.essentials.sha256}-zst`;
  return fileResponse({ ...toServedFile(published, mediaType), path, tag }, toRequestHead(event));
}

export function changesOfSnapshot(event: H3Event, _: SnapshotHandle, { versions, mediaType }: RouteServices) {
  const published = versions.find(versionOf(event));
  const path = changesOf(published.file);
  if (!published.changes || !existsSync(path)) throw notCompared(published);
  return fileResponse(
    { ...toServedFile(published, mediaType), path, tag: published.changes.sha256 },
    toRequestHead(event),
  );
}

/** Not remembered by its URL: the text is made anew for each request, only its encodings are cached. */
function respondText(
  event: H3Event,
  handle: SnapshotHandle,
  { cache, route, mediaType }: RouteServices,
  text: string,
  cacheControl: string,
) {
  const made = representBody(text, { contentType: `${mediaType}; charset=utf-8` });
  const key = `${route} ${made.tag}`;
  return cache.respond(
    cache.getRepresentation(key, () => made),
    { key, meta: { ...handle, cacheControl }, route },
    toRequestHead(event),
    undefined,
  );
}

function describeList(versions: Versions, { version: latest }: SnapshotHandle): string {
  const records = versions.list().map(({ essentials, signature, withdrawn, changes }) => ({
    ...essentials,
    latest: essentials.version === latest,
    withdrawn,
    urls: {
      file: `/snapshots/${essentials.version}.sqlite`,
      manifest: `/snapshots/${essentials.version}.json`,
      ...(signature !== undefined && { signature: `/snapshots/${essentials.version}.json.minisig` }),
      api: `/snapshots/${essentials.version}/api/`,
      ...(changes && { changes: `/snapshots/${essentials.version}/changes.json` }),
    },
  }));
  return JSON.stringify({ code: 0, message: "OK", data: { records, total: records.length } });
}

function toServedFile({ file, essentials }: PublishedSnapshot, mediaType: string): ServedFile {
  const { version, started_at, sha256, sample = false } = essentials;
  return {
    path: file,
    tag: sha256,
    mediaType,
    version,
    startedAt: started_at,
    sample,
    lastModified: new Date(started_at).toUTCString(),
    cacheControl: IMMUTABLE,
  };
}

const notCompared = ({ essentials: { version } }: PublishedSnapshot) =>
  new ApiError("RESOURCE_NOT_FOUND", {
    message: "What changed is not known for this snapshot.",
    hint: "It is where the night before was there when this one was published; GET /snapshots/ names it under urls.changes.",
    detail: `${version}/changes.json`,
  });

const notSigned = ({ essentials: { version } }: PublishedSnapshot) =>
  new ApiError("RESOURCE_NOT_FOUND", {
    message: "The manifest of this snapshot is not signed.",
    hint: `GET /snapshots/${version}.json is the manifest itself.`,
    detail: `${version}.json.minisig`,
  });

const notCompressed = ({ essentials: { version } }: PublishedSnapshot) =>
  new ApiError("RESOURCE_NOT_FOUND", {
    message: "This snapshot has no compressed copy.",
    hint: `GET /snapshots/${version}.sqlite is the file itself.`,
    detail: `${version}.sqlite.zst`,
  });
