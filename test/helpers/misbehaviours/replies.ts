import { type Act, type Encounter, edit, half, raw, reply, resend, same } from "./encounter.ts";
import { AT_LIST, failing, listless, taken } from "./row.ts";

const HTML = { "content-type": "text/html; charset=utf-8" };
const page = (title: string) => `<!doctype html>\n<title>${title}</title><h1>${title}</h1>\n`;

const later = (retryAfter: string) => reply(429, '{"detail":"Too Many Requests"}', { "retry-after": retryAfter });
const soon: Act = (encounter) => later(new Date(Math.ceil(Date.now() / 1000) * 1000).toUTCString())(encounter);

/** The night has two seconds. */
const late = (...args: string[]) => ({
  says: /^the time of --max-time is over with \d+ of \d+ slices in /,
  args: ["--max-time", "2s", ...args],
});

const text = (template: string, { self, path, elsewhere }: Encounter) =>
  template.replace("{self}", self).replace("{path}", path).replace("{host}", elsewhere.slice("http://".length));

/** The upstream's own scheme for trouble. */
const trouble =
  (code: string, details = ""): Act =>
  (encounter) =>
    encounter.send(`{"status":"error","code":"${code}","details":{${text(details, encounter)}}}`, {}, 503);
const odd = '"alternative_endpoint":{"a":[1]}';

const away =
  (location: string): Act =>
  (encounter) =>
    encounter.send("", { location: text(location, encounter) }, 307);

const partly: Act = ({ send, honest }) => send(half(honest.body), { "content-range": "bytes 0-19/9999" }, 206);
const silent: Act = () => {};
const flap = edit(({ data }, { nth, path }) => {
  if (/size=1&/.test(path)) data.total += nth;
});

const ESCAPES = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e";
const STEERING = `HTTP/1.1 307 x\r\nlocation: http://x/${ESCAPES}\r\ncontent-length: 0\r\n\r\n`;
const NESTED = "[".repeat(20_000) + "]".repeat(20_000);
const MADE_UP = { "x-sample-data": "made-up" };

/** How an upstream refuses, sends us away and makes us wait. */
export const REPLIES = {
  "rate-limited": failing("rate-limited", "429", reply(429), { seconds: 15 }),
  "rate-limited-for-a-second": failing("rate-limited", "429: wait for a second", later("1"), { seconds: 15 }),
  "rate-limited-to-the-second": failing("rate-limited", "429: wait until a date that is near", soon, { seconds: 15 }),
  "rate-limited-garbled": failing("rate-limited", "429: wait for nonsense", later("-5; DROP TABLE")),
  "rate-limited-to-9999": failing("rate-limited", "429: wait", later("Fri, 31 Dec 9999 23:59:59 GMT"), late()),
  "rate-limited-for-ages": failing("rate-limited", "429: wait for 10^12 s", later("1000000000000"), late()),
  "rate-limited-for-longer": failing("rate-limited", "429: wait for 10^400 s", later("9".repeat(400)), late()),
  blocked: failing("blocked", "405 with a page, as a firewall", reply(405, page("Blocked"), HTML), { seconds: 15 }),
  maintenance: failing("unavailable", "503", trouble("MAINTENANCE"), { seconds: 15 }),
  limited: failing("unavailable", "503, ask there", trouble("LIMITED", '"alternative_endpoint":"http://{host}"')),
  "limited-oddly": failing("unavailable", "503, ask an object", trouble("LIMITED", odd)),
  redirect: failing("redirected", "307 to another host", away("http://{host}{path}")),
  "redirect-to-itself": failing("redirected", "307 to itself", away("{self}{path}")),
  "redirect-without-a-scheme": failing("redirected", "307 to //host", away("//{host}")),
  "redirect-to-a-file": failing("redirected", "307 to a file", away("file:///etc/passwd")),
  "redirect-with-a-user": failing("redirected", "307 to another host that begins as this one", away("{self}@{host}/")),
  "redirect-of-a-megabyte": failing("not-http", "307 to a megabyte", away(`http://${"a".repeat(1_000_000)}`)),
  "server-error-nested": failing("server-error", "500 with 40 kB of brackets", reply(500, `{"detail":${NESTED}}`)),
  "server-error": failing("server-error", "500", reply(500, '{"detail":"Oops"}')),
  "bad-gateway": failing("server-error", "502 with a page", reply(502, page("Bad Gateway"), HTML)),
  "status-999": failing("server-error", "999", reply(999)),
  "status-204": failing("rejected", "204", reply(204, "")),
  "status-205": failing("rejected", "205", reply(205, "")),
  "status-206": failing("rejected", "206 with a part of the body", partly),
  "status-304": failing("redirected", "304 that nobody asked for", reply(304, "", { etag: '"x"' })),
  unauthorized: failing("refused", "401 that asks for a password", reply(401, "{}", { "www-authenticate": "Basic" })),
  "not-found": failing("refused", "404", reply(404, '{"detail":"Not Found"}')),
  "error-code": failing(
    "refused",
    "200 with a code that says no",
    reply(200, '{"code":500,"message":"failed","data":null}'),
  ),
  html: failing("wrong-type", "200 with a page", reply(200, page("Just a moment"), HTML)),
  hang: failing("timeout", "no answer", silent, { seconds: 12 }),
  "hang-for-long": taken("no answer in the time of the night", silent, { code: 3, ...late("--timeout", "60") }),
  "escapes-in-a-body": listless(4, "server-error", "500 with what steers a terminal", reply(500, ESCAPES)),
  "escapes-in-a-header": listless(4, "unreachable", "307 to what steers a terminal", raw(STEERING)),
  "made-up-from-now-on": failing("wrong-kind", "the right answer, made up as it says", resend(same, MADE_UP)),
  "roster-that-flaps": taken("another number of heroes each time", flap, { at: AT_LIST }),
};
