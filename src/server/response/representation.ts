import { hash } from "node:crypto";
import { type Compression, compress, type Encoding, negotiateEncoding } from "./compress.ts";
import { entityTag, matchedEtag } from "./conditional.ts";
import {
  type Headers,
  type HttpResponse,
  JSON_TYPE,
  type RequestHead,
  type ResponseMeta,
  snapshotHeaders,
} from "./http-response.ts";

/** A finished body, with the encodings that were asked for so far; its bytes lie outside the heap. */
export interface Representation {
  /** Without quotes; each encoding has an entity tag of its own, made from it. */
  tag: string;
  /** As in `Content-Type`. */
  contentType: string;
  identity: Buffer;
  compressed: ReadonlyMap<Compression, Buffer>;
}

// Shorter ones fit into one packet as they are.
const MIN_COMPRESSED_BYTES = 1000;

/** `content` must name the bytes: the tag made from it is strong. */
export function createRepresentation(content: string, identity: Buffer, contentType = JSON_TYPE): Representation {
  return { tag: hash("sha256", content, "base64url").slice(0, 22), contentType, identity, compressed: new Map() };
}

export const representText = (text: string, contentType = JSON_TYPE): Representation =>
  createRepresentation(text, Buffer.from(text), contentType);

export const encodingFor = ({ identity }: Representation, request: RequestHead): Encoding =>
  identity.length < MIN_COMPRESSED_BYTES ? "identity" : negotiateEncoding(request.headers["accept-encoding"]);

/** The representation with one more encoding. */
export async function addCompression(made: Representation, compression: Compression): Promise<Representation> {
  const bytes = await compress(made.identity, compression);
  return { ...made, compressed: new Map([...made.compressed, [compression, bytes]]) };
}

/**
 * The response to a request for a representation; nothing when the encoding has still to be made.
 * Throws an ApiError PRECONDITION_FAILED.
 */
export function toResponse(
  { tag, contentType, identity, compressed }: Representation,
  encoding: Encoding,
  meta: ResponseMeta,
  request: RequestHead,
): HttpResponse | undefined {
  const matched = matchedEtag(request, tag, meta.lastModified, encoding);
  const body = encoding === "identity" ? identity : compressed.get(encoding);
  const headers: Headers = {
    ...snapshotHeaders(meta, meta.cacheControl),
    "content-type": contentType,
    etag: matched ?? entityTag(tag, encoding),
    "last-modified": meta.lastModified,
    vary: "Accept-Encoding",
  };
  if (matched !== undefined) return { status: 304, headers, body: undefined };
  if (!body) return undefined;
  headers["content-length"] = String(body.length);
  if (encoding !== "identity") headers["content-encoding"] = encoding;
  return { status: 200, headers, body };
}
