import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { describe, expect, test, vi } from "vitest";
import { createAdmission, createAdmissions } from "../../src/server/http/admission.ts";
import type { ConnectionLimits } from "../../src/server/http/connections.ts";
import type { Exchange } from "../../src/server/http/exchange.ts";
import { listen, type RequestHandler } from "../../src/server/http/http.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import { openLatest } from "../../src/server/reload/reload.ts";
import { unknownPath } from "../../src/server/response/http-response.ts";
import { startMirror } from "../helpers/mirror.ts";
import { runCommand } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

async function start(answer: RequestHandler, limits: Partial<ConnectionLimits> = {}) {
  const server = await listen(answer, {
    port: 0,
    host: "127.0.0.1",
    limits,
    toResponse: ({ status }) => ({ status, headers: {}, body: undefined }),
    refuse: unknownPath,
  });
  return { ...server, [Symbol.asyncDispose]: server.close };
}

/** Some are cut, and see it when they look. */
const dial = (url: string): Socket => connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  await once(socket, "close");
  return text;
}

describe("requests of one connection", () => {
  test("are answered one after the other, each begun when the one before it is sent", async () => {
    let [making, most] = [0, 0];
    const begun: string[] = [];
    await using server = await start(async ({ url = "" }, exchange) => {
      begun.push(url);
      making += 1;
      most = Math.max(most, making);
      await new Promise(setImmediate);
      making -= 1;
      if (url === "/7") exchange.shouldKeepAlive = false;
      exchange.end(`<${url}>`);
    });
    const socket = dial(server.url);
    const paths = Array.from({ length: LIMITS.openRequests }, (_, at) => `/${at}`);
    socket.write(paths.map(get).join(""));
    const text = await readAll(socket);
    expect(begun).toEqual(paths);
    expect([...text.matchAll(/<(.*?)>/g)].map(([, url]) => url)).toEqual(paths);
    expect(most).toBe(1);
  });

  test("that are more than a few cost it, after whole answers to the first of them", async () => {
    const begun: string[] = [];
    await using server = await start(({ url = "" }, exchange) => {
      begun.push(url);
      exchange.end("x".repeat(1_000_000));
    });
    const socket = dial(server.url);
    socket.write(Array.from({ length: 1000 }, (_, at) => get(`/${at}`)).join(""));
    const answers = (await readAll(socket)).split("HTTP/1.1 200 OK\r\n").slice(1);
    expect(begun).toEqual(Array.from({ length: LIMITS.openRequests }, (_, at) => `/${at}`));
    expect(answers.map((answer) => [/^connection: (.*)\r$/im.exec(answer)?.[1], answer.split("x").length - 1])).toEqual(
      [...Array.from({ length: LIMITS.openRequests - 1 }, () => ["keep-alive", 1_000_000]), ["close", 1_000_000]],
    );
  });

  test("are answered in their order, with the wish for a tunnel as the last", async () => {
    const begun: (() => void)[] = [];
    await using server = await start((_, exchange) => void begun.push(() => exchange.end("x")));
    const socket = dial(server.url);
    const answered = readAll(socket);
    socket.write(`${get("/1")}${get("/2")}CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n`);
    for (let at = 0; at < 2; at += 1) {
      await expect.poll(() => begun.length).toBe(at + 1);
      begun[at]?.();
    }
    const told = [...(await answered).matchAll(/HTTP\/1\.1 (\d+)[\s\S]*?connection: (.*)\r/gi)];
    expect(told.map(([, status, connection]) => [status, connection])).toEqual([
      ["200", "keep-alive"],
      ["200", "close"],
    ]);
    const alone = dial(server.url);
    alone.write("CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n");
    expect(await readAll(alone)).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("may be any number, each after the answer to the one before it", async () => {
    await using server = await start((_, exchange) => void exchange.end("x"));
    const socket = dial(server.url);
    for (let count = 0; count < 3 * LIMITS.openRequests; count += 1) {
      socket.write(get("/"));
      expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*x$/);
    }
    socket.destroy();
  });
});

describe("the rest of a request", () => {
  test.for(["content-length: 9", "transfer-encoding: chunked"])(
    "is not waited for if nobody reads it (%s)",
    async (header) => {
      await using server = await start((_, exchange) =>
        exchange.writeResponse({ status: 200, headers: {}, body: Buffer.from("x") }),
      );
      const socket = dial(server.url);
      socket.write(`GET / HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`);
      expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*x$/i);
    },
  );

  test("that arrives with it leaves the connection open", async () => {
    await using server = await start(async (_, exchange) => {
      await new Promise(setImmediate);
      exchange.writeResponse({ status: 200, headers: {}, body: Buffer.from("x") });
    });
    const socket = dial(server.url);
    socket.write("GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabc");
    expect(String(await once(socket, "data"))).toMatch(/connection: keep-alive/i);
    socket.destroy();
  });

  test("has at most so many headers", async () => {
    await using mirror = await startMirror(world.snapshot);
    const [most, more] = [LIMITS.headers, LIMITS.headers + 1].map((count) =>
      Object.fromEntries(Array.from({ length: count - 4 }, (_, at) => [`x-${at}`, "y"])),
    );
    const ask = async (headers: Record<string, string> = {}) => {
      const { statusCode, body } = await request(`${mirror.url}/api/heroes?size=1`, {
        headers: { ...headers, accept: "*/*", "x-y": "y" },
      });
      return [statusCode, await body.json()];
    };
    expect(await ask(most)).toEqual([200, expect.anything()]);
    expect(await ask(more)).toEqual([
      431,
      expect.objectContaining({ error: expect.objectContaining({ code: "HEADERS_TOO_LARGE" }) }),
    ]);
  });
});

