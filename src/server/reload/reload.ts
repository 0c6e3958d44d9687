import { type FSWatcher, statSync, watch } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../api/failure.ts";
import { fileIdentity } from "../../base/files.ts";
import { pointerFile, snapshotFile } from "../../snapshot/published/folder.ts";
import type { Manifest } from "../../snapshot/published/manifest.ts";
import { latestFile, type Pointer, readPointer } from "../../snapshot/published/pointer.ts";
import type { SignedNights } from "../../snapshot/verify/signed-nights.ts";
import { createCache } from "../response/cache.ts";
import {
  type ActiveSnapshot,
  type ActiveSnapshotOptions,
  createActiveSnapshot,
  openForServing,
} from "./active-snapshot.ts";
import { createFileVerifier, type VerifyFile } from "./verify-file.ts";

export interface FollowPointerOptions {
  data: string;
  active: ActiveSnapshot;
  /** Serve nothing else; the active one is proved already. */
  signed?: SignedNights | undefined;
  verifyFile?: VerifyFile;
  /** Time between two polls; if the file system reports changes, they are seen at once. */
  intervalMs?: number;
  /** Called when another snapshot is served, and when one is refused. */
  onChange?: (active: ActiveSnapshot) => void;
}

export interface Follower {
  /** Polls now; resolves when what the pointer names is served or refused. */
  poll(): Promise<void>;
  stop(): Promise<void>;
}

