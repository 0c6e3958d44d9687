import zlib from "node:zlib";
import { type Act, half, type Remake, resend, same } from "./encounter.ts";
import { borne, failing } from "./row.ts";

type Code = (bytes: Buffer) => Buffer;
const SPACES = Buffer.alloc(64 * 2 ** 20, 0x20);

const coded = (coding: string, change: Remake) => resend(change, { "content-encoding": coding });

/** 64 MiB in a few kilobytes, made when they are asked for. */
function bomb(coding: string, make: Code): Act {
  let made: Buffer | undefined;
  return coded(coding, () => {
    made ??= make(SPACES);
    return made;
  });
}

const gzip: Code = (bytes) => zlib.gzipSync(bytes);
const gzipTwice: Code = (bytes) => gzip(gzip(bytes));
const deflate: Code = (bytes) => zlib.deflateSync(bytes);
const zstd: Code = (bytes) => zlib.zstdCompressSync(bytes);
const br: Code = (bytes) => zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
const cut: Code = (bytes) => half(gzip(bytes));
const turn: Code = (bytes) => Buffer.from(bytes.map((byte) => byte ^ 13));
const inMembers =
  (size: number): Code =>
  (bytes) =>
    Buffer.concat(
      Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => gzip(bytes.subarray(n * size, (n + 1) * size))),
    );
/** Damages the data in the middle, and checksum and length at the end: one of them is noticed, whatever is checked. */
const damage: Code = (body) => {
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
  "gzip-truncated": failing("not-json", "half of the right body in gzip", coded("gzip", cut)),
  "gzip-that-is-none": failing("not-json", "JSON as gzip", coded("gzip", same)),
  "zstd-that-is-none": failing("not-json", "JSON as zstd", coded("zstd", same)),
  "coding-unknown": failing("not-json", "a coding of its own", coded("rot13", turn)),
  "gzip-in-members": borne("the right body in members of gzip", coded("gzip", inMembers(9))),
  zstd: borne("the right body in zstd", coded("zstd", zstd)),
  br: borne("the right body in brotli", coded("br", br)),
};
