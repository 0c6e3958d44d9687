import { LRUCache } from "lru-cache";
import type { RequestHead } from "../http/exchange.ts";
import type { MirrorResponse, ResponseMeta } from "./http-response.ts";
import {
  bodyResponse,
  type Compression,
  compress,
  encodingFor,
  hasPrecondition,
  isQueueFull,
  type Representation,
  toResponse,
} from "./representation.ts";

/** The answer to a URL: the key of its representation, its snapshot, and the route that took it. */
interface CachedUrl {
  key: string;
  meta: ResponseMeta;
  route: string;
}

/** The memory for responses: their sources, finished bytes, and URLs as they were sent. Bounded by all their bytes. */
export interface Cache {
  /** Bytes for SQLite's page cache: of the file that is served, and of all pinned ones that are open. */
  readonly sqlitePageBytes: { served: number; pinned: number };

  /** Returns the value under this key, made if it is not here; `weigh` returns its bytes. */
  getOrCreate<T extends object>(key: string, create: () => T, weigh: (created: T) => number): T;

  /** Returns the representation under this key, made if it is not here, and kept from the second request on. */
  getRepresentation(key: string, create: () => Representation): Representation;

  /**
   * Makes the response with a representation, in the encoding that the request prefers; the uncompressed one while too many others wait to
   * be compressed. Remembers the URL, if one is given. Rejects with an ApiError PRECONDITION_FAILED.
   */
  respond(
    representation: Representation,
    cached: CachedUrl,
    request: RequestHead,
    url: string | undefined,
  ): Promise<MirrorResponse>;

  /**
   * Returns the response to a URL that was answered before, and its route; undefined if the representation or its encoding is not here, or
   * if the request has a precondition.
   */
  getResponse(url: string, request: RequestHead): { response: MirrorResponse; route: string } | undefined;

  /** Forgets the URLs, which lead to another snapshot from now on. */
  clearUrls(): void;

  sizeBytes(): number;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** The memory of an entry besides its bytes, estimated. */
const ENTRY_OVERHEAD_BYTES = 400;

/** The shares of the memory. */
const SHARES = { entries: 3 / 8, urls: 1 / 8, served: 1 / 4, pinned: 1 / 4 };

/** The size of the pages that hold the lists of all ranks and windows: with less, each list would read pages of the file again. */
const MIN_SERVED_PAGE_BYTES = 10 * 1024 * 1024;

export function createCache(maxBytes = DEFAULT_MAX_BYTES): Cache {
  const entries = new LRUCache<string, object>({ maxSize: Math.ceil(maxBytes * SHARES.entries) });
  const urls = new LRUCache<string, CachedUrl>({ maxSize: Math.ceil(maxBytes * SHARES.urls) });
  const compressing = new Map<string, Promise<Buffer>>();
  const isSecondRequest = createDoorkeeper(entries.maxSize);

  const set = (key: string, value: object, bytes: number) =>
    entries.set(key, value, { size: ENTRY_OVERHEAD_BYTES + 2 * key.length + bytes });

  const setRepresentation = (key: string, representation: Representation) =>
    set(key, representation, bytesOf(representation));

  /** Compresses once: requests for an encoding that is being made wait for the same one. */
  function compressOnce(key: string, representation: Representation, compression: Compression): Promise<Buffer> {
    const name = `${compression} ${key}`;
    const begun = compressing.get(name);
    if (begun) return begun;
    const bytes = compress(representation.identity, compression)
      .then((compressed) => {
        const kept = (entries.peek(key) ?? representation) as Representation;
        // Compression is expensive: kept at the first request.
        setRepresentation(key, { ...kept, compressed: new Map([...kept.compressed, [compression, compressed]]) });
        return compressed;
      })
      .finally(() => compressing.delete(name));
    compressing.set(name, bytes);
    return bytes;
  }

  return {
    sqlitePageBytes: {
      served: Math.max(MIN_SERVED_PAGE_BYTES, maxBytes * SHARES.served),
      pinned: maxBytes * SHARES.pinned,
    },

    getOrCreate<T extends object>(key: string, create: () => T, weigh: (created: T) => number): T {
      const kept = entries.get(key) as T | undefined;
      if (kept) return kept;
      const created = create();
      set(key, created, weigh(created));
      return created;
    },

    getRepresentation(key, create) {
      const kept = entries.get(key) as Representation | undefined;
      if (kept) return kept;
      const created = create();
      if (isSecondRequest(hashOf(created), created.identity.length)) setRepresentation(key, created);
      return created;
    },

    async respond(representation, cached, request, url) {
      const encoding = encodingFor(representation, request);
      const { meta, key } = cached;
      if (url !== undefined && (encoding !== "identity" || entries.has(key)))
        urls.set(url, cached, { size: ENTRY_OVERHEAD_BYTES + 2 * (url.length + key.length) });
      const ready = toResponse(representation, encoding, meta, request);
      if (ready) return ready;
      if (encoding === "identity" || isQueueFull())
        return bodyResponse(representation, "identity", representation.identity, meta);
      return bodyResponse(representation, encoding, await compressOnce(key, representation, encoding), meta);
    },

    getResponse(url, request) {
      const cached = urls.get(url);
      const representation = cached && (entries.get(cached.key) as Representation | undefined);
      if (!representation || hasPrecondition(request)) return undefined;
      const response = toResponse(representation, encodingFor(representation, request), cached.meta, request);
      return response && { response, route: cached.route };
    },

    clearUrls: () => urls.clear(),

    sizeBytes: () => entries.calculatedSize + urls.calculatedSize,
  };
}

/** Returns bits of the tag, which is a hash already. */
const hashOf = ({ tag }: Representation) => Buffer.from(tag.slice(0, 6), "base64url").readUInt32LE();

function bytesOf({ identity, compressed }: Representation): number {
  let bytes = identity.length;
  for (const encoded of compressed.values()) bytes += encoded.length;
  return bytes;
}

/** The least bytes of an entry: hardly any is smaller, so there are enough slots that two entries seldom share one. */
const MIN_ENTRY_BYTES = 1024;

/**
 * Makes a doorkeeper in front of a cache of `maxBytes`: true on the second request for an entry within roughly one lifetime in that cache.
 * One-off requests would only evict entries that are asked for often. An entry is known by 32 bits and has one slot, which remembers the
 * last entry that used it: memory is fixed.
 */
function createDoorkeeper(maxBytes: number) {
  const slots = Math.ceil(maxBytes / MIN_ENTRY_BYTES);
  const entries = new Uint32Array(slots);
  const seenAt = new Float64Array(slots);
  let seenBytes = 0;
  return (entry: number, bytes: number): boolean => {
    const slot = entry % slots;
    const isSecond = entries[slot] === entry && seenBytes - (seenAt[slot] ?? 0) < maxBytes;
    seenBytes += bytes;
    entries[slot] = entry;
    seenAt[slot] = seenBytes;
    return isSecond;
  };
}
