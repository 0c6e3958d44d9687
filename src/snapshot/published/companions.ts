import { createReadStream, createWriteStream, existsSync, rmSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { Failure } from "../../api/failure.ts";
import { hashFile } from "../../base/files.ts";

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
export async function writeHistory(
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
