import type { SourceState } from "../../nights/pull/source-state.ts";
import { openCheckedFile } from "../../snapshot/read/open.ts";
import { openSnapshot, type Snapshot } from "../../snapshot/read/snapshot.ts";
import { cacheFor, createSnapshotHandle, type SnapshotHandle } from "../query/snapshot-handle.ts";
import { type Cache, createCache } from "../response/cache.ts";

export interface ShelfOptions {
  snapshot: Snapshot;
  /** When the pointer was moved to it. */
  publishedAt?: Date | undefined;
  /** False where its file is checked only now, while it is served. */
  verified?: boolean;
  /** Seconds for which a cache may keep an answer. */
  maxAge?: number;
  cache?: Cache;
}

/** What is served now, for whoever reports on it. Read it anew each time: a reload changes it. */
export interface Served {
  readonly snapshot: Snapshot;
  /** When this snapshot began to be served, in milliseconds since 1970. */
  readonly loadedAt: number;
  /** False until every byte of the file was read and compared with its manifest: soon after the start. */
  readonly verified: boolean;
  /** Why the newest published file is not the one that is served. */
  readonly problem: string | undefined;
  /** How the source that is followed stands; nothing where none is. */
  readonly source: SourceState | undefined;
}

/** The snapshot that is served, with what is kept for its answers, and what became of newer ones. */
export interface Shelf extends Served {
  readonly current: SnapshotHandle;
  readonly cache: Cache;
  /** Serves another snapshot from the next request on, and closes the one before. */
  swap(snapshot: Snapshot, publishedAt?: Date): void;
  /** The newest file is refused, or nothing is wrong (any more). */
  report(problem: string | undefined): void;
  confirm(): void;
  heed(source: SourceState): void;
  close(): void;
}

const MAX_AGE = 300;

/** Opens a file to be served; whether it may be is checked elsewhere. */
export const openServed = (file: string, { sqlitePageBytes }: Cache): Snapshot =>
  openSnapshot(file, { open: openCheckedFile, pageBytes: sqlitePageBytes.served });

export function createShelf(options: ShelfOptions): Shelf {
  const { maxAge = MAX_AGE, cache = createCache() } = options;
  const prepare = (snapshot: Snapshot, publishedAt?: Date) =>
    createSnapshotHandle(snapshot, cache, cacheFor(maxAge), publishedAt);
  let current = prepare(options.snapshot, options.publishedAt);
  let verified = options.verified ?? true;
  let problem: string | undefined;
  let source: SourceState | undefined;
  let loadedAt = Date.now();

  return {
    get current() {
      return current;
    },
    get snapshot() {
      return current.snapshot;
    },
    get loadedAt() {
      return loadedAt;
    },
    get verified() {
      return verified;
    },
    get problem() {
      return problem;
    },
    get source() {
      return source;
    },
    cache,
    swap(snapshot, publishedAt) {
      const before = current;
      current = prepare(snapshot, publishedAt);
      loadedAt = Date.now();
      verified = true;
      problem = undefined;
      cache.clearUrls();
      // Nobody is reading from it: an answer is read whole within one turn of the event loop.
      before.snapshot.close();
    },
    report: (found) => {
      problem = found;
    },
    confirm: () => {
      verified = true;
    },
    heed: (state) => {
      source = state;
    },
    close: () => current.snapshot.close(),
  };
}
