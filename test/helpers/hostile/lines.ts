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

const asked = (method: string, path: string): Asked => ({ method, path });

const CASES = [
  ...LINES.map((line) => {
    const [method = "", path = ""] = line.split(" ", 2);
    return odd(`line ${line}`, `${line}\r\n${HOST}\r\n`, asked(method, path));
  }),
  ...LINES.map((line) => odd(`bare line ${line}`, `${line}\n${HOST}\n`, asked("GET", line))),
  ...METHODS.flatMap((method) =>
    TARGETS.flatMap((path) => [
      odd(`${method} ${path}`, `${method} ${path} HTTP/1.1\r\n${HOST}\r\n`, asked(method, path)),
      odd(`1.0 ${method} ${path}`, `${method} ${path} HTTP/1.0\r\n\r\n`, asked(method, path)),
    ]),
  ),
];

export const LINES_SENT: readonly Attack[] = [
  { name: "framing: request lines and methods", together: 16, cases: (draw) => draw.some(CASES, 150) },
];
