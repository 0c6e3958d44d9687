import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { ApiError } from "../../api/errors.ts";
import type { RequestHead } from "../http/request.ts";
import { type Compression, compress, ENCODINGS, type Encoding } from "./compress.ts";
import type { Headers, HttpResponse, ResponseMeta } from "./http-response.ts";

/** A finished body, with the encodings that were asked for so far; its bytes lie outside the heap. */
export interface Representation {
  /** Without quotes; each encoding has an entity tag of its own, made from it. */
  tag: string;
  /** As in `Content-Type`. */
  contentType: string;
  /** When the oldest of what it is made of was asked, ISO 8601 in UTC; undefined where it is about no slice. */
  dataAt: string | undefined;
  /** Its own, besides those of all responses. */
  headers: Headers | undefined;
  identity: Buffer;
  compressed: ReadonlyMap<Compression, Buffer>;
}

/** What a representation is made from. */
export interface Content extends Partial<Pick<Representation, "dataAt" | "headers">> {
  body: string | Buffer;
  /** Names the bytes, of which a strong tag is made; by default they name themselves. */
  name?: string;
  /** The text type of the route by default. */
  contentType?: string;
}

// Shorter ones fit into one packet as they are.
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

export const encodingFor = ({ identity }: Representation, request: RequestHead): Encoding =>
  identity.length < MIN_COMPRESSED_BYTES ? "identity" : negotiateEncoding(request.headers["accept-encoding"]);

/** The representation with one more encoding. */
export async function addCompression(made: Representation, compression: Compression): Promise<Representation> {
  const bytes = await compress(made.identity, compression);
  return { ...made, compressed: new Map([...made.compressed, [compression, bytes]]) };
}

/**
 * The response to a request for a representation; undefined if the encoding has still to be made.
 * Throws an ApiError PRECONDITION_FAILED.
 */
export function toResponse(
  { tag, contentType, dataAt, headers: own, identity, compressed }: Representation,
  encoding: Encoding,
  meta: ResponseMeta,
  request: RequestHead,
): HttpResponse | undefined {
  const matched = matchedEtag(request, tag, meta.lastModified, encoding);
  const body = encoding === "identity" ? identity : compressed.get(encoding);
  if (!body && matched === undefined) return undefined;
  const headers: Headers = {
    ...meta.headers,
    ...own,
    "content-type": contentType,
    etag: matched ?? entityTag(tag, encoding),
    "last-modified": meta.lastModified,
    vary: "Accept-Encoding",
  };
  if (dataAt !== undefined) headers["x-data-at"] = dataAt;
  if (matched !== undefined || !body) return { status: 304, headers, body: undefined };
  headers["content-length"] = String(body.length);
  if (encoding !== "identity") headers["content-encoding"] = encoding;
  return { status: 200, headers, body };
}

/** The method of version 1; the published types are of version 0. */
interface NegotiatorV1 {
  encodings(available: Encoding[], options: { preferred: readonly Encoding[] }): Encoding[];
}

/** By `Accept-Encoding`: clients send the same few values. */
const negotiated = new LRUCache<string, Encoding>({ max: 500 });

/** The encoding that the client prefers. One that accepts none gets `identity`, which is better than a 406. */
export function negotiateEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined) return "identity";
  const known = negotiated.get(acceptEncoding);
  if (known !== undefined) return known;
  const negotiator = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }) as unknown as NegotiatorV1;
  const encoding = negotiator.encodings([...ENCODINGS, "identity"], { preferred: ENCODINGS })[0] ?? "identity";
  if (acceptEncoding.length < 200) negotiated.set(acceptEncoding, encoding);
  return encoding;
}

/** The entity tag (RFC 9110, 8.8.3) of one encoding: each has one of its own. */
export const entityTag = (tag: string, encoding: Encoding) =>
  encoding === "identity" ? `"${tag}"` : `"${tag}-${encoding}"`;

const ALL_ENCODINGS: readonly Encoding[] = [...ENCODINGS, "identity"];

/**
 * The entity tag for a 304 (RFC 9110, 13.2.2); nothing when the client needs the body. The tag of any encoding matches, weak
 * or strong. A date counts only without tags, and must be exactly the one we sent: after a rollback the newer answer has the
 * older date. Throws an ApiError PRECONDITION_FAILED.
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
  return [wanted, ...ALL_ENCODINGS.map((other) => entityTag(tag, other))].find((one) => held.has(one));
}

/** Whether a request may be answered with 412. */
export const hasPrecondition = (request: RequestHead): boolean =>
  request.headers["if-match"] !== undefined || request.headers["if-unmodified-since"] !== undefined;

/** If-Match wants one of the strong tags; without it If-Unmodified-Since wants a date that is not before ours. */
function checkPrecondition(request: RequestHead, tag: string, lastModified: string) {
  if (!hasPrecondition(request)) return;
  const match = request.headers["if-match"];
  const since = request.headers["if-unmodified-since"];
  const wanted = match?.split(",").map((one) => one.trim());
  const holds = wanted
    ? wanted.includes("*") || ALL_ENCODINGS.some((encoding) => wanted.includes(entityTag(tag, encoding)))
    : !(Date.parse(since ?? "") < Date.parse(lastModified));
  if (holds) return;
  throw new ApiError("PRECONDITION_FAILED", {
    message: "There is another state than the request wants.",
    hint: "Ask without the condition to see it.",
    detail: (match ?? since ?? "").slice(0, 200) || "an empty condition",
  });
}

/** Whether If-Range allows a part of the file as it is now: it names a strong tag, or exactly the date. */
export function matchesIfRange(request: RequestHead, tag: string, lastModified: string): boolean {
  const condition = request.headers["if-range"]?.trim();
  if (condition === undefined) return true;
  return condition.startsWith('"') ? condition === tag : Date.parse(condition) === Date.parse(lastModified);
}
