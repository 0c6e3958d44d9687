import zlib from "node:zlib";
import { type Act, resend } from "./exchange.ts";
import { borne, failing } from "./row.ts";

type Change = (bytes: Buffer) => Buffer;
const SPACES = Buffer.alloc(64 * 2 ** 20, 0x20);

const coded = (coding: string, change: Change) => resend(change, { "content-encoding": coding });

/** 64 MiB in a few kilobytes, made when they are asked for. */
function bomb(coding: string, make: Change): Act {
  let made: Buffer | undefined;
  return coded(coding, () => {
    made ??= make(SPACES);
    return made;
  });
}

const gzip: Change = (bytes) => zlib.gzipSync(bytes);
const gzipTwice: Change = (bytes) => gzip(gzip(bytes));
const deflate: Change = (bytes) => zlib.deflateSync(bytes);
const zstd: Change = (bytes) => zlib.zstdCompressSync(bytes);
const br: Change = (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
const inMembers =
  (size: number): Change =>
  (bytes) =>
    Buffer.concat(
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => gzip(bytes.subarray(n * size, (n + 1) * size))),
    );
/** In the middle are data, at the end checksum and length: one of them is noticed, whatever is checked. */
const damage: Change = (body) => {
  const bytes = gzip(body);
  for (const at of [bytes.length >> 1, bytes.length - 8, bytes.length - 1]) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
};

/** How a body is compressed. */
export const CODINGS = {
  "bomb-gzip": failing("oversized", "64 MiB in gzip", bomb("gzip", gzip)),
  "bomb-deflate": failing("oversized", "64 MiB in deflate", bomb("deflate", deflate)),
  "bomb-br": failing("oversized", "64 MiB in brotli", bomb("br", br)),
  "bomb-zstd": failing("oversized", "64 MiB in zstd", bomb("zstd", zstd)),
  "bomb-in-members": failing("oversized", "64 MiB in members of gzip", bomb("gzip", inMembers(2 ** 20))),
  "bomb-in-gzip": failing("not-json", "64 MiB in gzip in gzip", bomb("gzip", gzipTwice)),
  "gzip-twice": failing("not-json", "the right body in gzip in gzip", coded("gzip, gzip", gzipTwice)),
  "gzip-damaged": failing("not-json", "the right body in gzip, damaged", coded("gzip", damage)),
  "gzip-truncated": failing(
    "not-json",
    "40 bytes of gzip",
    coded("gzip", (body) => gzip(body).subarray(0, 40)),
  ),
  "gzip-that-is-none": failing(
    "not-json",
    "JSON as gzip",
    coded("gzip", (body) => body),
  ),
  "zstd-that-is-none": failing(
    "not-json",
    "JSON as zstd",
    coded("zstd", (body) => body),
  ),
  "coding-unknown": failing(
    "not-json",
    "a coding of its own",
    coded("rot13", (body) => Buffer.from(body.map((byte) => byte ^ 13))),
  ),
  "gzip-in-members": borne("the right body in members of gzip", coded("gzip", inMembers(9))),
  zstd: borne("the right body in zstd", coded("zstd", zstd)),
  br: borne("the right body in brotli", coded("br", br)),
};
