import type { FileHandle } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import { hashOpen, identify } from "./files.ts";

/** The sha256 of files by their identity, each read once for as long as nothing of it changes. */
export interface FileHashes {
  /** That of a file that was read. */
  known(identity: string): string | undefined;
  /** Undefined if the file changes while it is read. */
  of(handle: FileHandle): Promise<string | undefined>;
  /** Reads a file once more. */
  again(handle: FileHandle): Promise<string | undefined>;
}

/** More than a folder has by default. */
const MOST_FILES = 1000;

export function createFileHashes(): FileHashes {
  const hashes = new LRUCache<string, string>({ max: MOST_FILES });
  const oneByOne = pLimit(1);
  const identityOf = async (handle: FileHandle) => identify(await handle.stat({ bigint: true }));

  async function read(handle: FileHandle) {
    const identity = await identityOf(handle);
    const sha256 = await hashOpen(handle);
    if ((await identityOf(handle)) !== identity) return undefined;
    hashes.set(identity, sha256);
    return sha256;
  }

  return {
    known: (identity) => hashes.get(identity),
    again: (handle) => oneByOne(read, handle),
    of: (handle) => oneByOne(async () => hashes.get(await identityOf(handle)) ?? read(handle)),
  };
}
