import { createReadStream, createWriteStream, existsSync, rmSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { Failure } from "../../api/failure.ts";
import { hashFile } from "../../base/files.ts";
import { makeAnalystsFile } from "../build/analysts-file.ts";
import { type Compare, compareDraft, draftOfChanges } from "./changes.ts";
import type { Companion } from "./folder.ts";
import type { Manifest } from "./manifest.ts";

/** The files that a publication makes beside a snapshot. */
export interface CompanionOptions {
  /** True to put a compressed copy beside the file. */
  compress?: boolean;
  /** True to put the tables without the archive beside it. */
  analystsFile?: boolean;
  /** Writes the changes since the night before. If it is not given, none are published. */
  compare?: Compare | undefined;
  /** Writes the history of all nights before. If it is not given, none is published. */
  makeHistory?: MakeHistory | undefined;
}

/** The compressed copy in a manifest; the size in bytes. */
export interface CompressedFile {
  size: number;
  sha256: string;
}

export const compressedPath = (file: string) => `${file}.zst`;

// One thread and fixed settings: the same file gives the same bytes. The checksum lets `zstd -t` check it.
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1 };
const CHUNK_BYTES = 1 << 20;

/** Writes `target`, about a tenth of the file, in bounded memory. If `target` exists (it came with a pull) it is kept. */
export async function compressFile(file: string, target: string): Promise<CompressedFile> {
  if (!existsSync(target)) {
    rmSync(target, { force: true });
    const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });
    await pipeline(source, createZstdCompress({ params: PARAMS }), createWriteStream(target, { flags: "wx" }));
  }
  return { size: statSync(target).size, sha256: await hashFile(target) };
}

/** Decompresses to `target`. Rejects with a RangeError once it is larger than `maxBytes`. */
export async function decompressFile(file: string, target: string, maxBytes: number): Promise<void> {
  let size = 0;
  rmSync(target, { force: true });
  await pipeline(
    createReadStream(file),
    createZstdDecompress(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > maxBytes) throw new RangeError(`it holds more than ${maxBytes} bytes`);
        yield chunk;
      }
    },
    createWriteStream(target, { flags: "wx" }),
  );
}

/**
 * Compresses the history of a data folder to `target`; resolves to undefined if the folder has none. Rejects with a Failure if it cannot
 * be read.
 */
export type MakeHistory = (data: string, target: string) => Promise<CompressedFile | undefined>;

/** Writes the history, or says why it cannot: the night is published anyway. */
async function writeHistory(
  data: string,
  target: string,
  make: MakeHistory = async () => undefined,
): Promise<{ history?: CompressedFile | undefined; withoutHistory?: string }> {
  try {
    return { history: await make(data, target) };
  } catch (error) {
    if (error instanceof Failure) return { withoutHistory: error.message };
    throw error;
  }
}

/** The paths beside a draft where the companions of a file are made. */
export const COMPANION_DRAFTS: Record<Companion, (draft: string) => string> = {
  compressed: compressedPath,
  analysts: (draft) => `${draft}.analysts`,
  history: (draft) => `${draft}.history`,
  changes: draftOfChanges,
};

/** Companions as a manifest lists them. */
export type Made = Partial<Pick<Manifest, Companion>>;

/**
 * Makes companions beside a draft. `since`: the night that it is compared with, if any, and whether that was read in full; `moves`: the
 * pointer will move to it. What cannot be made is told.
 */
export async function makeCompanions(
  draft: string,
  data: string,
  { since, isRead, moves }: { since: string | null; isRead: boolean; moves: boolean },
  { compress = false, analystsFile = false, compare, makeHistory }: CompanionOptions,
) {
  const { changes, uncompared } = await compareDraft(draft, data, since, isRead, compare);
  const at = COMPANION_DRAFTS;
  const { history, withoutHistory } = await writeHistory(data, at.history(draft), moves ? makeHistory : undefined);
  const made: Made = {
    ...(compress && { compressed: await compressFile(draft, at.compressed(draft)) }),
    ...(analystsFile && { analysts: await makeAnalystsFile(draft, at.analysts(draft)) }),
    ...(history && { history }),
    ...(changes && { changes }),
  };
  return { made, uncompared, withoutHistory };
}
