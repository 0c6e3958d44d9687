/** Ever other requests, and more of them than may wait: the server answers each, and its memory has a bound. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import { attack } from "../helpers/hostile/attack.ts";
import type { Asked, Conversation } from "../helpers/hostile/conversation.ts";
import { get, largePages, many, times, write } from "../helpers/hostile/requests.ts";
import { startTarget, type Target } from "../helpers/hostile/target.ts";
import { createRandom } from "../helpers/random.ts";
import { world } from "../helpers/world.ts";

/** The budget is 300, of which a twentieth more was seen after all attacks. */
const MEGABYTES = 400;

/** One server for all, so that what one flood leaves behind meets the next. */
let target: Target;
beforeAll(async () => {
  target = await startTarget(world.data);
});
afterAll(() => target.stop());

interface Made {
  bytes: string;
  asked: Asked;
}

const random = createRandom("floods");
const ask = (bytes: string, path: string, ...status: number[]): Made => ({
  bytes,
  asked: { method: bytes.slice(0, bytes.indexOf(" ")), path, status },
});

const FLOODS: readonly [name: string, count: number, make: (number: number) => Made][] = [
  [
    "other sizes, pages and languages",
    20_000,
    (number) => {
      const page = `size=${1 + (number % 7)}&index=${1 + Math.floor(number / 7)}`;
      const lang = LANG_CODES[number % LANG_CODES.length];
      return ask(get(`/api/heroes?${page}&lang=${lang}&x=${random.below(1e9)}`), "/api/heroes", 200);
    },
  ],
  ["long names", 4000, (number) => ask(get(`/api/heroes/${number}${many(15_000, "x")}`), "/api/heroes/…", 404)],
  ["long paths", 4000, (number) => ask(get(`/${number}/${many(7000, "y/")}`), "/…", 404)],
  [
    "long queries",
    4000,
    (number) => ask(get(`/api/heroes?size=1&x=${number}${many(15_000, "z")}`), "/api/heroes?…", 200),
  ],
  ["unknown paths", 10_000, (number) => ask(get(`/api/unknown-${number}/${number}`), "/api/unknown", 404)],
  [
    "other codings",
    20_000,
    (number) => {
      const accepts = `gzip;q=0.${number}, br;q=0.${random.below(1000)}, x-${number}`;
      const { bytes, asked } = ask(get("/api/heroes?size=3", `accept-encoding: ${accepts}\r\n`), "/api/heroes", 200);
      return { bytes, asked: { ...asked, accepts, size: 3 } };
    },
  ],
  [
    "other ids, agents and entity tags",
    10_000,
    (number) => {
      const own = `x-request-id: id-${number}\r\nuser-agent: a${random.below(1e9)}\r\nif-none-match: "${number}"\r\n`;
      return ask(get("/api/academy/roles", own), "/api/academy/roles", 200);
    },
  ],
  ["other methods", 2000, (number) => ask(write("PROPFIND", `/api/heroes/${number}`), "/api/heroes/…", 405)],
];

test.for(FLOODS)("%s: %d requests, each another", async ([name, count, make]) => {
  expect(await attack(target, spread(name, times(count, make)))).toEqual([]);
  expect(target.peakMegabytes()).toBeLessThan(MEGABYTES);
});

test("800 connections with one large page each", async () => {
  const conversations = times(800, (at) => ({
    name: `connection ${at}`,
    ...largePages(1, 5000 + at),
    answers: "all" as const,
    overload: true,
  }));
  expect(await attack(target, conversations, 800)).toEqual([]);
  expect(target.peakMegabytes()).toBeLessThan(MEGABYTES);
});

test("connections with far more requests than may be open", async () => {
  const conversations = times(16, (at) => ({
    name: `connection ${at}`,
    pieces: times(200, (piece) =>
      times(100, (number) => get(`/api/heroes/rank?size=${piece * 100 + number + 200}`)).join(""),
    ),
    asked: Array<Asked>(20_000).fill({ method: "GET", path: "/api/heroes/rank" }),
    answers: "any" as const,
    overload: true,
    leaves: 6000,
    ...(at % 2 === 0 && { deaf: true }),
  }));
  expect(await attack(target, conversations, 16)).toEqual([]);
  expect(target.peakMegabytes()).toBeLessThan(MEGABYTES);
});

test("1000 large pages on a few connections", async () => {
  const conversations = times(125, (at) => ({
    name: "8 pages",
    ...largePages(8, 1000 + 8 * at),
    answers: "all" as const,
  }));
  expect(await attack(target, conversations)).toEqual([]);
});

test("400 pages in each coding, one connection after the other", async () => {
  const conversations = CODINGS.flatMap((coding) =>
    spread(
      coding,
      times(400, (at) => page(at, coding)),
    ),
  );
  expect(await attack(target, conversations, 1)).toEqual([]);
});

test("one page each on 200 connections in each coding", async () => {
  const conversations = times(200, (at) => {
    const { bytes, asked } = page(at, CODINGS[at % CODINGS.length] ?? "");
    return { name: `page ${at}`, pieces: [bytes], asked: [asked], answers: "all" as const, overload: true };
  });
  expect(await attack(target, conversations, 200)).toEqual([]);
});

/** As many on a connection as may be open. */
const spread = (name: string, made: readonly Made[]): Conversation[] =>
  times(Math.ceil(made.length / LIMITS.openRequests), (connection) => {
    const own = made.slice(connection * LIMITS.openRequests, (connection + 1) * LIMITS.openRequests);
    return { name, pieces: own.map(({ bytes }) => bytes), asked: own.map(({ asked }) => asked), answers: "all" };
  });

const CODINGS = ["br", "zstd", "gzip"];
const LISTS = ["/api/academy/equipment/expanded", "/api/heroes/positions", "/api/heroes"];

/** One of many pages that differ, so that no coded one can serve for two. */
function page(at: number, accepts: string): Made {
  const lang = LANG_CODES[at % LANG_CODES.length];
  const size = 60 + (Math.floor(at / LANG_CODES.length) % 60);
  const path = LISTS[Math.floor(at / 60 / LANG_CODES.length) % LISTS.length] ?? "";
  const bytes = get(`${path}?size=${size}&lang=${lang}`, `accept-encoding: ${accepts}\r\n`);
  return { bytes, asked: { method: "GET", path, status: [200], size, accepts } };
}
