import { basename } from "node:path/posix";
import * as z from "zod";
import { viaProxy } from "../../../network/proxy.ts";
import { readUpTo } from "../../../network/read-up-to.ts";
import { describeError, redactUrl } from "../../../network/unreachable.ts";
import { nameVersion } from "../../../snapshot/published/folder.ts";
import { manifestSchema } from "../../../snapshot/published/manifest.ts";
import { type Pointer, pointerSchema, sha256Schema, toPointer } from "../../../snapshot/published/pointer.ts";
import type { MaybeSequenced } from "../../../snapshot/published/sequence.ts";
import { parseSignature } from "../../../snapshot/signature/minisign.ts";
import { MAX_SIGNATURE_BYTES } from "../../../snapshot/signature/signed-manifest.ts";
import { type Client, discard, isNotFound } from "./client.ts";
import { NotFound, SourceRefused, SourceUnreachable } from "./errors.ts";

/** The most bytes of a snapshot; no real one is larger, and a larger one would only fill the disk. */
export const MAX_SNAPSHOT_BYTES = 2 ** 30;

/** The most bytes of a compressed history: thirty years of nights. */
const MAX_HISTORY_BYTES = 2 ** 35;

const MAX_POINTER_BYTES = 64 * 1024;
/** The most bytes of a manifest; that of a full crawl is a twelfth of this and 7 levels deep. */
const MAX_MANIFEST_BYTES = 2 ** 20;

/** The time by which the clock of a source may be ahead of ours. */
const MAX_CLOCK_SKEW_MS = 86_400_000;

/** The pointer of a source, with a bound on the size. A file of our own is bounded when it is made. */
const remotePointer = pointerSchema.extend({ size: pointerSchema.shape.size.max(MAX_SNAPSHOT_BYTES) });

const remoteManifest = z.looseObject({
  ...remotePointer.shape,
  compressed: z.object({ size: z.int().min(1).max(MAX_SNAPSHOT_BYTES), sha256: sha256Schema }).optional(),
  history: z
    .object({ size: z.int().min(1).max(MAX_HISTORY_BYTES), sha256: sha256Schema })
    .optional()
    .catch(undefined),
  latest: manifestSchema.shape.latest,
  follows: manifestSchema.shape.follows,
});

export type RemoteManifest = z.infer<typeof remoteManifest>;

/** A version that a source publishes. */
export interface Remote {
  pointer: Pointer;
  /** The URL of the folder that holds the files of all versions. */
  folder: URL;
}

/**
 * Fetches the latest version of a source. A mirror has `latest.json` in `/snapshots/`, a copied data folder has it beside `snapshots/`; the
 * URL may name either, or a `latest.json` that has the files beside it, as a release has. Like all readers here it rejects with
 * `SourceRefused` for a document that is wrong or too large, and with `SourceUnreachable` if the source does not answer.
 */
export async function fetchLatest(client: Client, base: URL): Promise<Remote> {
  const isPointer = base.pathname.endsWith("/latest.json");
  const path = base.pathname.replace(isPointer ? /\/latest\.json$/ : /\/+$/, "");
  const folder = new URL(base);
  folder.pathname = isPointer || path.endsWith("/snapshots") ? `${path}/` : `${path}/snapshots/`;
  const places = isPointer ? ["latest.json"] : ["latest.json", "../latest.json"];
  const candidates = places.map((path) => new URL(path, folder));
  for (const url of candidates) {
    const text = await fetchText(client, withQuery(url, base), MAX_POINTER_BYTES);
    if (text !== undefined) return { pointer: parsePointer(text, url, "pointer"), folder };
  }
  throw new SourceRefused(
    `${redactUrl(base)} has no latest.json, neither in snapshots/ nor beside it${viaProxy(base)}`,
  );
}

/** Fetches the version whose file the URL names. Rejects with `NotFound` if it has no manifest. */
export async function fetchByFileUrl(client: Client, file: URL): Promise<Remote> {
  const folder = withQuery(new URL("./", file), file);
  const url = urlOf(folder, `${basename(file.pathname, ".sqlite")}.json`);
  const text = await fetchText(client, url, MAX_MANIFEST_BYTES);
  if (text === undefined) throw new NotFound(`${redactUrl(url)} is not there`);
  return { pointer: parsePointer(text, url, "manifest"), folder };
}

/** The documents of a version at a source. */
export interface RemoteDocuments {
  manifest: RemoteManifest;
  text: string;
  signature: string | undefined;
}

/**
 * Fetches the manifest of a version, and its signature if there has to be one or the pointer says that there is. Rejects with
 * `SourceRefused` if the manifest contradicts the pointer, and with `NotFound` if the source has no manifest.
 */
