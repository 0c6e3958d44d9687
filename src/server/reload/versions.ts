import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { ApiError } from "../../api/errors.ts";
import { createFileHashes } from "../../base/file-hashes.ts";
import { createFileMemory } from "../../base/file-memory.ts";
import { openUnlinked } from "../../base/files.ts";
import {
  type Companion,
  companionOf,
  isVersion,
  listVersions,
  manifestOf,
  readDocument,
  snapshotFile,
} from "../../snapshot/published/folder.ts";
import { type Manifest, parseManifest } from "../../snapshot/published/manifest.ts";
import { type Pointer, toPointer } from "../../snapshot/published/pointer.ts";
import { compareSequence, readWithdrawn } from "../../snapshot/published/sequence.ts";
import { readSignature, withExpiry } from "../../snapshot/published/signature.ts";
import { openCheckedFile } from "../../snapshot/read/open.ts";
import { openSnapshot } from "../../snapshot/read/snapshot.ts";
import { identifyNight, type ProvedNights } from "../../snapshot/verify/signed-nights.ts";
import { createSnapshotHandle, IMMUTABLE, type SnapshotHandle } from "../query/snapshot-handle.ts";
import type { Cache } from "../response/cache.ts";
import { createFileVerifier, type VerifyFile } from "./verify-file.ts";

/** The companions of a file, by its manifest; undefined for one that is not here. */
type Beside = { [Name in Companion]: Manifest[Name] };

export interface PublishedSnapshot extends Beside {
  file: string;
  /** The text of the manifest beside the file, and of its signature. */
  manifest: string;
  signature: string | undefined;
  essentials: Pointer;
  /** True if the pointer was moved back past it. */
  withdrawn: boolean;
}

export interface VersionsOptions {
  data: string;
  cache: Cache;
  /** The most pinned snapshots that are open at once. */
  maxOpen?: number | undefined;
  /** The time without requests after which a pinned snapshot is closed. */
  idleMs?: number | undefined;
  verifyFile?: VerifyFile | undefined;
  /** The only nights that clients get; all of the folder if it is left out. */
  proved?: ProvedNights | undefined;
}

const IDLE_MS = 5 * 60_000;

/** The size and hash of a file in a manifest. */
type ListedFile = Pick<Pointer, "size" | "sha256">;

/** The published snapshots of a folder, by version; a version may be any text. */
export interface Versions {
  /** Finds a version. Throws an ApiError RESOURCE_NOT_FOUND if the folder has no such version, or if its manifest is damaged. */
  find(version: string): PublishedSnapshot;
  /**
   * Opens a snapshot to answer from: a promise if it is not open yet, or not verified. Throws or rejects as `find` does, and rejects with a
   * Failure if its file is corrupt.
   */
  open(version: string): SnapshotHandle | Promise<SnapshotHandle>;
  /** Lists the versions, the last published first, without those whose manifest is damaged. */
  list(): PublishedSnapshot[];
  /** Opens a file of a manifest. Rejects with an ApiError RESOURCE_NOT_FOUND if there is another file in its place, or a link. */
  openListed(path: string, listed: ListedFile): Promise<FileHandle>;
  openCount(): number;
  close(): void;
}

export function createVersions({
  data,
  cache,
  maxOpen = 4,
  idleMs = IDLE_MS,
  proved,
  verifyFile = createFileVerifier(data, proved),
}: VersionsOptions): Versions {
  const handles = new LRUCache<string, SnapshotHandle>({
    max: maxOpen,
    // A removed file keeps its space on the disk as long as it is open.
    ttl: idleMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: ({ snapshot }) => snapshot.close(),
  });
  const opening = new Map<string, Promise<SnapshotHandle>>();
  const manifests = createFileMemory<Omit<PublishedSnapshot, "withdrawn">>();
  // Each verification is a process that reads a whole file.
  const oneByOne = pLimit(1);
  const ending = new AbortController();
  const hashes = createFileHashes();

  /** Looks a version up; undefined if there is no such snapshot, if its manifest is damaged, or if it has to be proved and is not. */
  function lookUp(version: string, withdrawn = readWithdrawn(data)): PublishedSnapshot | undefined {
    const file = snapshotFile(data, version);
    if (!isVersion(version) || !existsSync(file) || proved?.isProved(version) === false) return undefined;
    const published = manifests.findNow(
      () => identifyNight(data, version),
      () => readEssentials(file, version),
    );
    return published && { ...published, withdrawn: withdrawn.has(version) };
  }

  function find(version: string): PublishedSnapshot {
    const published = lookUp(version);
    if (!published) throw unknown(version);
    return published;
  }

  function open(version: string): SnapshotHandle | Promise<SnapshotHandle> {
    const ready = handles.get(version);
    if (ready && existsSync(ready.snapshot.file) && proved?.isProved(version) !== false) return ready;
    // Removed or changed since.
    handles.delete(version);
    const begun = opening.get(version) ?? openFile(version).finally(() => opening.delete(version));
    opening.set(version, begun);
    return begun;
  }

  async function openFile(version: string): Promise<SnapshotHandle> {
    const { file, essentials } = find(version);
    await oneByOne(verifyFile, file, essentials, ending.signal);
    const cacheBytes = cache.sqlitePageBytes.pinned / maxOpen;
    const made = createSnapshotHandle(openSnapshot(file, { open: openCheckedFile, cacheBytes }), cache, IMMUTABLE);
    handles.set(essentials.version, made);
    return made;
  }

  async function isListed(handle: FileHandle, { size, sha256 }: ListedFile): Promise<boolean> {
    const stats = await handle.stat();
    return stats.isFile() && stats.size === size && (await hashes.of(handle)) === sha256;
  }

  return {
    find,
    open,
    async openListed(path, listed) {
      const handle = await openUnlinked(path).catch(() => undefined);
      if (handle && (await isListed(handle, listed))) return handle;
      await handle?.close();
      throw notListed(basename(path));
    },
    list() {
      const withdrawn = readWithdrawn(data);
      const snapshots = listVersions(data).flatMap((version) => lookUp(version, withdrawn) ?? []);
      return snapshots.sort((a, b) => compareSequence(b.essentials, a.essentials));
    },
    openCount: () => handles.size,
    close() {
      ending.abort();
      handles.clear();
    },
  };
}

/** Reads a manifest; undefined if it is damaged or names another version. */
function readEssentials(file: string, version: string): Omit<PublishedSnapshot, "withdrawn"> | undefined {
  try {
    const manifest = readDocument(manifestOf(file));
    const said = parseManifest(manifest, version);
    const signature = readSignature(file);
    const essentials = withExpiry(toPointer(said), signature);
    // A signed manifest is its maker's: the companions that it names need not lie here.
    const isThere = (name: Companion) => existsSync(companionOf(file, name));
    return {
      file,
      manifest,
      signature,
      essentials,
      changes: isThere("changes") ? said.changes : undefined,
      compressed: isThere("compressed") ? said.compressed : undefined,
      analysts: isThere("analysts") ? said.analysts : undefined,
      history: isThere("history") ? said.history : undefined,
    };
  } catch {
    return undefined;
  }
}

const notListed = (name: string) =>
  new ApiError("RESOURCE_NOT_FOUND", {
    message: "This file is not here as its manifest lists it.",
    hint: "GET /snapshots/ lists the published snapshots.",
    detail: name,
  });

const unknown = (version: string) =>
  new ApiError("RESOURCE_NOT_FOUND", {
    message: "No published snapshot has this name.",
    hint: "GET /snapshots/ lists those that are here.",
    detail: version || "no version",
  });
