import { type FSWatcher, statSync, watch } from "node:fs";
import { isVersion, pointerFile, snapshotFile } from "../../snapshot/published/folder.ts";
import { latestFile, type Pointer, readPointer } from "../../snapshot/published/pointer.ts";
import { createCache } from "../response/cache.ts";
import {
  type ActiveSnapshot,
  type ActiveSnapshotOptions,
  createActiveSnapshot,
  openForServing,
} from "./active-snapshot.ts";
import { createFileVerifier, fileIdentity, type VerifyFile } from "./verify-file.ts";

export interface FollowOptions {
  data: string;
  active: ActiveSnapshot;
  verifyFile?: VerifyFile;
  /** Time between two polls; where the file system reports changes, they are seen at once. */
  intervalMs?: number;
  /** Called when another snapshot is served, and when one is refused. */
  onChange?: (active: ActiveSnapshot) => void;
}

export interface Follower {
  /** Polls now; resolves when what the pointer names is served or refused. */
  poll(): Promise<void>;
  stop(): Promise<void>;
}

/** How a process that serves gets the next snapshot: by following the pointer, or from its primary. */
export interface SnapshotUpdates {
  /** Rejects with a Failure when the file that was served from the start is corrupt. */
  corrupt: Promise<never>;
  stop(): Promise<void>;
}

/** By this variable a primary tells a new worker what to serve: the pointer may name a version that it refused. */
export const SERVED_VERSION_ENV = "METASNAP_SERVED_VERSION";

/** The first requests are answered before the file that they are answered from is read whole. */
const VERIFY_DELAY_MS = 250;

/** Follows the pointer, and verifies the file that is served from the start. */
export function followData(
  data: string,
  active: ActiveSnapshot,
  onChange: (active: ActiveSnapshot) => void,
): SnapshotUpdates {
  const verifyFile = createFileVerifier(data);
  const stopping = new AbortController();
  const follower = followPointer({ data, active, verifyFile, onChange });
  const corrupt = new Promise<never>((_, reject) => {
    const verify = () =>
      verifyServedFile(data, active, verifyFile, stopping.signal).then(
        () => onChange(active),
        (error: unknown) => stopping.signal.aborted || reject(error),
      );
    setTimeout(() => void verify(), VERIFY_DELAY_MS).unref();
  });
  return {
    corrupt,
    async stop() {
      stopping.abort();
      await follower.stop();
    },
  };
}

/** Opens what the pointer names without reading it whole, to start at once; `verifyServedFile` does that later. */
export function openLatest(data: string, options: Omit<ActiveSnapshotOptions, "snapshot"> = {}): ActiveSnapshot {
  const version = process.env[SERVED_VERSION_ENV];
  const file = isVersion(version) ? snapshotFile(data, version) : latestFile(data);
  const { cache = createCache() } = options;
  const snapshot = openForServing(file, cache);
  return createActiveSnapshot({ ...options, cache, snapshot, publishedAt: pointerMovedAt(data), verified: false });
}

/**
 * Verifies the file that is already served. Rejects with a Failure when it is corrupt, unless another one is served by
 * then.
 */
export async function verifyServedFile(
  data: string,
  active: ActiveSnapshot,
  verifyFile: VerifyFile,
  signal?: AbortSignal,
): Promise<void> {
  const pointer = peekPointer(data);
  const { snapshot } = active;
  if (pointer?.version !== snapshot.head.version) return;
  try {
    await verifyFile(snapshot.file, pointer, signal);
  } catch (error) {
    if (active.snapshot !== snapshot) return;
    throw error;
  }
  if (active.snapshot === snapshot) active.markVerified();
}

/** Nothing where the pointer is damaged: `followPointer` reports that. */
function peekPointer(data: string): Pointer | undefined {
  try {
    return readPointer(data);
  } catch {
    return undefined;
  }
}

/** Serves what the pointer names: each time it moves, the file is first verified whole. */
export function followPointer(options: FollowOptions): Follower {
  const { data, active, verifyFile = createFileVerifier(options.data), intervalMs = 1000, onChange } = options;
  const stopping = new AbortController();
  let served = fileIdentity(active.snapshot.file);
  let target = active.snapshot.file;
  // Not the identity of the pointer now: it may have moved since the snapshot was opened.
  let seen = "";
  let polling: Promise<void> | undefined;

  async function reload() {
    try {
      // Taken before the pointer is read: if it moves in between, the next poll reads it again.
      const pointerIdentity = fileIdentity(pointerFile(data));
      const pointer = requirePointer(data);
      target = snapshotFile(data, pointer.version);
      const found = fileIdentity(target);
      seen = `${pointerIdentity} ${found}`;
      if (found === served && pointer.version === active.snapshot.head.version) return active.setProblem(undefined);
      await verifyFile(target, pointer, stopping.signal);
      if (stopping.signal.aborted) return;
      active.swap(openForServing(target, active.cache), pointerMovedAt(data));
      served = found;
    } catch (error) {
      if (stopping.signal.aborted) return;
      active.setProblem((error as Error).message);
    }
    onChange?.(active);
  }

  async function poll(): Promise<void> {
    if (polling) await polling;
    const now = `${fileIdentity(pointerFile(data))} ${fileIdentity(target)}`;
    if (stopping.signal.aborted || now === seen) return;
    seen = now;
    polling ??= reload().finally(() => {
      polling = undefined;
    });
    await polling;
  }

  const timer = setInterval(() => void poll(), intervalMs);
  const watcher = watchFolder(data, () => void poll());
  return {
    poll,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      watcher?.close();
      await polling;
    },
  };
}

function requirePointer(data: string): Pointer {
  const pointer = readPointer(data);
  if (!pointer) throw new Error(`${pointerFile(data)}: has vanished`);
  return pointer;
}

const pointerMovedAt = (data: string): Date | undefined =>
  statSync(pointerFile(data), { throwIfNoEntry: false })?.mtime;

/** Not every file system reports changes, so polling goes on beside it. */
function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    return watcher.on("error", () => watcher.close());
  } catch {
    return undefined;
  }
}