/** Closed in another way, a connection keeps what its client does not read in the memory of the system. */
const RESET = { code: "ECONNRESET" };

describe("connections beyond the greatest number", () => {
  test("close the one that has waited longest for a request", async () => {
    await using server = await start((_, exchange) => void exchange.end("x"), { connections: 3 });
    const [first, second, third] = [dial(server.url), dial(server.url), dial(server.url)];
    for (const socket of [second, first, third]) {
      socket.write(get("/"));
      await once(socket, "data");
    }
    const fourth = dial(server.url);
    expect((await once(second, "error"))[0]).toMatchObject(RESET);
    for (const socket of [first, third, fourth]) {
      socket.write(get("/"));
      await once(socket, "data");
      socket.destroy();
    }
  });

  test("close one that keeps the rest of its request, before a client whose request is on its way", async () => {
    const begun: string[] = [];
    await using server = await start(
      ({ url = "" }, exchange) => void (url === "/" ? exchange.end("x") : begun.push(url)),
      {
        connections: 3,
      },
    );
    const slow = [dial(server.url), dial(server.url), dial(server.url)];
    for (const socket of slow) socket.write("POST /slow HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n");
    await expect.poll(() => begun.length).toBe(3);
    const [next, last] = [dial(server.url), dial(server.url)];
    await Promise.all([next, last].map((socket) => once(socket, "connect")));
    await expect.poll(() => slow.filter((socket) => socket.destroyed).length).toBe(2);
    for (const socket of [next, last]) {
      socket.write(get("/"));
      expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 200/);
    }
    for (const socket of [...slow, next, last]) socket.destroy();
  });

  test("close the one that has waited longest for others to be sent, before a client whose request is on its way", async () => {
    const server = await start(
      ({ url }, exchange) => {
        if (url === "/") exchange.end("x");
        else exchange.waitsFor = "api";
      },
      { connections: 3 },
    );
    const waiting = [dial(server.url), dial(server.url)];
    for (const socket of waiting) {
      socket.write(get("/list"));
      await once(socket, "connect");
    }
    const [next, last] = [dial(server.url), dial(server.url)];
    await expect.poll(() => waiting.map((socket) => socket.destroyed)).toEqual([true, false]);
    for (const socket of [next, last]) {
      socket.write(get("/"));
      expect(String(await once(socket, "data"))).toMatch(/^HTTP\/1\.1 200/);
    }
    for (const socket of [...waiting, next, last]) socket.destroy();
    await server.close();
  });

  test("close one that waits for a file, before one that is being sent", async () => {
    const waiting: Exchange[] = [];
    await using server = await start(
      ({ url }, exchange) => {
        if (url === "/") return void exchange.write("x");
        exchange.waitsFor = "file";
        waiting.push(exchange);
      },
      { connections: 2 },
    );
    const [sent, waits] = [dial(server.url), dial(server.url)];
    sent.write(get("/"));
    await once(sent, "data");
    waits.write(get("/file"));
    await expect.poll(() => waiting.length).toBe(1);
    const next = dial(server.url);
    next.write(get("/"));
    expect(String(await once(next, "data"))).toMatch(/^HTTP\/1\.1 200/);
    await expect.poll(() => [sent, waits].map((socket) => socket.destroyed)).toEqual([false, true]);
    for (const socket of [sent, next]) socket.destroy();
  });

  test("are refused while all others are being answered", async () => {
    const begun: (() => void)[] = [];
    await using server = await start((_, exchange) => void begun.push(() => exchange.end("x")), { connections: 1 });
    const first = dial(server.url);
    first.write(get("/"));
    await expect.poll(() => begun.length).toBe(1);
    await once(dial(server.url), "close");
    begun[0]?.();
    expect(String(await once(first, "data"))).toMatch(/^HTTP\/1\.1 200/);
    first.destroy();
  });
});

