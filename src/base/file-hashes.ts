import type { FileHandle } from "node:fs/promises";
import pLimit from "p-limit";
import { createFileMemory } from "./file-memory.ts";
import { hashOpen, identify } from "./files.ts";

/** The sha256 of files by their identity, each read once for as long as nothing of it changes. */
export interface FileHashes {
  /** Returns the hash of a file that was read. */
  known(identity: string): string | undefined;
  /** Returns the hash of a file; undefined if it changes while it is read. */
  of(handle: FileHandle): Promise<string | undefined>;
  /** Reads a file once more. */
  again(handle: FileHandle): Promise<string | undefined>;
}

export function createFileHashes(): FileHashes {
  const hashes = createFileMemory<string>();
  // Two that ask for one file read it once.
  const oneByOne = pLimit(1);
  // Not at once: of many that ask and do not read, most are cut before anything is read for them.
  const identityOf = async (handle: FileHandle) => identify(await handle.stat({ bigint: true }));
  const of = (handle: FileHandle) =>
    oneByOne(() =>
      hashes.find(
        () => identityOf(handle),
        () => hashOpen(handle),
      ),
    );
  return {
    known: hashes.known,
    of,
    async again(handle) {
      hashes.forget(await identityOf(handle));
      return of(handle);
    },
  };
}
