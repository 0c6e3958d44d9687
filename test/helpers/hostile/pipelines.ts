import type { Draw } from "../draw.ts";
import type { Attack } from "./attack.ts";
import type { Asked, Conversation } from "./conversation.ts";
import { get, goodPath, withBody, write } from "./requests.ts";

interface Request {
  bytes: string;
  asked: Asked;
}

const LENGTHS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000];
const CHUNKED = "transfer-encoding: chunked\r\n";

const READS: readonly ((draw: Draw) => Request)[] = [
  (draw) => read("GET", goodPath(draw), [200, 503]),
  (draw) => sized(1 + draw.below(60)),
  (draw) => read("HEAD", goodPath(draw), [200, 503]),
  (draw) => read("GET", `/api/heroes?size=${1 + draw.below(9)}`, [304], "if-none-match: *\r\n"),
  (draw) => read("OPTIONS", goodPath(draw), [204], "access-control-request-method: GET\r\n"),
  (draw) => read(draw.pick(["GET", "HEAD"]), `/api/nothing/${draw.below(1e6)}`, [404]),
  (draw) => read("GET", `/api/heroes?size=-${draw.below(1e6)}`, [422]),
  () => read("GET", "/health", [200]),
];

const BODIES: readonly ((draw: Draw) => Request)[] = [
  (draw) => {
    const bytes = withBody("POST", "/api/heroes", "x".repeat(draw.below(3000)));
    return { bytes, asked: { method: "POST", path: "/api/heroes", status: [405] } };
  },
  (draw) => {
    const size = 1 + draw.below(2000);
    const body = `${size.toString(16)}\r\n${"y".repeat(size)}\r\n0\r\n\r\n`;
    const bytes = write("POST", "/api/user/auth/login", CHUNKED, body);
    return { bytes, asked: { method: "POST", path: "/api/user/auth/login", status: [200] } };
  },
  (draw) => {
    const bytes = withBody("GET", "/api/heroes?size=2", "z".repeat(draw.below(3000)));
    return { bytes, asked: { method: "GET", path: "/api/heroes?size=2", status: [200], size: 2 } };
  },
];

const JUNK = [
  "\0\u0001junk\r\n\r\n",
  "FOO BAR BAZ\r\n\r\n",
  "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003",
  "GET /api/heroes HTTP/9.9\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "GET /api/heroes HTTP/1.1\r\nno colon\r\n\r\n",
];

function read(method: string, path: string, status: readonly number[], headers = ""): Request {
  return { bytes: write(method, path, headers), asked: { method, path, status } };
}

/** Each of another length, so that answers in another order are seen. */
const sized = (size: number): Request => ({
  bytes: get(`/api/heroes?size=${size}`),
  asked: { method: "GET", path: "/api/heroes", status: [200], size },
});

function pipeline(draw: Draw, number: number): Conversation {
  const kind = draw.pick(["reads", "reads", "bodies", "junk"] as const);
  const makers = kind === "bodies" ? [...READS, ...BODIES] : READS;
  const requests = Array.from({ length: draw.pick(LENGTHS) }, () => draw.pick(makers)(draw));
  const junk =
    kind === "junk" ? [{ bytes: draw.pick(JUNK), asked: { method: "?", path: "?", status: [400, 404, 405] } }] : [];
  const all = [...requests, ...junk];
  return {
    name: `pipeline ${number} of ${all.length}, ${kind}`,
    ...cut(draw, all.map(({ bytes }) => bytes).join("")),
    asked: all.map(({ asked }) => asked),
    answers: kind === "reads" ? "all" : "closing",
    patient: true,
  };
}

/** In one write, or in two to forty at odd places, with or without a pause between. */
function cut(draw: Draw, bytes: string): Pick<Conversation, "pieces" | "pause"> {
  const cuts = draw.pick([0, 0, 1, 3, 39]);
  const places = Array.from({ length: cuts }, () => draw.below(bytes.length)).toSorted((a, b) => a - b);
  const pieces = [...places, bytes.length].map((end, at) => bytes.slice(places[at - 1] ?? 0, end));
  const pause = draw.pick([undefined, 0, 1]);
  return { pieces: pieces.filter((piece) => piece !== ""), ...(pause !== undefined && { pause }) };
}

/** The largest pages there are, each under another address. */
export function largePages(count: number, from = 1000): Pick<Conversation, "pieces" | "asked"> {
  const sizes = Array.from({ length: count }, (_, at) => from + at);
  const path = "/api/academy/equipment/expanded";
  return {
    pieces: [sizes.map((size) => get(`${path}?size=${size}`)).join("")],
    asked: sizes.map((size) => ({ method: "GET", path, status: [200], size })),
  };
}

export const PIPELINES: readonly Attack[] = [
  {
    name: "killer: 1000 large pages on one connection, read",
    together: 1,
    cases: () => [{ name: "1000 large pages", ...largePages(1000), answers: "all" }],
  },
  {
    name: "killer: 1000 large pages on one connection, not read",
    together: 1,
    cases: () => [{ name: "1000 large pages", ...largePages(1000), answers: "any", deaf: true, leaves: 2000 }],
  },
  {
    name: "pipelines: large pages on several connections, read, half read and not read",
    together: 12,
    cases: (draw) =>
      Array.from({ length: 12 }, (_, at) => ({
        name: `connection ${at}`,
        ...largePages(draw.many(600, 120), 1000 * (at + 2)),
        answers: "any" as const,
        overload: true,
        ...(at % 3 > 0 && { leaves: draw.many(6000, 2000) }),
        ...(at % 3 === 1 && { deaf: true }),
        ...(at % 3 === 2 && { sips: 20 }),
      })),
  },
  {
    name: "pipelines: small requests of every kind, cut at odd places",
    together: 4,
    cases: (draw) => Array.from({ length: draw.many(400, 30) }, (_, at) => pipeline(draw, at)),
  },
  {
    name: "pipelines: the client says early that it is done",
    together: 8,
    cases: (draw) =>
      Array.from({ length: draw.many(100, 10) }, (_, at) => ({
        ...pipeline(draw, at),
        answers: "any" as const,
        half: true,
      })),
  },
];
