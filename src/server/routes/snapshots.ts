import { hash } from "node:crypto";
import { ApiError } from "../../api/errors.ts";
import { COMPANION_NAMES, COMPANIONS, type Companion, companionOf } from "../../snapshot/published/folder.ts";
import type { Pointer } from "../../snapshot/published/pointer.ts";
import type { DocumentOf } from "../contract/documents.ts";
import { writeAtom } from "../feed/atom.ts";
import type { MirrorRequest } from "../http/exchange.ts";
import { IMMUTABLE, type SnapshotHandle } from "../query/snapshot-handle.ts";
import type { PublishedSnapshot, Versions } from "../reload/versions.ts";
import type { ServedFile } from "../response/files.ts";
import { type SnapshotFacts, snapshotHeaders } from "../response/http-response.ts";
import type { CachedBody } from "../response/respond.ts";
import type { RouteEntry, Services } from "./route.ts";

/** `Cache-Control` of bodies that change with the next publication: a cache revalidates them each time. */
const NO_CACHE = "no-cache";

export const listSnapshots: RouteEntry["handle"] = (_, snapshot, { versions }) =>
  changing("list", describeList(versions, snapshot), NO_CACHE);

export const latestSnapshot: RouteEntry["handle"] = (_, snapshot, { versions }) =>
  changing("latest", `${JSON.stringify(versions.find(snapshot.version).essentials, null, 2)}\n`, NO_CACHE);

/** A night that is published again has another number, follows another one, and may be signed again. */
export const manifestOfSnapshot: RouteEntry["handle"] = (request, _, services) =>
  changing("manifest", findNamed(request, services).manifest, NO_CACHE);

export function signatureOfSnapshot(request: MirrorRequest, _: SnapshotHandle, services: Services): CachedBody {
  const published = findNamed(request, services);
  if (published.signature === undefined) throw notSigned(published);
  return changing("signature", published.signature, NO_CACHE);
}

export const fileOfSnapshot: RouteEntry["handle"] = (request, _, services) =>
  toServedFile(findNamed(request, services), services);

/** Finds a file beside that of a snapshot, as the manifest lists it. */
export const besideSnapshot =
  (name: Companion): RouteEntry["handle"] =>
  (request, _, services) => {
    const published = findNamed(request, services);
    const listed = published[name];
    if (!listed) throw notBeside(name, published.essentials);
    const { headers, ...served } = toServedFile(published, services, companionOf(published.file, name), listed);
    // The changes are others if the night is published again after another one.
    return { ...served, headers: name === "changes" ? { ...headers, "cache-control": NO_CACHE } : headers };
  };

/** Answers with a feed of the changes, night by night. */
export const changesFeed: RouteEntry["handle"] = async (_, snapshot, { readFeed, site }) =>
  changing("feed", writeAtom(await readFeed(), snapshot, site), NO_CACHE);

const urlBeside = (name: Companion, version: string) =>
  `/snapshots/${version}${name === "changes" ? "/" : "."}${COMPANIONS[name]}`;

const findNamed = ({ params }: MirrorRequest, { versions }: Services) => versions.find(params.version ?? "");

/** Makes the reply with a text that is made anew for each request: only its encodings are cached. */
const changing = (key: string, body: string, cacheControl: string): CachedBody => ({
  key: `${key} ${hash("sha256", body, "base64url")}`,
  make: () => ({ body }),
  cacheControl,
  changes: true,
});

function describeList(versions: Versions, { version: latest }: SnapshotFacts): string {
  const records = versions.list().map(({ essentials, signature, withdrawn, ...beside }) => ({
    ...essentials,
    latest: essentials.version === latest,
    withdrawn,
    urls: {
      file: `/snapshots/${essentials.version}.sqlite`,
      manifest: `/snapshots/${essentials.version}.json`,
      ...(signature !== undefined && { signature: `/snapshots/${essentials.version}.json.minisig` }),
      api: `/snapshots/${essentials.version}/api/`,
      ...Object.fromEntries(
        COMPANION_NAMES.filter((name) => beside[name]).map((name) => [name, urlBeside(name, essentials.version)]),
      ),
    },
  }));
  const list: DocumentOf<"Snapshots"> = { code: 0, message: "OK", data: { records, total: records.length } };
  return JSON.stringify(list);
}

/** Makes the reply with the file of a snapshot, or one beside it. */
function toServedFile(
  { file, essentials }: PublishedSnapshot,
  { versions }: Services,
  path = file,
  listed: Pick<Pointer, "size" | "sha256"> = essentials,
): ServedFile {
  const { version, started_at: startedAt, sample = false } = essentials;
  return {
    open: () => versions.openListed(path, listed),
    tag: listed.sha256,
    headers: snapshotHeaders({ version, startedAt, sample }, IMMUTABLE),
    lastModified: new Date(startedAt).toUTCString(),
  };
}

/** Messages for a client that asks for a file which does not lie beside this snapshot. */
const NOT_BESIDE: Record<Companion, { message: string; hint: (version: string) => string }> = {
  compressed: {
    message: "This snapshot has no compressed copy.",
    hint: (version) => `GET /snapshots/${version}.sqlite is the file itself.`,
  },
  analysts: {
    message: "This snapshot has no analysts' file.",
    hint: (version) => `GET /snapshots/${version}.sqlite has its tables, and the archive.`,
  },
  history: {
    message: "No history lies beside this snapshot.",
    hint: () => "At most one snapshot has it; GET /snapshots/ names it under urls.history.",
  },
  changes: {
    message: "This snapshot was not compared with the night before.",
    hint: () =>
      "A snapshot is compared when it is published, if the night before is there; GET /snapshots/ names the result under urls.changes.",
  },
};

function notBeside(name: Companion, { version }: Pointer): ApiError {
  const { message, hint } = NOT_BESIDE[name];
  return new ApiError("RESOURCE_NOT_FOUND", { message, hint: hint(version), detail: urlBeside(name, version) });
}

const notSigned = ({ essentials: { version } }: PublishedSnapshot) =>
  new ApiError("RESOURCE_NOT_FOUND", {
    message: "The manifest of this snapshot is not signed.",
    hint: `GET /snapshots/${version}.json is the manifest itself.`,
    detail: `${version}.json.minisig`,
  });
