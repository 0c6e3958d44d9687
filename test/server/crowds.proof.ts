/** Five thousand connections of each kind, against a server with the memory that its command gives it. */
import { get as ask } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { CHUNKED, get, HOST, LOGIN, many, times, write } from "../helpers/hostile/requests.ts";
import { startTarget, type Target } from "../helpers/hostile/target.ts";
import { world } from "../helpers/world.ts";

const CROWD = 5000;
/** What a server without clients takes is 115, and its heap may have 96. */
const MEGABYTES = 300;

const SMALL = many(985, "a: bcdefg\r\n");
const LARGE = many(28, `a: ${many(495, "b")}\r\n`);
const MISSING = "content-length: 9\r\n";

const KINDS: readonly [name: string, bytes: () => string][] = [
  ["that send nothing", () => ""],
  ["with half a head of 985 small headers", () => `GET / HTTP/1.1\r\n${HOST}${SMALL}`],
  ["with half a head of 95 small headers", () => `GET / HTTP/1.1\r\n${HOST}${many(95, "a: bcdefg\r\n")}`],
  ["with half a head of 28 large headers", () => `GET / HTTP/1.1\r\n${HOST}${LARGE}`],
  ["with half a head of one header", () => `GET / HTTP/1.1\r\n${HOST}a: ${many(16_000, "b")}`],
  ["with 985 small headers, without the body", () => get("/api/heroes?size=1", MISSING + SMALL)],
  ["with 95 small headers, without the body", () => get("/api/heroes?size=1", MISSING + many(95, "a: bcdefg\r\n"))],
  ["with 28 large headers, without the body", () => get("/api/heroes?size=1", MISSING + LARGE)],
  ["with a login of 28 large headers, without its body", () => write("POST", LOGIN, MISSING + LARGE)],
  ["with a login without its chunks", () => write("POST", LOGIN, CHUNKED)],
  ["with a thousand requests at once", () => many(1000, get("/api/heroes?size=1"))],
  ["that do not read the file", () => get(`/snapshots/${target.facts.version}.sqlite`)],
  ["that do not read large lists", () => many(8, get("/api/academy/equipment/expanded?size=2000"))],
  ["that want a tunnel", () => `CONNECT x:443 HTTP/1.1\r\n${HOST}${LARGE}\r\n`],
  ["that want another protocol", () => get("/", `upgrade: x\r\nconnection: upgrade\r\n${LARGE}`)],
  ["that send no HTTP", () => many(16_000, "x")],
];

/** One server for all, so that what one crowd leaves behind meets the next. */
let target: Target;
beforeAll(async () => {
  expect(commandLine("serve")).toContain("--max-old-space-size=96");
  target = await startTarget(world.data);
});
afterAll(() => target.stop());

test.for(KINDS)("a server answers while 5000 connections %s", async ([, bytes]) => {
  const sockets: Socket[] = [];
  try {
    const text = Buffer.from(bytes(), "latin1");
    for (const _ of times(CROWD / 100, Number)) {
      sockets.push(...(await Promise.all(times(100, () => crowd(target.facts.url, text)))));
      expect(await health(target.facts.url)).toBe(200);
    }
    expect(target.ended()).toBeUndefined();
    expect(target.peakMegabytes()).toBeLessThan(MEGABYTES);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

/** A connection that has sent what the system takes of the bytes, and reads nothing. */
const crowd = (url: string, bytes: Buffer) =>
  new Promise<Socket>((resolve) => {
    const { port, hostname } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname }).pause();
    const done = () => resolve(socket);
    socket.on("error", done).once("close", done);
    socket.once("connect", () => {
      if (bytes.length > 0) socket.write(bytes);
      setImmediate(done);
    });
  });

/**
 * The status of an answer on a connection of its own. One that is cut is opened again: what a crowd does not read can fill the
 * memory that the system has for TCP (`tcp_mem`), and connections are reset that have no part in it.
 */
const health = (url: string) => vi.waitUntil(() => visit(`${url}/health`), { timeout: 240_000 });

/** The status of an answer, or undefined if the connection is cut before its end. */
const visit = (url: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? resolve(undefined) : reject(error));
    ask(url, { agent: false }, (answer) => {
      answer
        .on("error", fail)
        .once("end", () => resolve(answer.statusCode))
        .resume();
    }).on("error", fail);
  });