describe("heads of open requests beyond their budget", () => {
  const withoutBody = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n";

  test("close the connection that has waited longest for the rest of its request", async () => {
    await using server = await start(() => {}, { openHeadBytes: 10_000 });
    const sockets = [dial(server.url), dial(server.url), dial(server.url)];
    for (const socket of sockets) await new Promise<void>((resolve) => socket.write(withoutBody, () => resolve()));
    expect((await Promise.any(sockets.map((socket) => once(socket, "error"))))[0]).toMatchObject(RESET);
    expect(sockets.filter((socket) => socket.destroyed)).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
  });

  test("close a connection with several open requests, so that a single one is answered", async () => {
    const begun: string[] = [];
    await using server = await start(
      ({ url = "" }, exchange) => {
        begun.push(url);
        if (url === "/one") exchange.end("x");
      },
      { openHeadBytes: 14_000 },
    );
    const greedy = dial(server.url);
    greedy.write(get("/1") + get("/2") + get("/3"));
    await expect.poll(() => begun.length).toBe(1);
    const cut = once(greedy, "error");
    const modest = dial(server.url);
    modest.write(get("/one"));
    expect(String(await once(modest, "data"))).toMatch(/^HTTP\/1\.1 200/);
    expect((await cut)[0]).toMatchObject(RESET);
    expect(greedy.bytesRead).toBe(0);
    modest.destroy();
  });

  test("are refused while all others are being answered", async () => {
    const begun: string[] = [];
    await using server = await start(
      ({ url = "" }, exchange) => void (url === "/" ? exchange.end("x") : begun.push(url)),
      { openHeadBytes: 10_000 },
    );
    // The heads of requests that were answered are counted no more, and are not taken away twice when their connections close.
    for (const _ of "123") await (await request(server.url, { reset: true })).body.dump();
    const [first, second] = [dial(server.url), dial(server.url)];
    first.write(get("/1"));
    second.write(get("/2"));
    await expect.poll(() => begun.length).toBe(2);
    const third = dial(server.url);
    third.write(get("/3"));
    expect(await readAll(third)).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close\r\n/i);
    expect(begun).not.toContain("/3");
    first.destroy();
    second.destroy();
  });
});

