/** What clients may say that is no HTTP, or that one program may read in another way than the next: the whole of its tables. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { attack } from "../helpers/hostile/attack.ts";
import type { Conversation } from "../helpers/hostile/conversation.ts";
import { CHUNKED, get, HOST, LOGIN, many, odd, write } from "../helpers/hostile/requests.ts";
import { startTarget, type Target } from "../helpers/hostile/target.ts";
import { startMirror } from "../helpers/mirror.ts";
import { converse, parseAnswers } from "../helpers/raw.ts";
import { world } from "../helpers/world.ts";

/** One server for all, so that what one attack leaves behind meets the next. */
let target: Target;
beforeAll(async () => {
  target = await startTarget(world.nights.data);
});
afterAll(() => target.stop());

test.for([
  ["lengths, codings and chunks that do not agree", () => BODIES.flatMap(asBody)],
  ["hosts, wishes and other headers", () => [...HOSTS, ...WISHES, ...HEADERS].flatMap(asHeaders)],
  ["request lines and methods", () => [...LINES.flatMap(asLine), ...METHODS.flatMap(asMethod)]],
] as const)("%s are refused or read as one request, and another behind them is answered", async ([, cases]) => {
  expect(await attack(target, cases())).toEqual([]);
});

test("an invalid Host is refused, whatever the path, and an empty one is accepted", async () => {
  const statusOf = async (host: string, path: string) => {
    const bytes = await converse(target.facts.url, [`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`]);
    return parseAnswers(bytes).map(({ status }) => status);
  };
  for (const path of [PATH, "/%61pi/heroes"]) {
    for (const host of ["a:99999", "a b", "a, b", "[::1", "%00", "<script>"])
      expect([host, await statusOf(host, path)]).toEqual([host, [400]]);
    for (const host of ["", "a", "a:80", "[::1]:80", "127.0.0.1", "_"])
      expect([host, await statusOf(host, path)]).not.toEqual([host, [400]]);
  }
});

test("a fault that is thrown before anything of a request is awaited is told, and the next request is answered", async () => {
  await using mirror = await startMirror(world.snapshot);
  const { getResponse } = mirror.active.cache;
  mirror.active.cache.getResponse = () => {
    throw new Error("a fault");
  };
  const ask = async () => {
    const answer = await fetch(mirror.url + PATH);
    return [answer.status, ((await answer.json()) as { error?: { code: string } }).error?.code];
  };
  expect(await ask()).toEqual([500, "INTERNAL_ERROR"]);
  mirror.active.cache.getResponse = getResponse;
  expect(await ask()).toEqual([200, undefined]);
  expect(mirror.faults).toEqual([new Error("a fault")]);
});

const PATH = "/api/heroes?size=1";
const CHUNKS = "5\r\nhello\r\n0\r\n\r\n";
const SNUCK = get("/api/snuck");

