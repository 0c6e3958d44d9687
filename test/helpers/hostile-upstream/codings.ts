import zlib from "node:zlib";
import { borne, type Exchange, failing, type Mode } from "./mode.ts";

const ZEROS = Buffer.alloc(64 * 2 ** 20, 0x20);
const bombs = new Map<string, Buffer>();

/** 64 MiB in a few kilobytes, made when it is asked for. */
function bomb(coding: string, make: (bytes: Buffer) => Buffer) {
  return ({ send }: Exchange) => {
    const bytes = bombs.get(coding) ?? make(ZEROS);
    bombs.set(coding, bytes);
    send(bytes, { "content-encoding": coding.split(" ")[0] ?? "" });
  };
}

const coded =
  (coding: string, change: (honest: Buffer) => Buffer) =>
  ({ send, honest }: Exchange) =>
    send(change(honest), { "content-encoding": coding });

/** How a body is compressed. */
export const CODINGS: Mode[] = [
  failing(
    "bomb-gzip",
    "oversized",
    bomb("gzip", (bytes) => zlib.gzipSync(bytes)),
  ),
  failing(
    "bomb-deflate",
    "oversized",
    bomb("deflate", (bytes) => zlib.deflateSync(bytes)),
  ),
  failing(
    "bomb-br",
    "oversized",
    bomb("br", (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })),
  ),
  failing(
    "bomb-zstd",
    "oversized",
    bomb("zstd", (bytes) => zlib.zstdCompressSync(bytes)),
  ),
  failing(
    "bomb-members",
    "oversized",
    bomb("gzip members", (bytes) =>
      Buffer.concat(Array.from({ length: 64 }, () => zlib.gzipSync(bytes.subarray(0, 2 ** 20)))),
    ),
  ),
  failing(
    "bomb-nested",
    "not-json",
    bomb("gzip nested", (bytes) => zlib.gzipSync(zlib.gzipSync(bytes))),
  ),
  failing(
    "gzip-nested-and-said-so",
    "not-json",
    coded("gzip, gzip", (body) => zlib.gzipSync(zlib.gzipSync(body))),
  ),
  failing(
    "gzip-damaged",
    "not-json",
    coded("gzip", (body) => zlib.gzipSync(body).fill(0, 12, 40)),
  ),
  failing(
    "gzip-cut-short",
    "not-json",
    coded("gzip", (body) => zlib.gzipSync(body).subarray(0, 40)),
  ),
  failing(
    "gzip-that-is-none",
    "not-json",
    coded("gzip", (body) => body),
  ),
  failing(
    "zstd-that-is-none",
    "not-json",
    coded("zstd", (body) => body),
  ),
  failing(
    "coding-unknown",
    "not-json",
    coded("rot13", (body) => Buffer.from(body.map((byte) => byte ^ 13))),
  ),
  borne(
    "gzip-in-members",
    coded("gzip", (body) => Buffer.concat([zlib.gzipSync(body.subarray(0, 9)), zlib.gzipSync(body.subarray(9))])),
  ),
  borne(
    "zstd-unasked",
    coded("zstd", (body) => zlib.zstdCompressSync(body)),
  ),
  borne(
    "br-unasked",
    coded("br", (body) => zlib.brotliCompressSync(body)),
  ),
];
