import { type FSWatcher, statSync, watch } from "node:fs";
import { isVersion, pointerFile, snapshotFile } from "../../snapshot/published/folder.ts";
import { latestFile, type Pointer, readPointer } from "../../snapshot/published/pointer.ts";
import { createCache } from "../response/cache.ts";
import { createShelf, openServed, type Shelf, type ShelfOptions } from "./active-snapshot.ts";
import { type Check, createCheck, identify } from "./check.ts";

export interface FollowOptions {
  data: string;
  shelf: Shelf;
  check?: Check;
  /** Milliseconds between two looks; where the file system tells of changes, they are seen at once. */
  every?: number;
  /** Told when another snapshot is served, and when one is refused. */
  onChange?: (shelf: Shelf) => void;
}

export interface Follower {
  /** Looks now; resolves when what the pointer names is served or refused. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** How a process that serves comes to serve the next snapshot. */
export interface Following {
  /** Rejects when what was served from the start turns out to be unfit. */
  unfit: Promise<never>;
  stop(): Promise<void>;
}

/** The environment in which a primary tells a new worker what to serve: the pointer may name what was refused. */
export const SERVED = "METASNAP_SERVED_VERSION";

// The first answers come first.
const SOON = 250;

/** Follows the pointer, and reads what is served from the start. */
export function followData(data: string, shelf: Shelf, onChange: (shelf: Shelf) => void): Following {
  const check = createCheck(data);
  const ending = new AbortController();
  const follower = followPointer({ data, shelf, check, onChange });
  const unfit = new Promise<never>((_, reject) => {
    const verify = () =>
      verifyServed(data, shelf, check, ending.signal).then(
        () => onChange(shelf),
        (error: unknown) => ending.signal.aborted || reject(error),
      );
    setTimeout(() => void verify(), SOON).unref();
  });
  return {
    unfit,
    async stop() {
      ending.abort();
      await follower.stop();
    },
  };
}

/** The shelf with what the pointer names. Its file is opened unread, to start at once; `verifyServed` reads it. */
export function openLatest(data: string, options: Omit<ShelfOptions, "snapshot"> = {}): Shelf {
  const version = process.env[SERVED];
  const file = isVersion(version) ? snapshotFile(data, version) : latestFile(data);
  const { cache = createCache() } = options;
  const snapshot = openServed(file, cache);
  return createShelf({ ...options, cache, snapshot, publishedAt: movedAt(data), verified: false });
}

/** Reads the file that is served already. Rejects when it should never have been. */
export async function verifyServed(data: string, shelf: Shelf, check: Check, signal?: AbortSignal): Promise<void> {
  const pointer = glimpse(data);
  if (pointer?.version !== shelf.snapshot.head.version) return;
  await check(shelf.snapshot.file, pointer, signal);
  shelf.confirm();
}

/** What the pointer says; that it is damaged, whoever follows it tells. */
function glimpse(data: string): Pointer | undefined {
  try {
    return readPointer(data);
  } catch {
    return undefined;
  }
}

/** Serves what the pointer names: each time it moves, the file is checked whole, and only then served. */
export function followPointer(options: FollowOptions): Follower {
  const { data, shelf, check = createCheck(options.data), every = 1000, onChange } = options;
  const ending = new AbortController();
  let served = identify(shelf.snapshot.file);
  let target = shelf.snapshot.file;
  // Not what the pointer says now: it may have moved since the shelf was filled.
  let seen = "";
  let looking: Promise<void> | undefined;
  let stopped = false;

  async function take() {
    try {
      // Told before it is read: moved in between, it is read again.
      const named = identify(pointerFile(data));
      const pointer = readNamed(data);
      target = snapshotFile(data, pointer.version);
      const found = identify(target);
      seen = `${named} ${found}`;
      if (found === served && pointer.version === shelf.snapshot.head.version) return shelf.report(undefined);
      await check(target, pointer, ending.signal);
      if (stopped) return;
      shelf.swap(openServed(target, shelf.cache), movedAt(data));
      served = found;
    } catch (error) {
      if (stopped) return;
      shelf.report((error as Error).message);
    }
    onChange?.(shelf);
  }

  async function look(): Promise<void> {
    if (looking) await looking;
    const now = `${identify(pointerFile(data))} ${identify(target)}`;
    if (stopped || now === seen) return;
    seen = now;
    looking ??= take().finally(() => {
      looking = undefined;
    });
    await looking;
  }

  const timer = setInterval(() => void look(), every);
  const watcher = watchFolder(data, () => void look());
  return {
    look,
    async stop() {
      stopped = true;
      ending.abort();
      clearInterval(timer);
      watcher?.close();
      await looking;
    },
  };
}

function readNamed(data: string): Pointer {
  const pointer = readPointer(data);
  if (!pointer) throw new Error(`${pointerFile(data)}: has vanished`);
  return pointer;
}

const movedAt = (data: string): Date | undefined => statSync(pointerFile(data), { throwIfNoEntry: false })?.mtime;

/** A help where it works: not every file system tells, and none is relied on to. */
function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    return watcher.on("error", () => watcher.close());
  } catch {
    return undefined;
  }
}