/** Headers and a body that do not agree, or that one program may read in another way than the next. */
const BODIES: readonly [name: string, headers: string, body: string][] = [
  ["length and chunks", `content-length: 5\r\n${CHUNKED}`, CHUNKS],
  ["chunks and length", `${CHUNKED}content-length: 5\r\n`, CHUNKS],
  ["length, chunks and a request", `content-length: 5\r\n${CHUNKED}`, `0\r\n\r\n${SNUCK}`],
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
  ["chunked twice in one", "transfer-encoding: chunked, chunked\r\n", CHUNKS],
  ["chunked twice", CHUNKED + CHUNKED, CHUNKS],
  ["gzip, chunked", "transfer-encoding: gzip, chunked\r\n", CHUNKS],
  ["chunked, gzip", "transfer-encoding: chunked, gzip\r\n", CHUNKS],
  ["identity", "transfer-encoding: identity\r\n", "hello"],
  ["an unknown coding", "transfer-encoding: xchunked\r\n", CHUNKS],
  ["chunked in quotes", 'transfer-encoding: "chunked"\r\n', CHUNKS],
  ["chunked after a tab", "transfer-encoding:\tchunked\r\n", CHUNKS],
  ["chunked after a form feed", "transfer-encoding: \fchunked\r\n", CHUNKS],
  ["CHUNKED", "transfer-encoding: CHUNKED \r\n", CHUNKS],
  ["a space before the colon", "transfer-encoding : chunked\r\n", CHUNKS],
  ["a folded coding", "transfer-encoding:\r\n chunked\r\n", CHUNKS],
  ["a folded length", "content-length:\r\n 5\r\n", "hello"],
  ["a chunk size with blanks", CHUNKED, `5 \r\nhello\r\n0\r\n\r\n`],
  ["a chunk size with 0x", CHUNKED, `0x5\r\nhello\r\n0\r\n\r\n`],
  ["a chunk size with a sign", CHUNKED, `-5\r\nhello\r\n0\r\n\r\n`],
  ["a chunk size of 2^68", CHUNKED, `FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n`],
  ["a chunk size with many noughts", CHUNKED, `${many(5000, "0")}5\r\nhello\r\n0\r\n\r\n`],
  ["no chunk size", CHUNKED, `\r\nhello\r\n0\r\n\r\n`],
  ["a chunk size that is none", CHUNKED, `g\r\nhello\r\n0\r\n\r\n`],
  ["chunks in bare line feeds", CHUNKED, `5\nhello\n0\n\n`],
  ["a chunk longer than its size", CHUNKED, `3\r\nhello\r\n0\r\n\r\n`],
  ["a chunk shorter than its size", CHUNKED, `9\r\nhello\r\n0\r\n\r\n`],
  ["a chunk extension", CHUNKED, `5;a=b\r\nhello\r\n0\r\n\r\n`],
  ["an extension in quotes", CHUNKED, `5;a="b\\"c"\r\nhello\r\n0\r\n\r\n`],
  ["a line break in an extension", CHUNKED, `5;a="\r\n"\r\nhello\r\n0\r\n\r\n`],
  ["a line feed in an extension", CHUNKED, `5;a\nb\r\nhello\r\n0\r\n\r\n`],
  ["an extension of 20 KB", CHUNKED, `5;${many(20_000, "a")}\r\nhello\r\n0\r\n\r\n`],
  ["an extension to each of 2000 chunks", CHUNKED, `${many(2000, `1;${many(20, "a")}\r\nx\r\n`)}0\r\n\r\n`],
  ["3000 chunks of one byte", CHUNKED, `${many(3000, "1\r\nx\r\n")}0\r\n\r\n`],
  ["a trailer", CHUNKED, `5\r\nhello\r\n0\r\nx: y\r\n\r\n`],
  ["a length as trailer", CHUNKED, `5\r\nhello\r\n0\r\ncontent-length: 99\r\n\r\n`],
  ["a trailer without a colon", CHUNKED, `5\r\nhello\r\n0\r\nxy\r\n\r\n`],
  ["a trailer of 20 KB", CHUNKED, `5\r\nhello\r\n0\r\nx: ${many(20_000, "y")}\r\n\r\n`],
  ["5000 trailers", CHUNKED, `5\r\nhello\r\n0\r\n${many(5000, "a: b\r\n")}\r\n`],
  ["only the last chunk, and a request", CHUNKED, `0\r\n\r\n${SNUCK}`],
  ["no last chunk", CHUNKED, "5\r\nhello\r\n"],
];

const REQUESTS: readonly [method: string, path: string][] = [
  ["GET", PATH],
  ["HEAD", PATH],
  ["OPTIONS", "/api/heroes"],
  ["POST", "/api/heroes"],
  ["POST", LOGIN],
  ["DELETE", "/api/nothing"],
  ["GET", "/snapshots/latest.json"],
];

type Body = (typeof BODIES)[number];

const asBody = ([name, headers, body]: Body): Conversation[] =>
  REQUESTS.map(([method, path]) => {
    const more = body.endsWith(SNUCK) ? [{ method: "GET", path: "/api/snuck" }] : [];
    return odd(`${name}: ${method} ${path}`, write(method, path, headers, body), { method, path }, more);
  });

/** Hosts: none, several, and what is none. */
const HOSTS: readonly string[] = [
  "",
  "host:\r\n",
  "host: \r\n",
  "host: a\r\nhost: b\r\n",
  "host: a\r\nhost: a\r\n",
  "Host: a\r\nhOST: b\r\n",
  "host: a, b\r\n",
  "host: a b\r\n",
  "host: a/b\r\n",
  "host: a@b\r\n",
  "host: a?b#c\r\n",
  "host: http://a\r\n",
  "host: [::1\r\n",
  "host: a:99999\r\n",
  "host: a:b:c\r\n",
  "host: %00\r\n",
  "host: \u00ff\r\n",
  "host: <script>\r\n",
  `host: ${many(10_000, "x")}\r\n`,
  "host : a\r\n",
  "x-forwarded-host: b\r\nhost: a\r\n",
];

