import manifest from "../../../package.json" with { type: "json" };
import type { Endpoint } from "../../api/endpoint.ts";
import { isSample } from "../../api/sample-data.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import type { Cache } from "../response/cache.ts";
import type { ResponseMeta } from "../response/http-response.ts";
import {
  createRepresentation,
  type Representation,
  type RepresentationFacts,
  representBody,
} from "../response/representation.ts";
import { createQueryEngine } from "./query-engine.ts";

/** An open snapshot that answers. Its representations lie in the shared cache under keys of its own. */
export interface SnapshotHandle extends ResponseMeta {
  snapshot: Snapshot;
  /** The answer to a query; throws what `QueryEngine` throws. */
  answer(endpoint: Endpoint, identifier: string | undefined, query: URLSearchParams): KeyedRepresentation;
  /** A text about the snapshot, or a file, made by `render` where it is not cached. */
  document(name: string, render: () => string | Buffer, facts?: RepresentationFacts): KeyedRepresentation;
}

export interface KeyedRepresentation {
  /** Unique in the cache. */
  key: string;
  representation: Representation;
}

/** Part of each tag: the bytes depend on the data, on the query, and on how this program writes them. */
const PROGRAM = `metasnap/${manifest.version}`;

/** `Cache-Control` (RFC 9111, RFC 5861): a cache asks again after `maxAgeSeconds`, and may use what it has while it asks or gets no answer. */
export const cacheFor = (maxAgeSeconds: number) =>
  `public, max-age=${maxAgeSeconds}, stale-while-revalidate=${12 * maxAgeSeconds}, stale-if-error=86400`;

export const IMMUTABLE = "public, max-age=31536000, immutable";

let count = 0;

/** `publishedAt` is when the pointer was moved to it; the start of its crawl by default. */
export function createSnapshotHandle(
  snapshot: Snapshot,
  cache: Cache,
  cacheControl: string,
  publishedAt?: Date,
): SnapshotHandle {
  const { version, content_hash, started_at, sample } = snapshot.head;
  count += 1;
  // Not the version: two files may have the same one, one after the other.
  const prefix = `${count} `;
  const engine = createQueryEngine(snapshot, (key, create, weigh) => cache.getOrCreate(prefix + key, create, weigh));
  const seed = `${PROGRAM} ${content_hash}`;

  function cached(name: string, create: () => Representation): KeyedRepresentation {
    const key = prefix + name;
    return { key, representation: cache.getRepresentation(key, create) };
  }

  return {
    version,
    startedAt: started_at,
    sample: isSample({ sample }),
    snapshot,
    lastModified: (publishedAt ?? new Date(started_at)).toUTCString(),
    cacheControl,
    answer(endpoint, identifier, query) {
      const parsed = engine.parse(endpoint, identifier, query);
      return cached(parsed.canonical, () =>
        createRepresentation(`${seed} ${parsed.canonical}`, engine.execute(parsed), { dataAt: engine.dataAt(parsed) }),
      );
    },
    document: (name, render, facts) => cached(name, () => representBody(render(), facts)),
  };
}
