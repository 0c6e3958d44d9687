import type { Attack } from "./attack.ts";
import type { Asked } from "./conversation.ts";
import { HOST, odd } from "./requests.ts";

const PATH = "/api/heroes?size=1";
const many = (count: number, text: string) => text.repeat(count);

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

const asked = (method: string): Asked => ({ method, path: PATH, accepts: "br, gzip, zstd" });

const CASES = [
  ...[...HOSTS, ...WISHES, ...HEADERS].flatMap((headers) =>
    ["GET", "HEAD", "POST", "OPTIONS"].map((method) => {
      const host = HOSTS.includes(headers) ? "" : HOST;
      return odd(`${method} with ${headers}`, `${method} ${PATH} HTTP/1.1\r\n${host}${headers}\r\n`, asked(method));
    }),
  ),
  ...HOSTS.map((headers) => odd(`1.0 with ${headers}`, `GET ${PATH} HTTP/1.0\r\n${headers}\r\n`, asked("GET"))),
];

export const HEADERS_SENT: readonly Attack[] = [
  { name: "framing: hosts, wishes and other headers", together: 16, cases: (draw) => draw.some(CASES, 120) },
];
