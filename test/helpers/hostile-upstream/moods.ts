import { ALL, type Exchange, edit, ending, failing, LIST, listless, type Mode, raw, refused } from "./mode.ts";

const status =
  (line: string, body: string, headers: Record<string, string> = {}) =>
  ({ send }: Exchange) =>
    send(body, headers, line);
const away = (location: (exchange: Exchange) => string) => (exchange: Exchange) =>
  exchange.send("", { location: location(exchange) }, "307 Temporary Redirect");
const again = (retryAfter: string) => status("429 Too Many Requests", "{}", { "retry-after": retryAfter });
const late = { code: 3, says: /^the time of --max-time is over with \d+ of \d+ slices in / };
const html = { "content-type": "text/html" };
const escapes = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e";
const lost = { code: 4, says: /gave no hero list \(\S+: / };

/** How an upstream refuses, sends us away and makes us wait; and where there is none. */
export const MOODS: Mode[] = [
  failing(
    "redirect-elsewhere",
    "redirected",
    away(({ canary, path }) => canary + path),
  ),
  failing(
    "redirect-to-itself",
    "redirected",
    away(({ self, path }) => self + path),
  ),
  failing(
    "redirect-without-a-host",
    "redirected",
    away(({ canary }) => canary.replace("http:", "")),
  ),
  failing(
    "redirect-to-a-file",
    "redirected",
    away(() => "file:///etc/passwd"),
  ),
  failing(
    "redirect-of-a-megabyte",
    "not-http",
    away(() => `http://${"a".repeat(1_000_000)}`),
  ),
  failing(
    "redirect-with-a-user",
    "redirected",
    away(({ self, canary }) => `${self}@${canary.slice(7)}/`),
  ),
  failing("alternative-endpoint", "unavailable", ({ send, canary }) =>
    send(JSON.stringify({ status: "error", details: { alternative_endpoint: canary } }), {}, "503 Service Unavailable"),
  ),
  failing(
    "alternative-endpoint-of-another-type",
    "unavailable",
    status("503 Service Unavailable", '{"details":{"alternative_endpoint":{"a":[1]}}}'),
  ),
  failing("retry-after-10^12", "rate-limited", again("1000000000000"), { ...late, args: ["--max-time", "2s"] }),
  failing("retry-after-in-the-year-9999", "rate-limited", again("Fri, 31 Dec 9999 23:59:59 GMT"), {
    ...late,
    args: ["--max-time", "2s"],
  }),
  failing("retry-after-garbled", "rate-limited", again("-5; DROP TABLE")),
  failing("retry-after-of-400-digits", "rate-limited", again("9".repeat(400)), { ...late, args: ["--max-time", "2s"] }),
  ending("never-answers-for-long", 3, late.says, () => undefined, { args: ["--max-time", "2s", "--timeout", "60"] }),
  failing("rate-limited-always", "rate-limited", status("429 Too Many Requests", "{}"), { seconds: 15 }),
  failing("blocked", "blocked", status("405 Method Not Allowed", "<html>", html), { seconds: 15 }),
  failing("maintenance", "unavailable", status("503 Service Unavailable", "{}"), { seconds: 15 }),
  failing("server-error", "server-error", status("500 Oops", "{}")),
  failing("bad-gateway", "server-error", status("502 Bad Gateway", "<html>", html)),
  refused("unauthorized", status("401 Unauthorized", "{}", { "www-authenticate": "Basic" })),
  refused("not-found", status("404 Not Found", '{"detail":"Not Found"}')),
  failing("body-of-a-refusal-endless", "oversized", ({ socket }) => {
    socket.write("HTTP/1.1 500 Oops\r\ntransfer-encoding: chunked\r\n\r\n");
    const more = () => {
      while (!socket.destroyed && socket.write(`10000\r\n${"x".repeat(0x10000)}\r\n`));
      if (!socket.destroyed) socket.once("drain", more);
    };
    more();
  }),
  listless("list-of-escapes-in-a-body", "server-error", status("500 Oops", escapes), lost),
  listless(
    "list-of-escapes-in-a-header",
    "unreachable",
    ({ send }) => send("", { location: `http://x/${escapes}` }, "307 x"),
    lost,
  ),
  listless("list-refused", "refused", status("403 Forbidden", "{}")),
  failing("made-up-from-now-on", "wrong-kind", ({ send, honest }) => send(honest, { "x-sample-data": "made-up" }), {
    code: 64,
    says: /^the upstream is not the one that the crawl began with: stats \S+: its numbers are made-up, and this crawl holds real ones; nothing was published; name that one/,
  }),
  listless("list-in-maintenance", "unavailable", status("503 Service Unavailable", "{}"), lost),
  listless("nobody-answers", "timeout", () => undefined, { ...lost, at: ALL, seconds: 12 }),
  listless("everything-reset", "unreachable", ({ socket }) => void socket.resetAndDestroy(), { ...lost, at: ALL }),
  ending(
    "roster-that-flaps",
    3,
    /^the upstream's roster does not settle; nothing was published; run the same command again$/,
    edit((page, { nth, path }) => {
      if (/size=1&/.test(path)) page.data.total += nth;
    }),
    { at: LIST, seconds: 15 },
  ),
  listless(
    "bad-tls",
    "timeout",
    raw(() => "not TLS"),
    { ...lost, at: ALL, address: (self) => self.replace("http:", "https:") },
  ),
  listless("no-dns", "unreachable", () => undefined, { ...lost, at: ALL, address: () => "http://nobody.invalid" }),
  listless("no-port", "unreachable", () => undefined, { ...lost, at: ALL, address: () => "http://127.0.0.1:9" }),
];