describe("what is made and not yet sent", () => {
  const BODY = Buffer.alloc(8 * 1024 * 1024, "x");

  /** Answers with a body that no system takes whole, as the app does. */
  const serveBodies = (admission: ReturnType<typeof createAdmission>) =>
    start(async (_, exchange) => {
      try {
        await admission.admit();
        admission.trackUnsent(exchange, BODY.length);
        exchange.end(BODY);
      } catch (error) {
        exchange.statusCode = (error as { status: number }).status;
        exchange.end(JSON.stringify(error));
      }
    });

  test("has a bound: whoever comes later waits, and readers that do not read are cut for him", async () => {
    const admission = createAdmission({ maxBytes: 3 * BODY.length, slowReaderTimeoutMs: 500, waitTimeoutMs: 600_000 });
    const server = await serveBodies(admission);
    const lazy = Array.from({ length: 3 }, () => dial(server.url).pause());
    for (const socket of lazy) socket.write(get("/"));
    await expect.poll(() => admission.unsentBytes()).toBe(3 * BODY.length);
    // One after the other: while others wait, a client that a busy machine keeps from reading would be cut too.
    for (const _ of Array.from({ length: 6 }))
      expect((await (await fetch(server.url)).arrayBuffer()).byteLength).toBe(BODY.length);
    await expect.poll(() => admission.unsentBytes()).toBe(0);
    for (const socket of lazy) socket.destroy();
    await server.close();
  });

  test("is made at the end of a turn, in the order of arrival, until the turn has lasted too long", async () => {
    const admission = createAdmission();
    const order: string[] = [];
    const turn = () => new Promise(setImmediate).then(() => order.push("turn"));
    const make = async (name: string, takesMs = 0) => {
      await admission.admit();
      const end = performance.now() + takesMs;
      while (performance.now() < end);
      order.push(name);
    };
    const made = [make("a"), make("b"), make("long", LIMITS.maxTickMs + 5), make("c"), make("d")];
    order.push("arrived");
    await Promise.all([...made, turn()]);
    const [arrived, ...rest] = order;
    expect(arrived).toBe("arrived");
    expect(rest.filter((name) => name !== "turn")).toEqual(["a", "b", "long", "c", "d"]);
    // Who waits behind the long one lets others have a turn of the event loop first.
    expect(rest.indexOf("d")).toBeGreaterThan(rest.indexOf("turn"));
  });

  test("is a file from when it is admitted: opening it takes a while", async () => {
    const admission = createAdmission({ maxBytes: 2, responseBytes: 1, waitTimeoutMs: 600_000 });
    let [open, most] = [0, 0];
    await using server = await start(async (_, exchange) => {
      await admission.admit(exchange);
      open += 1;
      most = Math.max(most, open);
      exchange.once("close", () => {
        open -= 1;
      });
      await sleep(5);
      exchange.end("x");
    });
    await Promise.all(Array.from({ length: 10 }, async () => (await fetch(server.url)).text()));
    expect([most, open, admission.unsentBytes()]).toEqual([2, 0, 0]);
  });

  test("is waited for longer if it is a file that somebody reads slowly than if it is an answer", async () => {
    const given = Object.values(createAdmissions()).map(async (admission) => {
      const reader = { headersSent: true, setTimeout: vi.fn(), once: () => {} };
      admission.trackUnsent(reader as unknown as Exchange, LIMITS.unsentBytes);
      // Nobody closes the response, so that this waits in vain.
      admission.admit().catch(() => {});
      await new Promise(setImmediate);
      return reader.setTimeout.mock.calls;
    });
    expect(await Promise.all(given)).toEqual([[[LIMITS.slowReaderTimeoutMs]], [[LIMITS.slowFileReaderTimeoutMs]]]);
  });

  test("makes those who have waited too long hear that in turns, too", async () => {
    const admission = createAdmission({ maxBytes: 0, waitTimeoutMs: 10 });
    const order: string[] = [];
    const refused = ["a", "b"].map((name) =>
      admission.admit().catch(() => {
        const end = performance.now() + LIMITS.maxTickMs + 5;
        while (performance.now() < end);
        order.push(name);
        setImmediate(() => order.push(`a turn after ${name}`));
      }),
    );
    await Promise.all(refused);
    await new Promise(setImmediate);
    expect(order).toEqual(["a", "a turn after a", "b", "a turn after b"]);
  });

  test("makes who waits too long hear that, and when to try again", async () => {
    const admission = createAdmission({ maxBytes: 1, waitTimeoutMs: 50, slowReaderTimeoutMs: 60_000 });
    const server = await serveBodies(admission);
    const lazy = dial(server.url).pause();
    lazy.write(get("/"));
    await expect.poll(() => admission.unsentBytes()).toBe(BODY.length);
    const late = await fetch(server.url);
    expect(late.status).toBe(503);
    expect(await late.json()).toMatchObject({ error: { code: "OVERLOADED" } });
    lazy.destroy();
    await expect.poll(() => admission.unsentBytes()).toBe(0);
    await server.close();
  });
});

describe("--get", () => {
  test.for(["api/heroes", "", "*", "http://x/api/heroes", "/api/ heroes", "?x"])("%j is wrong usage", async (path) => {
    const { code, stderr } = await runCommand("serve", ["--data", world.data, "--get", path]);
    expect(code).toBe(64);
    expect(stderr).toContain("It must be the path of a request");
    expect(stderr).not.toContain("internal error");
  });
});

test("a problem in /health does not show where files lie", async () => {
  const active = openLatest(world.data);
  const { createAdminRoutes } = await import("../../src/server/operate/admin.ts");
  const health = async (problem: string) => {
    active.setProblem(problem);
    const { body } = await createAdminRoutes({ status: active }).health();
    return (JSON.parse(body) as { data: { problem: string } }).data.problem;
  };
  expect(await health("/var/lib/meta snap/x/2026.sqlite: is damaged (3 bytes)")).not.toContain("/var");
  expect(await health("/srv/data/latest.json: has vanished")).toBe("latest.json: has vanished");
  expect(await health("data/snapshots/a.sqlite: cannot be checked (EACCES: denied, open '/srv/a.sqlite')")).toBe(
    "a.sqlite: cannot be checked (EACCES: denied, open 'a.sqlite')",
  );
  active.close();
});