export async function fetchDocuments(
  client: Client,
  { pointer, folder }: Remote,
  mustBeSigned: boolean,
): Promise<RemoteDocuments> {
  const url = urlOf(folder, `${pointer.version}.json`);
  const text = await fetchText(client, url, MAX_MANIFEST_BYTES);
  if (text === undefined) throw new NotFound(`${redactUrl(url)} is not there`);
  const manifest = parse(remoteManifest, text, url, "manifest");
  requireAlike(manifest, pointer, url);
  const isSigned = mustBeSigned || pointer.expires_at !== undefined;
  return { manifest, text, signature: isSigned ? await fetchSignature(client, { pointer, folder }) : undefined };
}

/** Fetches a night of a source by its name, with its signature if it has one; undefined if the source does not have it. */
export async function fetchNight(client: Client, folder: URL, version: string, isSigned: boolean) {
  const url = urlOf(folder, `${version}.json`);
  const text = await fetchText(client, url, MAX_MANIFEST_BYTES);
  if (text === undefined) return undefined;
  const pointer = toPointer(parsePointer(text, url, "manifest"));
  if (pointer.version !== version) throw new SourceRefused(`${redactUrl(url)} is the manifest of ${pointer.version}`);
  const remote: Remote = { pointer, folder };
  const signature = isSigned ? await fetchSignature(client, remote) : undefined;
  return { remote, documents: { manifest: parse(remoteManifest, text, url, "manifest"), text, signature } };
}

function requireAlike(manifest: RemoteManifest, pointer: Pointer, url: URL) {
  const names = [
    "version",
    "content_hash",
    "schema_version",
    "started_at",
    "sha256",
    "size",
    "sample",
    "rolling",
  ] as const;
  const different = names.find((name) => manifest[name] !== pointer[name]);
  if (different) throw new SourceRefused(`${redactUrl(url)} says another ${different} than latest.json`);
}

/** Fetches a signature; undefined if there is none, or if the file is not a signature. */
export async function fetchSignature(client: Client, { pointer, folder }: Remote): Promise<string | undefined> {
  const text = await fetchText(client, urlOf(folder, `${pointer.version}.json.minisig`), MAX_SIGNATURE_BYTES);
  return text !== undefined && parseSignature(text) ? text : undefined;
}

/** Fetches the place of a version in the order of the source; its name alone if the source has no valid manifest of it. */
export async function fetchSequence(client: Client, { folder }: Remote, version: string): Promise<MaybeSequenced> {
  const url = urlOf(folder, `${version}.json`);
  const text = await fetchText(client, url, MAX_MANIFEST_BYTES);
  try {
    const manifest = parse(remoteManifest, text ?? "", url, "manifest");
    return manifest.version === version ? manifest : { version };
  } catch {
    // The manifest is missing or damaged.
    return { version };
  }
}

/** Returns the URL of a file beside the snapshots. The schema of a version's name keeps it inside the folder. */
export const urlOf = (folder: URL, name: string) => withQuery(new URL(name, folder), folder);

/** Keeps the query of the source's URL, which may hold a token. */
function withQuery(url: URL, base: URL): URL {
  url.search = base.search;
  return url;
}

/**
 * Parses a pointer. It also checks that the name fits start and content, and that the start is not in the future: it would stay the newest.
 */
function parsePointer(text: string, url: URL, what: string): Pointer {
  const pointer = parse(remotePointer, text, url, what);
  const { version, started_at, content_hash } = pointer;
  if (version !== nameVersion(started_at, content_hash))
    throw new SourceRefused(
      `${redactUrl(url)} has a version ${version} that does not fit its started_at and content_hash`,
    );
  if (Date.parse(started_at) > Date.now() + MAX_CLOCK_SKEW_MS)
    throw new SourceRefused(
      `${redactUrl(url)} has a started_at, ${started_at}, more than a day ahead of the clock here, ${new Date().toISOString()}`,
    );
  return pointer;
}

function parse<T>(schema: z.ZodType<T>, text: string, url: URL, what: string): T {
  try {
    const json: unknown = JSON.parse(text);
    // A document that is nested too deep to be written again is refused here, and not when it is stored.
    JSON.stringify(json);
    return schema.parse(json);
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    throw new SourceRefused(
      `${redactUrl(url)} is not a ${what} of metasnap (${issue ? `${issue.path.join(".")}: ${issue.message}` : "no JSON"})`,
      error,
    );
  }
}

/** Fetches the text of a document of at most `maxBytes`; undefined if the source has no such document. */
async function fetchText(client: Client, url: URL, maxBytes: number): Promise<string | undefined> {
  const { status, body } = await client.get(url, {}, AbortSignal.timeout(client.timeoutMs));
  if (isNotFound(status)) return discard(body);
  if (status !== 200) {
    discard(body);
    throw new SourceUnreachable(`${redactUrl(url)} answers ${status}${viaProxy(url)}`);
  }
  try {
    return (await readUpTo(maxBytes, body)).toString("utf8");
  } catch (error) {
    if (error instanceof RangeError) throw new SourceRefused(`${redactUrl(url)} is larger than ${maxBytes} bytes`);
    throw new SourceUnreachable(`${redactUrl(url)} breaks off: ${describeError(error)}`, error);
  }
}
