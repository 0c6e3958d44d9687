import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { Coded } from "./compress.ts";

// Each form is made once and sent often, but somebody waits for it: the levels where a slower one hardly gains.
const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
export const ENCODERS: Record<Coded, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  zstd: (bytes) => zstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 9 } }),
  gzip: promisify(gzip) as (bytes: Uint8Array) => Promise<Buffer>,
};
