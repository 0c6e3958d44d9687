/**
 * Clients that do not read, read in sips, drip, stop or go away, and five thousand of a kind: they cost nobody else anything, and are
 * ended. One after another: what they do not read fills the memory that the system has for TCP.
 */
import { get as ask } from "node:http";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CROWDS, gather } from "../../scripts/bench/load/crowds.ts";
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { attack } from "../helpers/hostile/attack.ts";
import type { Conversation } from "../helpers/hostile/conversation.ts";
import { CHUNKED, get, LOGIN, largePages, many, times, write } from "../helpers/hostile/requests.ts";
import { startTarget, type Target } from "../helpers/hostile/target.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { world } from "../helpers/world.ts";

/** The budget is 300, of which a twentieth more was seen after all attacks. */
const MEGABYTES = 400;

/** One server for all, so that what one attack leaves behind meets the next. */
let target: Target;
beforeAll(async () => {
  target = await startTarget(world.data);
});
afterAll(() => target.stop());

async function expectHeld(conversations: readonly Conversation[]) {
  expect(await attack(target, conversations, 600), `SEED=${SEED}`).toEqual([]);
  expect(target.peakMegabytes()).toBeLessThan(MEGABYTES);
}

test("many ask for whole files and do not read them, on one connection each or forty times on a few", async () => {
  const file = get(`/snapshots/${target.facts.version}.sqlite`);
  await expectHeld([...times(300, () => deaf("the file", file)), ...times(20, () => deaf("files", file.repeat(40)))]);
});

test("some read while very many others do not: what these do not read fills the systems' buffers, and then a bound", async () => {
  await expectHeld([
    // Eight heads of each are open at once, which is above the budget for heads.
    ...times(500, (at) => deaf("large lists", String(largePages(40, 30_000 + at * 40).pieces[0]), 8000)),
    ...times(50, (at): Conversation => {
      const { pieces, asked } = largePages(1, 60_000 + at);
      const health = { method: "GET", path: "/health", status: [200] };
      const rest = { pause: 4000, answers: "all" as const, overload: true };
      return { name: "one that reads", pieces: [get("/health"), ...pieces], asked: [health, ...asked], ...rest };
    }),
  ]);
});

test("large lists on several connections are read, read in sips and not read", async () => {
  await expectHeld(
    times(12, (at) => ({
      name: `connection ${at}`,
      ...largePages(600, 1000 * (at + 2)),
      answers: "any",
      overload: true,
      ...(at % 3 > 0 && { leaves: 6000 }),
      ...(at % 3 === 1 && { deaf: true }),
      ...(at % 3 === 2 && { sips: 20 }),
    })),
  );
});

test("pages in every coding are not read", async () => {
  await expectHeld(
    ["br", "zstd", "gzip"].flatMap((coding) =>
      times(4, (at) => {
        const page = (size: number) => get(`/api/heroes/positions?size=${size}`, `accept-encoding: ${coding}\r\n`);
        return deaf(`${coding} ${at}`, times(400, (size) => page(1 + at * 400 + size)).join(""), 6000);
      }),
    ),
  );
});

test("large lists are read in sips, and come whole", async () => {
  await expectHeld(times(20, (at) => ({ name: "sips", ...largePages(8, 20_000 + at * 20), answers: "all", sips: 10 })));
});

test("clients that ask and are gone", async () => {
  const paths = [`/snapshots/${target.facts.version}.sqlite`, ...["/api/academy/equipment/expanded?size=999"]];
  const gone = times(3000, (): Conversation => {
    const path = random.pick([...paths, "/api/heroes", "/metrics"]);
    const bytes = get(path, `accept-encoding: ${random.pick(["zstd", "br", "gzip", "identity"])}\r\n`);
    return { ...deaf(`gone: ${path}`, bytes, random.below(20)), deaf: false };
  });
  expect(await attack(target, gone, 50), `SEED=${SEED}`).toEqual([]);
});

test("heads that drip", async () => {
  await expectHeld(times(300, dripping));
});

test("what does not arrive is ended by the server", async () => {
  const head = "GET /api/heroes HTTP/1.1\r\nhost: x\r\nx-";
  await expectHeld([
    ...times(200, () => standing("half a head", head, 408)),
    ...times(50, () => standing("half a body", write("POST", LOGIN, "content-length: 50\r\n", "{"), 400, 408)),
    ...times(50, () => standing("half a chunk", write("POST", LOGIN, CHUNKED, "9\r\n{"), 400, 408)),
  ]);
});

const random = createRandom("slow");

/** One that reads nothing and goes away. */
const deaf = (name: string, bytes: string, leaves = 5000): Conversation => ({
  name,
  pieces: [bytes],
  asked: [{ method: "GET", path: "/" }],
  answers: "any",
  overload: true,
  deaf: true,
  leaves,
});

/** A head that never ends, a few bytes at a time. */
function dripping(): Conversation {
  const head = get("/api/heroes?size=1", many(20, "x-a: b\r\n")).slice(0, -2 - random.below(60));
  const step = 1 + random.below(5);
  return {
    name: "a head that drips",
    pieces: times(Math.ceil(head.length / step), (at) => head.slice(at * step, (at + 1) * step)),
    pause: 10 + random.below(40),
    asked: [{ method: "GET", path: "/api/heroes?size=1" }],
    answers: "any",
    leaves: 5000,
  };
}

/** Starts and stops: the server is to end it. */
const standing = (name: string, bytes: string, ...status: number[]): Conversation => ({
  name,
  pieces: [bytes],
  asked: [{ method: bytes.slice(0, bytes.indexOf(" ")), path: LOGIN, status }],
  answers: "all",
});

describe("a server with the memory that its command gives it", () => {
  /** One server for all, so that what one crowd leaves behind meets the next. */
  let target: Target;
  beforeAll(async () => {
    expect(commandLine("serve")).toContain("--max-old-space-size=96");
    target = await startTarget(world.data);
  });
  afterAll(() => target.stop());

  test.for(Object.entries(CROWDS))("answers while 5000 connections %s", async ([, bytes]) => {
    let sockets: readonly Socket[] = [];
    try {
      for await (sockets of gather(target.facts.url, bytes(target.facts.version)))
        expect(await health(target.facts.url)).toBe(200);
      expect(target.ended()).toBeUndefined();
      expect(target.peakMegabytes()).toBeLessThan(MEGABYTES);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

/**
 * The status of an answer on a connection of its own. It rejects if that is cut: by the server, or by the system, whose memory for
 * TCP (`tcp_mem`) is full of what a crowd does not read.
 */
const health = (url: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    ask(`${url}/health`, { agent: false }, (answer) => {
      answer
        .on("error", reject)
        .once("end", () => resolve(answer.statusCode))
        .resume();
    }).on("error", reject);
  });