/** What HTTP lets a client ask of the connection. */
const WISHES: readonly string[] = [
  "expect: 100-continue\r\n",
  "expect: 100-continue\r\ncontent-length: 5\r\n",
  "expect: 100-continue\r\ntransfer-encoding: chunked\r\n",
  "expect: 100-continue\r\ncontent-length: 99999999\r\n",
  "expect: 200-ok\r\n",
  "expect: \r\n",
  "expect: 100-continue, 100-continue\r\n",
  "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
  "upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n",
  "upgrade: TLS/1.0\r\n",
  "connection: upgrade\r\n",
  "connection: close, keep-alive\r\n",
  "connection: keep-alive\r\nkeep-alive: timeout=99999999, max=-1\r\n",
  `connection: ${many(3000, "a,")}close\r\n`,
  "connection: host, content-length, x-request-id\r\n",
  "te: trailers, deflate\r\n",
  "trailer: content-length\r\n",
];

/** Header lines that are none, and ones that are odd. */
const HEADERS: readonly string[] = [
  "no colon\r\n",
  ": empty\r\n",
  " folded: first\r\n",
  "a: b\r\n folded\r\n",
  "a: b\r\n\tfolded\r\n",
  "a b: c\r\n",
  "a\0: b\r\n",
  "a: b\0c\r\n",
  "a: b\u007fc\r\n",
  "a: b\u0001c\r\n",
  "a: b\rc: d\r\n",
  "a: b\nc: d\n",
  "a: b\r\r\n",
  "\u00e4: b\r\n",
  "a: \u00e4\u00ff\r\n",
  "(a): b\r\n",
  "__proto__: a\r\nconstructor: b\r\nhasOwnProperty: c\r\n",
  `a: ${many(15_000, "b")}\r\n`,
  `a: ${many(20_000, "b")}\r\n`,
  `${many(15_000, "a")}: b\r\n`,
  many(2000, "a: b\r\n"),
  many(10_000, "a:\r\n"),
  many(1900, "if-none-match: *\r\n"),
  `accept-encoding: ${many(3900, "br,")}\r\n`,
  `accept-encoding: ${many(3000, "*;q=0,")}\r\n`,
  "accept-encoding: br;q=nan, gzip;q=-1, zstd;q=1e9, identity;q=0, *;q=0\r\n",
  `x-request-id: ${many(5000, "x")}\r\n`,
  'x-request-id: "}\u00ff<script>\r\n',
  "x-request-id: a\r\nx-request-id: b\r\n",
  `cookie: ${many(5000, "a=b;")}\r\n`,
  `x-forwarded-for: ${many(3000, "1.2,")}\r\n`,
  "x-http-method-override: DELETE\r\n",
  "origin: null\r\naccess-control-request-method: \u00ff\r\naccess-control-request-headers: a\u00ffb\r\n",
];

/** Paths that cannot be read as they are. */
const UNEVEN_PATHS: readonly string[] = [
  "/%61pi/heroes",
  "/api/./heroes",
  "/%2e%2e/api/heroes",
  "/api\\heroes",
  "/api/heroes?a='\"<",
  "/#",
  "//a:99999/api",
  "http://a:99999/api/heroes",
  "http://a/%61pi/./heroes",
  "*",
];

function asHeaders(headers: string): Conversation[] {
  const isHost = HOSTS.includes(headers);
  const send = (method: string, version: string, host: string, path = PATH) => {
    const bytes = `${method} ${path} HTTP/${version}\r\n${host}${headers}\r\n`;
    return odd(`${version} ${method} with ${headers}`, bytes, { method, path, accepts: "br, gzip, zstd" });
  };
  const all = ["GET", "HEAD", "POST", "OPTIONS"].map((method) => send(method, "1.1", isHost ? "" : HOST));
  if (!isHost) return all;
  const uneven = UNEVEN_PATHS.flatMap((path) => ["1.1", "1.0"].map((version) => send("GET", version, "", path)));
  return [...all, send("GET", "1.0", ""), ...uneven];
}

