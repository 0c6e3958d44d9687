import type { Attack } from "./attack.ts";
import { odd, write } from "./requests.ts";

const TE = "transfer-encoding: chunked\r\n";
const CHUNKED = "5\r\nhello\r\n0\r\n\r\n";
const SNUCK = "GET /api/snuck HTTP/1.1\r\nhost: x\r\n\r\n";
const many = (count: number, text: string) => text.repeat(count);

/** Headers and a body that do not agree, or that one program may read in another way than the next. */
const BODIES: readonly [name: string, headers: string, body: string][] = [
  ["length and chunks", `content-length: 5\r\n${TE}`, CHUNKED],
  ["chunks and length", `${TE}content-length: 5\r\n`, CHUNKED],
  ["length, chunks and a request", `content-length: 5\r\n${TE}`, `0\r\n\r\n${SNUCK}`],
  ["no length and a request", "content-length: 0\r\n", SNUCK],
  ["the same length twice", many(2, "content-length: 5\r\n"), "hello"],
  ["two lengths", "content-length: 5\r\ncontent-length: 6\r\n", "hello!"],
  ["a list of one length", "content-length: 5, 5\r\n", "hello"],
  ["a list of two lengths", "content-length: 5, 6\r\n", "hello!"],
  ["a length with a sign", "content-length: +5\r\n", "hello"],
  ["a length below nothing", "content-length: -5\r\n", "hello"],
  ["a length in hexadecimal", "content-length: 0x5\r\n", "hello"],
  ["a length with a point", "content-length: 5.0\r\n", "hello"],
  ["a length with an exponent", "content-length: 5e0\r\n", "hello"],
  ["an empty length", "content-length:\r\n", "hello"],
  ["a length in blanks", "content-length: \t 5 \t\r\n", "hello"],
  ["a length of 2^64", "content-length: 18446744073709551616\r\n", "hello"],
  ["a length of 10,000 digits", `content-length: ${many(10_000, "9")}\r\n`, "hello"],
  ["a length in other digits", "content-length: \u00b2\r\n", "hello"],
  ["a length too long for us", "content-length: 1000000000\r\n", "hello"],
  ["chunked twice in one", "transfer-encoding: chunked, chunked\r\n", CHUNKED],
  ["chunked twice", TE + TE, CHUNKED],
  ["gzip, chunked", "transfer-encoding: gzip, chunked\r\n", CHUNKED],
  ["chunked, gzip", "transfer-encoding: chunked, gzip\r\n", CHUNKED],
  ["identity", "transfer-encoding: identity\r\n", "hello"],
  ["an unknown coding", "transfer-encoding: xchunked\r\n", CHUNKED],
  ["chunked in quotes", 'transfer-encoding: "chunked"\r\n', CHUNKED],
  ["chunked after a tab", "transfer-encoding:\tchunked\r\n", CHUNKED],
  ["chunked after a form feed", "transfer-encoding: \fchunked\r\n", CHUNKED],
  ["CHUNKED", "transfer-encoding: CHUNKED \r\n", CHUNKED],
  ["a space before the colon", "transfer-encoding : chunked\r\n", CHUNKED],
  ["a folded coding", "transfer-encoding:\r\n chunked\r\n", CHUNKED],
  ["a folded length", "content-length:\r\n 5\r\n", "hello"],
  ["a chunk size with blanks", TE, `5 \r\nhello\r\n0\r\n\r\n`],
  ["a chunk size with 0x", TE, `0x5\r\nhello\r\n0\r\n\r\n`],
  ["a chunk size with a sign", TE, `-5\r\nhello\r\n0\r\n\r\n`],
  ["a chunk size of 2^68", TE, `FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n`],
  ["a chunk size with many noughts", TE, `${many(5000, "0")}5\r\nhello\r\n0\r\n\r\n`],
  ["no chunk size", TE, `\r\nhello\r\n0\r\n\r\n`],
  ["a chunk size that is none", TE, `g\r\nhello\r\n0\r\n\r\n`],
  ["chunks in bare line feeds", TE, `5\nhello\n0\n\n`],
  ["a chunk longer than its size", TE, `3\r\nhello\r\n0\r\n\r\n`],
  ["a chunk shorter than its size", TE, `9\r\nhello\r\n0\r\n\r\n`],
  ["a chunk extension", TE, `5;a=b\r\nhello\r\n0\r\n\r\n`],
  ["an extension in quotes", TE, `5;a="b\\"c"\r\nhello\r\n0\r\n\r\n`],
  ["a line break in an extension", TE, `5;a="\r\n"\r\nhello\r\n0\r\n\r\n`],
  ["a line feed in an extension", TE, `5;a\nb\r\nhello\r\n0\r\n\r\n`],
  ["an extension of 20 KB", TE, `5;${many(20_000, "a")}\r\nhello\r\n0\r\n\r\n`],
  ["an extension to each of 2000 chunks", TE, `${many(2000, `1;${many(20, "a")}\r\nx\r\n`)}0\r\n\r\n`],
  ["3000 chunks of one byte", TE, `${many(3000, "1\r\nx\r\n")}0\r\n\r\n`],
  ["a trailer", TE, `5\r\nhello\r\n0\r\nx: y\r\n\r\n`],
  ["a length as trailer", TE, `5\r\nhello\r\n0\r\ncontent-length: 99\r\n\r\n`],
  ["a trailer without a colon", TE, `5\r\nhello\r\n0\r\nxy\r\n\r\n`],
  ["a trailer of 20 KB", TE, `5\r\nhello\r\n0\r\nx: ${many(20_000, "y")}\r\n\r\n`],
  ["5000 trailers", TE, `5\r\nhello\r\n0\r\n${many(5000, "a: b\r\n")}\r\n`],
  ["only the last chunk, and a request", TE, `0\r\n\r\n${SNUCK}`],
  ["no last chunk", TE, "5\r\nhello\r\n"],
];

const REQUESTS: readonly [method: string, path: string][] = [
  ["GET", "/api/heroes?size=1"],
  ["HEAD", "/api/heroes?size=1"],
  ["OPTIONS", "/api/heroes"],
  ["POST", "/api/heroes"],
  ["POST", "/api/user/auth/login"],
  ["DELETE", "/api/nothing"],
  ["GET", "/snapshots/latest.json"],
];

const CASES = BODIES.flatMap(([name, headers, body]) =>
  REQUESTS.map(([method, path]) => {
    const asked = { method, path };
    const more = body.endsWith(SNUCK) ? [{ method: "GET", path: "/api/snuck" }] : [];
    return odd(`${name}: ${method} ${path}`, write(method, path, headers, body), asked, more);
  }),
);

export const FRAMING: readonly Attack[] = [
  {
    name: "framing: lengths, codings and chunks that do not agree",
    together: 16,
    cases: (draw) => draw.some(CASES, 120),
  },
];