/** The way in which a server gets the next snapshot. */
export interface SnapshotUpdates {
  /** Rejects with a Failure when the file that was served from the start is corrupt. */
  corrupt: Promise<never>;
  /** Looks at the folder now. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** Time between two polls of a folder. */
const POLL_MS = 1000;
/** The first requests are answered before the file that they are answered from is read whole. */
const VERIFY_DELAY_MS = 250;

/** Follows the pointer, and verifies the file that is served from the start: again and again until that can be done. */
export function followData(
  data: string,
  active: ActiveSnapshot,
  onChange: (active: ActiveSnapshot) => void,
  signed?: SignedNights,
): SnapshotUpdates {
  const verifyFile = createFileVerifier(data, signed);
  const stopping = new AbortController();
  const follower = followPointer({ data, active, signed, verifyFile, onChange });
  const corrupt = new Promise<never>((_, reject) => {
    const verifyIn = (delayMs: number) => setTimeout(() => void verify(), delayMs).unref();
    async function verify() {
      try {
        await verifyServedFile({ data, active, signed, verifyFile }, stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted && error instanceof Failure) return reject(error);
      }
      if (stopping.signal.aborted) return;
      onChange(active);
      // What keeps it from being verified, such as a pointer that cannot be read, is no fault of the file, and may be over by then.
      if (!active.verified) verifyIn(POLL_MS);
    }
    verifyIn(VERIFY_DELAY_MS);
  });
  return {
    corrupt,
    look: follower.poll,
    async stop() {
      stopping.abort();
      await follower.stop();
    },
  };
}

/** Resolves when the folder has a latest snapshot. Rejects when `signal` is aborted, and with a Failure if the pointer is damaged. */
export async function untilPublished(data: string, signal: AbortSignal): Promise<void> {
  while (readPointer(data) === undefined) await sleep(POLL_MS, undefined, { signal });
}

/** Opens what the pointer names without reading it whole, to start at once; `verifyServedFile` does that later. */
export function openLatest(data: string, options: Omit<ActiveSnapshotOptions, "snapshot"> = {}): ActiveSnapshot {
  const { cache = createCache() } = options;
  const snapshot = openForServing(latestFile(data), cache);
  return createActiveSnapshot({ ...options, cache, snapshot, publishedAt: pointerMovedAt(data), verified: false });
}

/**
 * Verifies the file that is already served, if the pointer names it. Rejects with a Failure when it is corrupt, unless another one is served
 * or is the latest by then: a night that is no longer the latest may be removed.
 */
export async function verifyServedFile(
  {
    data,
    active,
    signed,
    verifyFile,
  }: Pick<FollowPointerOptions, "data" | "active" | "signed"> & { verifyFile: VerifyFile },
  signal?: AbortSignal,
): Promise<void> {
  const pointer = peekPointer(data);
  const { snapshot } = active;
  const { version } = snapshot.head;
  if (pointer?.version !== version) return;
  try {
    await verifyFile(snapshot.file, signed ? await requireSigned(signed, version) : pointer, signal);
  } catch (error) {
    // A signed file that was changed since it was opened is withheld with the next poll.
    if (active.snapshot !== snapshot || signed?.isProved(version) === false || peekPointer(data)?.version !== version)
      return;
    throw error;
  }
  if (active.snapshot === snapshot) active.markVerified();
}

/** Reads the pointer; undefined if it is damaged: `followPointer` reports that. */
function peekPointer(data: string): Pointer | undefined {
  try {
    return readPointer(data);
  } catch {
    return undefined;
  }
}

/**
 * Serves what the pointer names: each time it moves, the file is first verified whole. Of nights that have to be signed, one that was
 * changed is withheld with the next poll.
 */
export function followPointer(options: FollowPointerOptions): Follower {
  const { data, active, signed, intervalMs = POLL_MS, onChange } = options;
  const { verifyFile = createFileVerifier(data, signed) } = options;
  const identify = (version: string) =>
    signed ? signed.identityOf(version) : fileIdentity(snapshotFile(data, version));
  const isProved = () => signed === undefined || signed.isProved(active.snapshot.head.version);
  // It was changed after it was proved, and before it was opened.
  if (!isProved()) active.setProblem("it is no longer proved", true);
  const stopping = new AbortController();
  let target = active.snapshot.head.version;
  let served = identify(target);
  const lookAtPointer = () => fileIdentity(pointerFile(data));
  const look = (pointer: string) =>
    `${pointer} ${identify(target)} ${signed && identify(active.snapshot.head.version)} ${isProved()}`;
  // Not the identity of the pointer now: it may have moved since the snapshot was opened.
  let seen = "";
  let polling: Promise<void> | undefined;

  async function reload() {
    try {
      // Taken before the pointer is read: if it moves in between, the next poll reads it again.
      const pointerIdentity = lookAtPointer();
      const pointer = requirePointer(data);
      target = pointer.version;
      const identity = identify(target);
      seen = look(pointerIdentity);
      if (identity === served && target === active.snapshot.head.version && isProved())
        return active.setProblem(undefined);
      const file = snapshotFile(data, target);
      await verifyFile(file, signed ? await requireSigned(signed, target) : pointer, stopping.signal);
      if (stopping.signal.aborted) return;
      active.swap(openForServing(file, active.cache), pointerMovedAt(data));
      served = identity;
    } catch (error) {
      if (stopping.signal.aborted) return;
      active.setProblem((error as Error).message, !isProved());
      // What is no fault of the file, such as a full disk, may be over by the next poll.
      if (!(error instanceof Failure)) seen = "";
    }
    onChange?.(active);
  }

  async function poll(): Promise<void> {
    if (polling) await polling;
    const now = look(lookAtPointer());
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

async function requireSigned(signed: SignedNights, version: string): Promise<Manifest> {
  const manifest = await signed.prove(version);
  if (manifest instanceof Failure) throw manifest;
  return manifest;
}

function requirePointer(data: string): Pointer {
  const pointer = readPointer(data);
  if (!pointer) throw new Error(`${pointerFile(data)}: has vanished`);
  return pointer;
}

const pointerMovedAt = (data: string): Date | undefined =>
  statSync(pointerFile(data), { throwIfNoEntry: false })?.mtime;

/** Watches the folder. Not every file system reports changes, so polling goes on beside it. */
function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    return watcher.on("error", () => watcher.close());
  } catch {
    return undefined;
  }
}
