import type { Draw } from "../draw.ts";
import type { Attack } from "./attack.ts";
import type { Conversation } from "./conversation.ts";
import { get, goodPath, odd, withBody, write } from "./requests.ts";

const BODY = '{"role_id":1,"zone_id":2,"vc":"123456"}';
const LIKED = "\0\t\n\r %&+,-./:;=?@[\\]_{}~\u007f\u0080\u00ff09AZaz";

const GOOD: readonly ((draw: Draw) => string)[] = [
  (draw) => get(goodPath(draw)),
  (draw) => get(goodPath(draw), 'accept-encoding: br, gzip;q=0.5\r\nif-none-match: "a", "b"\r\n'),
  (draw) => write("HEAD", goodPath(draw)),
  (draw) => write("OPTIONS", goodPath(draw), "origin: http://y\r\naccess-control-request-method: GET\r\n"),
  () => withBody("POST", "/api/user/auth/login", BODY, "content-type: application/json\r\n"),
  () =>
    write(
      "POST",
      "/api/user/auth/login",
      "transfer-encoding: chunked\r\n",
      `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
    ),
  () => get("/snapshots/latest.json", "range: bytes=0-9\r\n"),
  () => get("/health"),
];

const CHANGES: readonly ((bytes: string, at: number, draw: Draw) => string)[] = [
  (bytes, at, draw) => bytes.slice(0, at) + flip(bytes.charCodeAt(at), draw) + bytes.slice(at + 1),
  (bytes, at, draw) => bytes.slice(0, at) + draw.pick([...LIKED]) + bytes.slice(at),
  (bytes, at, draw) => bytes.slice(0, at) + draw.pick([...LIKED]).repeat(1 + draw.below(3000)) + bytes.slice(at),
  (bytes, at, draw) => bytes.slice(0, at) + bytes.slice(at + 1 + draw.below(10)),
  (bytes, at, draw) => bytes.slice(0, at) + bytes.slice(draw.below(at + 1), at) + bytes.slice(at),
  (bytes, at) => bytes.slice(0, at),
];

const flip = (byte: number, draw: Draw) => String.fromCharCode(byte ^ (1 << draw.below(8)));

function mutant(draw: Draw): Conversation {
  let bytes = draw.pick(GOOD)(draw);
  const method = bytes.slice(0, bytes.indexOf(" "));
  // What is sure about an answer to a HEAD must stay sure.
  const from = method === "HEAD" ? "HEAD ".length : 0;
  for (let changes = 1 + draw.below(3); changes > 0; changes -= 1)
    bytes = draw.pick(CHANGES)(bytes, from + draw.below(Math.max(1, bytes.length - from)), draw);
  const asked = { path: "/auth/", accepts: "*" };
  // What was one request may have become several.
  const more = { ...asked, method: "GET" };
  return odd("a mutant", bytes, { ...asked, method }, [more, more]);
}

export const MUTANTS: readonly Attack[] = [
  {
    name: "mutants of good requests",
    together: 16,
    cases: (draw) => Array.from({ length: draw.many(4000, 400) }, () => mutant(draw)),
  },
];
