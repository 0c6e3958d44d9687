import type { Attack } from "./attack.ts";
import type { Asked } from "./conversation.ts";
import { HOST, odd } from "./requests.ts";

const PATH = "/api/heroes?size=1";
const many = (count: number, text: string) => text.repeat(count);

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
  "/api/user/auth/login",
  "/api/nothing",
  "*",
];

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

const CASES = [
  ...LINES.map((line) => {
    const [method = "", path = ""] = line.split(" ", 2);
    return odd(`line ${line.slice(0, 60)}`, `${line}\r\n${HOST}\r\n`, { method, path });
  }),
  ...LINES.map((line) => odd(`bare line ${line.slice(0, 60)}`, `${line}\n${HOST}\n`, { method: "GET", path: line })),
  ...METHODS.flatMap((method) => TARGETS.flatMap((path) => [with11(method, path, ""), with10(method, path)])),
  ...[...HOSTS, ...WISHES, ...HEADERS].flatMap((headers) =>
    ["GET", "HEAD", "POST", "OPTIONS"].map((method) => {
      const bytes = `${method} ${PATH} HTTP/1.1\r\n${HOSTS.includes(headers) ? "" : HOST}${headers}\r\n`;
      return odd(`${method} with ${headers.slice(0, 60)}`, bytes, asked(method, PATH));
    }),
  ),
  ...HOSTS.map((headers) => odd(`1.0 with ${headers}`, `GET ${PATH} HTTP/1.0\r\n${headers}\r\n`, asked("GET", PATH))),
];

function asked(method: string, path: string): Asked {
  return { method, path, accepts: "br, gzip, zstd" };
}

function with11(method: string, path: string, headers: string) {
  return odd(`${method} ${path}`, `${method} ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`, asked(method, path));
}

function with10(method: string, path: string) {
  return odd(`1.0 ${method} ${path}`, `${method} ${path} HTTP/1.0\r\n\r\n`, asked(method, path));
}

export const HEADS: readonly Attack[] = [
  { name: "framing: request lines, hosts, wishes and headers", together: 16, cases: (draw) => draw.some(CASES, 250) },
];
