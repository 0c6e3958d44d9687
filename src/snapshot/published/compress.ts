import { createReadStream, createWriteStream, existsSync, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { hashFile } from "./fsync.ts";

/** A file that was compressed, as a manifest tells of it. */
export interface Compressed {
  size: number;
  sha256: string;
}

export const compressedOf = (file: string) => `${file}.zst`;

// One thread and fixed settings: the same file gives the same bytes. The checksum lets `zstd -t` check it.
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 9, [constants.ZSTD_c_checksumFlag]: 1 };
const CHUNK = 1 << 20;

/** Writes `target`, which is about a tenth of the file; memory is bounded. One that came with the file is kept. */
export async function compressFile(file: string, target: string): Promise<Compressed> {
  if (!existsSync(target)) {
    const source = createReadStream(file, { highWaterMark: CHUNK });
    await pipeline(source, createZstdCompress({ params: PARAMS }), createWriteStream(target));
  }
  return { size: statSync(target).size, sha256: await hashFile(target) };
}

/** Writes `target`; a body that grows beyond `limit` bytes is refused with a RangeError. */
export async function decompressFile(file: string, target: string, limit: number): Promise<void> {
  let size = 0;
  await pipeline(
    createReadStream(file),
    createZstdDecompress(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > limit) throw new RangeError(`it holds more than ${limit} bytes`);
        yield chunk;
      }
    },
    createWriteStream(target),
  );
}
