import { existsSync, statSync } from "node:fs";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { ApiError } from "../../api/errors.ts";
import { isVersion, listVersions, manifestOf, readDocument, snapshotFile } from "../../snapshot/published/folder.ts";
import { parseManifest } from "../../snapshot/published/manifest.ts";
import { type Pointer, toPointer } from "../../snapshot/published/pointer.ts";
import { comparePlaces } from "../../snapshot/published/sequence.ts";
import { openCheckedFile } from "../../snapshot/read/open.ts";
import { openSnapshot } from "../../snapshot/read/snapshot.ts";
import { createSnapshotHandle, IMMUTABLE, type SnapshotHandle } from "../query/snapshot-handle.ts";
import type { Cache } from "../response/cache.ts";
import { type Check, createCheck } from "./check.ts";

export type Versions = ReturnType<typeof createVersions>;

export interface Published {
  file: string;
  /** The manifest as it lies beside the file. */
  manifest: string;
  essentials: Pointer;
  /** The pointer was moved back past it. */
  withdrawn: boolean;
}

export interface VersionsOptions {
  data: string;
  cache: Cache;
  /** Pinned snapshots that are open at once. */
  maxOpen?: number | undefined;
  /** Milliseconds after which one that nobody asks is closed. */
  idleMs?: number | undefined;
  check?: Check | undefined;
}

const IDLE_MS = 5 * 60_000;

/** The published snapshots under a folder, by version. */
export function createVersions({
  data,
  cache,
  maxOpen = 4,
  idleMs = IDLE_MS,
  check = createCheck(data),
}: VersionsOptions) {
  const open = new LRUCache<string, SnapshotHandle>({
    max: maxOpen,
    // One that nobody asks is closed: a file that was removed keeps its room on the disk as long as it is open.
    ttl: idleMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: ({ snapshot }) => snapshot.close(),
  });
  const opening = new Map<string, Promise<SnapshotHandle>>();
  const manifests = new LRUCache<string, Published>({ max: 100 });
  // Each check is a process that reads a whole file.
  const inTurn = pLimit(1);
  const ending = new AbortController();

  /** What lies here under this name, which may be anything; nothing where that is no snapshot, or its manifest is damaged. */
  function lookUp(version: string): Published | undefined {
    const file = snapshotFile(data, version);
    if (!isVersion(version) || !existsSync(file)) return undefined;
    const found = statSync(manifestOf(file), { throwIfNoEntry: false });
    const key = found && `${version} ${found.ino} ${found.mtimeMs}`;
    const published = key && (manifests.get(key) ?? readEssentials(file, version));
    if (published) manifests.set(key, published);
    return published || undefined;
  }

  function find(version: string): Published {
    const published = lookUp(version);
    if (!published) throw unknown(version);
    return published;
  }

  /** A snapshot to answer from, opened where it is not. Each file is read whole and checked once. */
  function edition(version: string): SnapshotHandle | Promise<SnapshotHandle> {
    const ready = open.get(version);
    if (ready && existsSync(ready.snapshot.file)) return ready;
    // Removed since.
    open.delete(version);
    const begun = opening.get(version) ?? openEdition(version).finally(() => opening.delete(version));
    opening.set(version, begun);
    return begun;
  }

  async function openEdition(version: string): Promise<SnapshotHandle> {
    const { file, essentials } = find(version);
    await inTurn(check, file, essentials, ending.signal);
    const pageBytes = cache.sqlitePageBytes.pinned / maxOpen;
    const made = createSnapshotHandle(openSnapshot(file, { open: openCheckedFile, pageBytes }), cache, IMMUTABLE);
    open.set(essentials.version, made);
    return made;
  }

  return {
    find,
    edition,
    /** The last published first. One whose manifest is damaged costs nobody but itself. */
    list: (): Published[] =>
      listVersions(data)
        .flatMap((version) => lookUp(version) ?? [])
        .sort((a, b) => comparePlaces(b.essentials, a.essentials)),
    /** How many are open, for whoever reports on it. */
    opened: () => open.size,
    close() {
      ending.abort();
      open.clear();
    },
  };
}

/** Nothing where it is damaged, or that of another version. */
function readEssentials(file: string, version: string): Published | undefined {
  try {
    const manifest = readDocument(manifestOf(file));
    const { withdrawn = false, ...facts } = parseManifest(manifest, version);
    return { file, manifest, essentials: toPointer(facts), withdrawn };
  } catch {
    return undefined;
  }
}

const unknown = (version: string) =>
  new ApiError("RESOURCE_NOT_FOUND", {
    message: "No published snapshot has this name.",
    hint: "GET /snapshots/ lists those that are here.",
    detail: version.slice(0, 200) || "no version",
  });
