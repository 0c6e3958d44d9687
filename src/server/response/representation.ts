import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import pLimit from "p-limit";
import { ApiError } from "../../api/errors.ts";
import type { RequestHead } from "../http/exchange.ts";
import type { Headers, MirrorResponse, ResponseMeta } from "./http-response.ts";

/** Content codings (RFC 9110, 8.4.1), the preferred one first. */
const ENCODINGS = ["br", "zstd", "gzip"] as const;

export type Compression = (typeof ENCODINGS)[number];

export type Encoding = Compression | "identity";

/** A finished body, with the encodings that were asked for so far; its bytes lie outside the heap. */
export interface Representation {
  /** The basis of the entity tag of each encoding, without quotes. */
  tag: string;
  /** The value of `Content-Type`. */
  contentType: string;
  /** The time when the oldest of its parts was asked for, ISO 8601 in UTC; undefined if it comes from no slice. */
  dataAt: string | undefined;
  /** Headers besides those of all responses. */
  headers: Headers | undefined;
  identity: Buffer;
  compressed: ReadonlyMap<Compression, Buffer>;
}

/** The content from which a representation is made. */
export interface Content extends Partial<Pick<Representation, "dataAt" | "headers">> {
  body: string | Buffer;
  /** Names the bytes, of which a strong tag is made; by default they name themselves. */
  name?: string;
  /** The type of the content; the text type of the route by default. */
  contentType?: string;
}

// Shorter bodies fit into one packet as they are.
const MIN_COMPRESSED_BYTES = 1000;

export function createRepresentation({
  body,
  name,
  contentType,
  dataAt,
  headers,
}: Required<Pick<Content, "contentType">> & Content): Representation {
  const tag = hash("sha256", name ?? body, "base64url").slice(0, 22);
  const identity = typeof body === "string" ? Buffer.from(body) : body;
  return { tag, contentType, dataAt, headers, identity, compressed: new Map() };
}

export const encodingFor = ({ identity }: Pick<Representation, "identity">, request: RequestHead): Encoding =>
  identity.length < MIN_COMPRESSED_BYTES ? "identity" : negotiateEncoding(request.headers["accept-encoding"]);

/** Encodes a body that is another one each time, so that nobody keeps it. */
export async function encodeOnce(identity: Buffer, request: RequestHead): Promise<{ body: Buffer; headers: Headers }> {
  const encoding = encodingFor({ identity }, request);
  const headers = { vary: "Accept-Encoding" };
  if (encoding === "identity" || isQueueFull()) return { body: identity, headers };
  return { body: await compress(identity, encoding), headers: { ...headers, "content-encoding": encoding } };
}

/**
 * Makes the response to a request for a representation, in an encoding; undefined if the encoding has still to be made. Throws an ApiError
 * PRECONDITION_FAILED.
 */
export function toResponse(
  representation: Representation,
  encoding: Encoding,
  meta: ResponseMeta,
  request: RequestHead,
): MirrorResponse | undefined {
  const matched = matchedEtag(request, representation.tag, meta.lastModified, encoding);
  if (matched !== undefined) return { status: 304, headers: headersOf(representation, matched, meta), body: undefined };
  const { identity, compressed } = representation;
  const body = encoding === "identity" ? identity : compressed.get(encoding);
  return body && bodyResponse(representation, encoding, body, meta);
}

/** Makes the response with a body in one encoding. */
export function bodyResponse(
  representation: Representation,
  encoding: Encoding,
  body: Buffer,
  meta: ResponseMeta,
): MirrorResponse {
  const headers = headersOf(representation, entityTag(representation.tag, encoding), meta);
  headers["content-length"] = String(body.length);
  if (encoding !== "identity") headers["content-encoding"] = encoding;
  return { status: 200, headers, body };
}

function headersOf(
  { contentType, dataAt, headers: ownHeaders }: Representation,
  etag: string,
  meta: ResponseMeta,
): Headers {
  const headers: Headers = {
    ...meta.headers,
    ...meta.urlHeaders,
    ...ownHeaders,
    "content-type": contentType,
    etag,
    "last-modified": meta.lastModified,
    vary: "Accept-Encoding",
  };
  if (dataAt !== undefined) headers["x-data-at"] = dataAt;
  return headers;
}

/** The method of version 1; the published types are of version 0. */
interface NegotiatorV1 {
  encodings(available: Encoding[], options: { preferred: readonly Encoding[] }): Encoding[];
}

/** Encodings by `Accept-Encoding`: clients send the same few values. */
const negotiated = new LRUCache<string, Encoding>({ max: 500 });

