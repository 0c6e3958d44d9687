import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import pLimit from "p-limit";

/** Content codings, the one that we like best first. */
export const CODINGS = ["br", "zstd", "gzip"] as const;

export type Coded = (typeof CODINGS)[number];

export type Coding = Coded | "identity";

/** Answers that are coded at once: as many as there are cores on a small machine. */
const AT_ONCE = 2;
/** Of those that wait; who comes later gets the plain form. */
const MOST_WAITING = 16;

const limit = pLimit(AT_ONCE);

export const isCodingBusy = () => limit.pendingCount >= MOST_WAITING;

/** Codes an answer, as soon as its turn comes: each coding under way has memory of its own. */
export const encode = (bytes: Uint8Array, coding: Coded): Promise<Buffer> => limit(ENCODERS[coding], bytes);

/** Powers of two: a window that is wider than the text only takes memory. */
const windowFor = ({ length }: Uint8Array, [least, most]: [number, number]) =>
  Math.min(most, Math.max(least, Math.ceil(Math.log2(length + 1))));

// Each form is made once and sent often, but somebody waits for it: the levels where a slower one hardly gains.
const brotli = promisify(brotliCompress);
const zstd = promisify(zstdCompress);
const deflate = promisify(gzip) as (bytes: Uint8Array, options: object) => Promise<Buffer>;
const ENCODERS: Record<Coded, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        [constants.BROTLI_PARAM_LGWIN]: windowFor(bytes, [10, 20]),
      },
    }),
  zstd: (bytes) =>
    zstd(bytes, {
      pledgedSrcSize: bytes.length,
      params: {
        [constants.ZSTD_c_compressionLevel]: 9,
        [constants.ZSTD_c_windowLog]: windowFor(bytes, [10, 20]),
      },
    }),
  gzip: (bytes) => deflate(bytes, { windowBits: windowFor(bytes, [9, 15]) }),
};

/** As version 1 has it; its published types are those of version 0. */
interface Encodings {
  encodings(available: Coding[], options: { preferred: readonly Coding[] }): Coding[];
}

/** Clients say the same few things for ever: each is understood once. */
const understood = new LRUCache<string, Coding>({ max: 500 });

/** The form that a client likes best. Who refuses every one gets the plain one: better than no answer. */
export function negotiate(accepted: string | undefined): Coding {
  if (accepted === undefined) return "identity";
  const known = understood.get(accepted);
  if (known !== undefined) return known;
  const negotiator = new Negotiator({ headers: { "accept-encoding": accepted } }) as unknown as Encodings;
  const coding = negotiator.encodings([...CODINGS, "identity"], { preferred: CODINGS })[0] ?? "identity";
  if (accepted.length < 200) understood.set(accepted, coding);
  return coding;
}
