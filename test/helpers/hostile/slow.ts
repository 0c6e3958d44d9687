import type { Draw } from "../draw.ts";
import type { Attack } from "./attack.ts";
import type { Conversation } from "./conversation.ts";
import { largePages } from "./pipelines.ts";
import { get, write } from "./requests.ts";

const fileOf = (version: string) => `/snapshots/${version}.sqlite`;

/** One that reads nothing and goes away. */
const deaf = (name: string, bytes: string, leaves: number): Conversation => ({
  name,
  pieces: [bytes],
  asked: [{ method: "GET", path: "/" }],
  answers: "any",
  overload: true,
  deaf: true,
  leaves,
});

const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

/** A head that never ends, a few bytes at a time. */
function dripping(draw: Draw): Conversation {
  const head = get("/api/heroes?size=1", "x-a: b\r\n".repeat(20)).slice(0, -2 - draw.below(60));
  const step = 1 + draw.below(5);
  const pieces = times(Math.ceil(head.length / step), (at) => head.slice(at * step, (at + 1) * step));
  return {
    name: "a head that drips",
    pieces,
    pause: 10 + draw.below(40),
    asked: [{ method: "GET", path: "/api/heroes?size=1" }],
    answers: "any",
    leaves: draw.many(5000, 1500),
  };
}

/** Starts and stops; the server is to end it. */
const standing = (name: string, bytes: string, ...status: number[]): Conversation => ({
  name,
  pieces: [bytes],
  asked: [{ method: bytes.slice(0, bytes.indexOf(" ")), path: "/api/user/auth/login", status }],
  answers: "all",
  patient: true,
});

/** What they do not read fills the kernel's buffers first, some 4 MB for each, and then what the server may hold. */
const CROWD: Attack = {
  name: "slow: some read while very many others do not",
  together: 600,
  cases: (draw) => [
    ...times(draw.many(500, 60), (at) =>
      deaf("large lists", String(largePages(40, 30_000 + at * 40).pieces[0]), draw.many(8000, 2500)),
    ),
    ...times(draw.many(50, 10), (at) => ({
      name: "one that reads",
      pieces: [get("/health"), String(largePages(1, 60_000 + at).pieces[0])],
      pause: draw.many(4000, 1500),
      asked: [{ method: "GET", path: "/health", status: [200] }, ...largePages(1, 60_000 + at).asked],
      answers: "all" as const,
      overload: true,
    })),
  ],
};

export const SLOW: readonly Attack[] = [
  {
    name: "slow: many ask for the whole file and do not read it",
    together: 300,
    cases: (draw, { version }) =>
      times(draw.many(300, 100), () => deaf("the file", get(fileOf(version)), draw.many(5000, 1500))),
  },
  {
    name: "slow: pipelines of whole files that are not read",
    together: 20,
    cases: (draw, { version }) =>
      times(20, () => deaf("40 files", get(fileOf(version)).repeat(40), draw.many(5000, 1500))),
  },
  {
    name: "slow: many ask for large lists and do not read them",
    together: 300,
    cases: (draw) =>
      times(draw.many(300, 100), (at) =>
        deaf("large lists", String(largePages(20, 10_000 + at * 20).pieces[0]), draw.many(5000, 1500)),
      ),
  },
  CROWD,
  {
    name: "slow: large lists are read in sips, and come whole",
    together: 20,
    cases: (draw) =>
      times(20, (at) => ({
        name: "sips",
        ...largePages(draw.many(20, 5), 20_000 + at * 20),
        answers: "all" as const,
        sips: 10,
      })),
  },
  {
    name: "slow: clients that ask and are gone",
    together: 50,
    cases: (draw, { version }) =>
      times(draw.many(3000, 300), () => {
        const path = draw.pick([
          fileOf(version),
          "/api/academy/equipment/expanded?size=999",
          "/api/heroes",
          "/metrics",
        ]);
        const bytes = get(path, `accept-encoding: ${draw.pick(["zstd", "br", "gzip", "identity"])}\r\n`);
        const { leaves: _, deaf: __, ...rest } = deaf(`gone: ${path}`, bytes, 0);
        return { ...rest, leaves: draw.below(20) };
      }),
  },
  {
    name: "slow: heads that drip",
    together: 300,
    cases: (draw) => times(draw.many(300, 100), () => dripping(draw)),
  },
];

/** These take as long as the server's own limits. */
export const STANDING: Attack = {
  name: "slow: what does not arrive is ended by the server",
  together: 400,
  cases: () => [
    ...times(200, () => standing("half a head", "GET /api/heroes HTTP/1.1\r\nhost: x\r\nx-", 408)),
    ...times(50, () =>
      standing("half a body", write("POST", "/api/user/auth/login", "content-length: 50\r\n", "{"), 400, 408),
    ),
    ...times(50, () =>
      standing(
        "half a chunk",
        write("POST", "/api/user/auth/login", "transfer-encoding: chunked\r\n", "9\r\n{"),
        400,
        408,
      ),
    ),
  ],
};
