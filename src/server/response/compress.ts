import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import pLimit from "p-limit";

/** Content codings (RFC 9110, 8.4.1), the preferred one first. */
export const ENCODINGS = ["br", "zstd", "gzip"] as const;

export type Compression = (typeof ENCODINGS)[number];

export type Encoding = Compression | "identity";

/** As many as a small machine has cores. */
const MAX_CONCURRENT = 2;
/** Bodies that wait; beyond this, responses go out uncompressed. */
const MAX_QUEUED = 16;

const limit = pLimit(MAX_CONCURRENT);

export const isQueueFull = () => limit.pendingCount >= MAX_QUEUED;

/** Waits for a free place: each compression under way takes memory of its own. */
export const compress = (bytes: Uint8Array, compression: Compression): Promise<Buffer> =>
  limit(COMPRESSORS[compression], bytes);

/** The size of the window as a power of two: one larger than the body only takes memory. */
const windowBits = ({ length }: Uint8Array, [least, most]: [number, number]) =>
  Math.min(most, Math.max(least, Math.ceil(Math.log2(length + 1))));

// Made once and sent often, but a client waits for it: beyond these levels bodies hardly get smaller.
const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
const deflate = promisify(gzip) as (bytes: Uint8Array, options: object) => Promise<Buffer>;
const COMPRESSORS: Record<Compression, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_LGWIN]: windowBits(bytes, [10, 20]),
      },
    }),
  zstd: (bytes) =>
    zstd(bytes, {
      pledgedSrcSize: bytes.length,
      params: {
        [constants.ZSTD_c_compressionLevel]: 9,
        [constants.ZSTD_c_windowLog]: windowBits(bytes, [10, 20]),
      },
    }),
  gzip: (bytes) => deflate(bytes, { windowBits: windowBits(bytes, [9, 15]) }),
};
