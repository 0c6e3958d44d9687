import type { Draw } from "../draw.ts";
import type { Attack } from "./attack.ts";
import type { Asked, Conversation } from "./conversation.ts";
import { largePages } from "./pipelines.ts";
import { get, write } from "./requests.ts";

/** One chunk that is read from a connection has so many small requests that more of these would be more than may wait. */
const CONNECTIONS = 3;

type Made = { bytes: string; asked: Asked };

/** Ever another request, on a few connections that are kept. */
function spread(name: string, count: number, make: (number: number) => Made): Conversation[] {
  return Array.from({ length: CONNECTIONS }, (_, connection) => {
    const numbers = Array.from({ length: Math.ceil(count / CONNECTIONS) }, (_, at) => connection + at * CONNECTIONS);
    const made = numbers.map(make);
    return { name, pieces: made.map(({ bytes }) => bytes), asked: made.map(({ asked }) => asked), answers: "all" };
  });
}

const asked = (path: string, ...status: number[]): Asked => ({ method: "GET", path, status });

const flood = (name: string, full: number, drawn: number, make: (draw: Draw, number: number) => Made): Attack => ({
  name: `floods: ${name}`,
  together: CONNECTIONS,
  cases: (draw) => spread(name, draw.many(full, drawn), (number) => make(draw, number)),
});

export const FLOODS: readonly Attack[] = [
  {
    name: "killer: 800 connections with one large page each",
    together: 800,
    cases: () =>
      Array.from({ length: 800 }, (_, at) => ({
        name: `connection ${at}`,
        ...largePages(1, 5000 + at),
        answers: "all" as const,
        overload: true,
      })),
  },
  {
    name: "floods: connections with far more requests than may wait",
    together: 40,
    cases: (draw) =>
      // Of more than some twenty the server tears answers, rather than run out of memory.
      Array.from({ length: draw.many(16, 10) }, (_, at) => ({
        name: `connection ${at}`,
        pieces: Array.from({ length: draw.many(200, 80) }, (_, piece) =>
          Array.from({ length: 100 }, (_, number) => get(`/api/heroes/rank?size=${piece * 100 + number + 200}`)).join(
            "",
          ),
        ),
        asked: Array<Asked>(draw.many(20_000, 8000)).fill({ method: "GET", path: "/api/heroes/rank" }),
        answers: "any" as const,
        overload: true,
        leaves: draw.many(6000, 2000),
        ...(at % 2 === 0 && { deaf: true }),
      })),
  },
  flood("other sizes, pages and languages", 20_000, 2000, (draw, number) => {
    const path = `/api/heroes?size=${1 + (number % 7)}&index=${1 + Math.floor(number / 7)}&x=${draw.below(1e9)}`;
    return { bytes: get(path), asked: asked(path, 200) };
  }),
  flood("long names that no hero has", 4000, 300, (_, number) => {
    const path = `/api/heroes/${number}${"x".repeat(15_000)}`;
    return { bytes: get(path), asked: asked("/api/heroes/…", 404) };
  }),
  flood("long paths that are none", 4000, 300, (_, number) => {
    const path = `/${number}/${"y/".repeat(7000)}`;
    return { bytes: get(path), asked: asked("/…", 404) };
  }),
  flood("long queries", 4000, 300, (_, number) => {
    const path = `/api/heroes?size=1&x=${number}${"z".repeat(15_000)}`;
    return { bytes: get(path), asked: { ...asked("/api/heroes?…", 200), size: 1 } };
  }),
  flood("unknown paths", 10_000, 1000, (_, number) => {
    const path = `/api/unknown-${number}/${number}`;
    return { bytes: get(path), asked: asked(path, 404) };
  }),
  flood("other Accept-Encoding", 20_000, 2000, (draw, number) => {
    const accepts = `gzip;q=0.${number}, br;q=0.${draw.below(1000)}, x-${number}`;
    const more = { accepts, size: 3 };
    return {
      bytes: get("/api/heroes?size=3", `accept-encoding: ${accepts}\r\n`),
      asked: { ...asked("/api/heroes?size=3", 200), ...more },
    };
  }),
  flood("other ids, agents and entity tags", 10_000, 1000, (draw, number) => {
    const own = `x-request-id: id-${number}\r\nuser-agent: a${draw.below(1e9)}\r\nif-none-match: "${number}"\r\n`;
    return { bytes: get("/api/academy/roles", own), asked: asked("/api/academy/roles", 200) };
  }),
  flood("other methods", 2000, 200, (_, number) => {
    const bytes = write("PROPFIND", `/api/heroes/${number}`);
    return { bytes, asked: { method: "PROPFIND", path: "/api/heroes/…", status: [405] } };
  }),
];