/** First lines that are none, or that are odd. */
const LINES: readonly string[] = [
  "",
  " ",
  "\r\n\r\nGET /api/heroes?size=1 HTTP/1.1",
  "\nGET /api/heroes?size=1 HTTP/1.1",
  " GET /api/heroes HTTP/1.1",
  "GET",
  "GET /api/heroes",
  "GET /api/heroes HTTP",
  "GET /api/heroes HTTP/",
  "GET /api/heroes HTTP/1",
  "GET /api/heroes HTTP/1.",
  "GET /api/heroes HTTP/1.1.1",
  "GET /api/heroes HTTP/0.9",
  "GET /api/heroes HTTP/1.2",
  "GET /api/heroes HTTP/2.0",
  "GET /api/heroes HTTP/9.9",
  "GET /api/heroes HTTP/11",
  "GET /api/heroes http/1.1",
  "GET /api/heroes XTTP/1.1",
  "GET /api/heroes RTSP/1.0",
  "GET /api/heroes ICE/1.0",
  "SOURCE /api/heroes ICE/1.0",
  "GET  /api/heroes HTTP/1.1",
  "GET /api/heroes  HTTP/1.1",
  "GET\t/api/heroes\tHTTP/1.1",
  "GET /api/heroes HTTP/1.1 ",
  "GET /api/heroes HTTP/1.1\r",
  "GET /api/he roes HTTP/1.1",
  "GET /api/he\troes HTTP/1.1",
  "GET /api/he\0roes HTTP/1.1",
  "GET /api/he\u007froes HTTP/1.1",
  "GET /api/he\u00ffroes HTTP/1.1",
  "GET api/heroes HTTP/1.1",
  "GET ? HTTP/1.1",
  "GET # HTTP/1.1",
  "GET * HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "GET http://x HTTP/1.1",
  "GET http://x/api/heroes?size=1 HTTP/1.1",
  "GET HTTPS://x/api/heroes?size=1 HTTP/1.1",
  "GET http:///api/heroes HTTP/1.1",
  "GET http://x:99999/api/heroes HTTP/1.1",
  "GET http://u:p@x/api/heroes HTTP/1.1",
  "GET http://[::1]/api/heroes HTTP/1.1",
  "GET http://[/api/heroes HTTP/1.1",
  "GET http://%00/api/heroes HTTP/1.1",
  "GET ftp://x/api/heroes HTTP/1.1",
  "GET javascript:alert(1) HTTP/1.1",
  "GET file:///etc/passwd HTTP/1.1",
  "GET //x/api/heroes HTTP/1.1",
  "GET ///// HTTP/1.1",
  "GET \\api\\heroes HTTP/1.1",
  "get /api/heroes HTTP/1.1",
  "Get /api/heroes HTTP/1.1",
  "GETT /api/heroes HTTP/1.1",
  "FOO /api/heroes HTTP/1.1",
  "FOO /nothing HTTP/1.1",
  "FOO /health HTTP/1.1",
  "\0 /api/heroes HTTP/1.1",
  `${many(5000, "G")} /api/heroes HTTP/1.1`,
  `GET /${many(20_000, "x")} HTTP/1.1`,
  `GET /api/heroes?${many(10_000, "a&")} HTTP/1.1`,
  "PRI * HTTP/2.0",
  "CONNECT x:443 HTTP/1.1",
  "CONNECT /api/heroes HTTP/1.1",
  "CONNECT http://x/ HTTP/1.1",
  "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003",
  "EHLO x",
  "SSH-2.0-OpenSSH_9.9",
  "PROXY TCP4 1.2.3.4 5.6.7.8 1 2",
  '{"jsonrpc":"2.0"}',
];

function asLine(line: string): Conversation[] {
  const [method = "", path = ""] = line.split(" ", 2);
  return [
    odd(`line ${line}`, `${line}\r\n${HOST}\r\n`, { method, path }),
    odd(`bare line ${line}`, `${line}\n${HOST}\n`, { method: "GET", path: line }),
  ];
}

const METHODS = "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY PROPFIND MKCOL PURGE SEARCH M-SEARCH LINK".split(
  " ",
);
const TARGETS = [
  PATH,
  "/",
  "/api/",
  "/health",
  "/metrics",
  "/ready",
  "/snapshots/",
  "/snapshots/latest.json",
  LOGIN,
  "/api/nothing",
  "*",
];

const asMethod = (method: string): Conversation[] =>
  TARGETS.flatMap((path) => [
    odd(`${method} ${path}`, `${method} ${path} HTTP/1.1\r\n${HOST}\r\n`, { method, path }),
    odd(`1.0 ${method} ${path}`, `${method} ${path} HTTP/1.0\r\n\r\n`, { method, path }),
  ]);