/** Returns the encoding that the client prefers. One that accepts none gets `identity`, which is better than a 406. */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return "identity";
  const earlier = negotiated.get(acceptEncoding);
  if (earlier !== undefined) return earlier;
  const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }) as unknown as NegotiatorV1;
  const encoding = negotiator.encodings([...ENCODINGS, "identity"], { preferred: ENCODINGS })[0] ?? "identity";
  if (acceptEncoding.length < 200) negotiated.set(acceptEncoding, encoding);
  return encoding;
}

/** Makes the entity tag (RFC 9110, 8.8.3) of one encoding; each encoding has another. */
const entityTag = (tag: string, encoding: Encoding) => (encoding === "identity" ? `"${tag}"` : `"${tag}-${encoding}"`);

const ALL_ENCODINGS: readonly Encoding[] = [...ENCODINGS, "identity"];

/**
 * Returns the entity tag for a 304 (RFC 9110, 13.2.2); undefined if the client needs the body. The tag of any encoding matches, weak or
 * strong. A date counts only without tags, and must be exactly the one we sent: after a rollback the newer answer has the older date.
 * Throws an ApiError PRECONDITION_FAILED.
 */
export function matchedEtag(
  request: RequestHead,
  tag: string,
  lastModified: string,
  encoding: Encoding,
): string | undefined {
  checkPrecondition(request, tag, lastModified);
  const tags = request.headers["if-none-match"];
  if (tags === undefined) {
    const since = request.headers["if-modified-since"];
    return since !== undefined && Date.parse(since) === Date.parse(lastModified) ? entityTag(tag, encoding) : undefined;
  }
  const wanted = entityTag(tag, encoding);
  if (tags.trim() === "*") return wanted;
  const held = new Set(tags.match(/"[^"]*"/g));
  return [wanted, ...ALL_ENCODINGS.map((other) => entityTag(tag, other))].find((etag) => held.has(etag));
}

/** Tells whether a request may be answered with 412. */
export const hasPrecondition = (request: RequestHead): boolean =>
  request.headers["if-match"] !== undefined || request.headers["if-unmodified-since"] !== undefined;

/** Checks preconditions: If-Match wants one of the strong tags; without it If-Unmodified-Since wants a date that is not before ours. */
function checkPrecondition(request: RequestHead, tag: string, lastModified: string) {
  if (!hasPrecondition(request)) return;
  const match = request.headers["if-match"];
  const since = request.headers["if-unmodified-since"];
  const wanted = match?.split(",").map((etag) => etag.trim());
  const holds = wanted
    ? wanted.includes("*") || ALL_ENCODINGS.some((encoding) => wanted.includes(entityTag(tag, encoding)))
    : !(Date.parse(since ?? "") < Date.parse(lastModified));
  if (holds) return;
  throw new ApiError("PRECONDITION_FAILED", {
    message: "The current state does not meet the condition of the request.",
    hint: "Ask without the condition to get the current state.",
    detail: (match ?? since) || "an empty condition",
  });
}

/** Tells whether If-Range allows a part of the file as it is now: it names a strong tag, or exactly the date. */
export function matchesIfRange(request: RequestHead, tag: string, lastModified: string): boolean {
  const condition = request.headers["if-range"]?.trim();
  if (condition === undefined) return true;
  return condition.startsWith('"') ? condition === tag : Date.parse(condition) === Date.parse(lastModified);
}

/** The most compressions at a time: as many as a small machine has cores. */
const MAX_CONCURRENT = 2;
/** The most bodies that wait; beyond this, responses go out uncompressed. */
const MAX_QUEUED = 16;

const limit = pLimit(MAX_CONCURRENT);

export const isQueueFull = () => limit.pendingCount >= MAX_QUEUED;

/** Compresses when a place is free: each compression takes memory. */
export const compress = (bytes: Uint8Array, compression: Compression): Promise<Buffer> =>
  limit(COMPRESSORS[compression], bytes);

/** Returns the size of the window as a power of two: one larger than the body only takes memory. */
const windowBits = ({ length }: Uint8Array, [least, most]: [number, number]) =>
  Math.min(most, Math.max(least, Math.ceil(Math.log2(length + 1))));

// Made once and sent often, but a client waits for it: beyond these levels bodies hardly get smaller.
const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
const deflate = promisify(gzip) as (bytes: Uint8Array, options: object) => Promise<Buffer>;
const COMPRESSORS: Record<Compression, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes, [10, 20]),
      },
    }),
  zstd: (bytes) =>
    zstd(bytes, {
      pledgedSrcSize: bytes.length,
      params: {
        [constants.ZSTD_c_compressionLevel]: 9,
        [constants.ZSTD_c_windowLog]: windowBits(bytes, [10, 20]),
      },
    }),
  gzip: (bytes) => deflate(bytes, { windowBits: windowBits(bytes, [9, 15]) }),
};
