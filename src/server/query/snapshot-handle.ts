import manifest from "../../../package.json" with { type: "json" };
import { isSample } from "../../api/sample-data.ts";
import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import type { Cache } from "../response/cache.ts";
import { type ResponseMeta, type SnapshotFacts, snapshotHeaders } from "../response/http-response.ts";
import { createQueryEngine, type QueryEngine } from "./query-engine.ts";

/** An open snapshot that answers. */
export interface SnapshotHandle extends SnapshotFacts, ResponseMeta {
  snapshot: Snapshot;
  engine: QueryEngine;
  /** How long HTTP caches may keep its answers. */
  cacheControl: string;
  /** Prefix of its keys in the cache, which all snapshots share. */
  prefix: string;
  /** Part of each tag: the bytes depend on the data, on the order of the keys that the upstream sent, and on how this program writes them. */
  seed: string;
}

export const PROGRAM_VERSION = manifest.version;

const PROGRAM = `metasnap/${PROGRAM_VERSION}`;

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
  const { version, content_hash, archive_hash, started_at, sample } = snapshot.head;
  count += 1;
  // Not the version: two files may have the same one, one after the other.
  const prefix = `${count} `;
  const facts: SnapshotFacts = { version, startedAt: started_at, sample: isSample({ sample }) };
  return {
    ...facts,
    snapshot,
    engine: createQueryEngine(snapshot, (key, create, weigh) => cache.getOrCreate(prefix + key, create, weigh)),
    headers: snapshotHeaders(facts, cacheControl),
    lastModified: (publishedAt ?? new Date(started_at)).toUTCString(),
    cacheControl,
    prefix,
    seed: `${PROGRAM} ${content_hash} ${archive_hash}`,
  };
}
