import type { SourceState } from "../../network/source-state.ts";
import { openCheckedFile } from "../../snapshot/read/open.ts";
import { openSnapshot, type Snapshot } from "../../snapshot/read/snapshot.ts";
import { cacheFor, createSnapshotHandle, type SnapshotHandle } from "../query/snapshot-handle.ts";
import { type Cache, createCache } from "../response/cache.ts";

export interface ActiveSnapshotOptions {
  snapshot: Snapshot;
  /** The time when the pointer was moved to it. */
  publishedAt?: Date | undefined;
  /** False if its file is verified later, while it is served. */
  verified?: boolean;
  /** Seconds for which HTTP caches may keep an answer. */
  maxAgeSeconds?: number;
  cache?: Cache;
}

/** The state of the server, for health and metrics. A reload changes it: read it anew each time. */
export interface ServerStatus {
  readonly snapshot: Snapshot;
  /** The time since which this snapshot is served, in milliseconds since 1970. */
  readonly loadedAtMs: number;
  /** False until the whole file was compared with its manifest, soon after the start. */
  readonly verified: boolean;
  /** The reason why the newest published file is refused, if it is. */
  readonly problem: string | undefined;
  /** True if no answers are given from it: it had to be proved, and has changed since. */
  readonly withheld: boolean;
  /** State of the followed mirror, if one is followed. */
  readonly source: SourceState | undefined;
}

/** The snapshot that is served, its cache, and the fate of newer snapshots. */
export interface ActiveSnapshot extends ServerStatus {
  readonly current: SnapshotHandle;
  readonly cache: Cache;
  /** Serves another snapshot from the next request on, and closes the one before. */
  swap(snapshot: Snapshot, publishedAt?: Date): void;
  /** Sets why the newest file is refused, undefined if it is not; `withheld` if the served file must not be served. */
  setProblem(problem: string | undefined, withheld?: boolean): void;
  markVerified(): void;
  setSource(source: SourceState): void;
  close(): void;
}

const DEFAULT_MAX_AGE_SECONDS = 300;

/** Opens a file without verifying it. Throws a Failure if it cannot be opened. */
export const openForServing = (file: string, { sqlitePageBytes }: Cache): Snapshot =>
  openSnapshot(file, { open: openCheckedFile, cacheBytes: sqlitePageBytes.served });

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

export function createActiveSnapshot(options: ActiveSnapshotOptions): ActiveSnapshot {
  const { maxAgeSeconds = DEFAULT_MAX_AGE_SECONDS, cache = createCache() } = options;
  const prepare = (snapshot: Snapshot, publishedAt?: Date) =>
    createSnapshotHandle(snapshot, cache, cacheFor(maxAgeSeconds), publishedAt);
  const active: Mutable<ActiveSnapshot> = {
    current: prepare(options.snapshot, options.publishedAt),
    loadedAtMs: Date.now(),
    verified: options.verified ?? true,
    problem: undefined,
    withheld: false,
    source: undefined,
    cache,
    get snapshot() {
      return active.current.snapshot;
    },
    swap(snapshot, publishedAt) {
      const before = active.current;
      active.current = prepare(snapshot, publishedAt);
      active.loadedAtMs = Date.now();
      active.verified = true;
      active.problem = undefined;
      active.withheld = false;
      cache.clearUrls();
      // Safe: each answer is read completely within one turn of the event loop.
      before.snapshot.close();
    },
    setProblem(problem, withheld = false) {
      active.problem = problem;
      active.withheld = withheld;
    },
    markVerified() {
      active.verified = true;
    },
    setSource(state) {
      active.source = state;
    },
    close() {
      active.current.snapshot.close();
    },
  };
  return active;
}
