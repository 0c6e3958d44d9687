import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAdmission } from "../../src/server/http/admission.ts";
import { listen, type RequestHandler } from "../../src/server/http/http.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import { openLatest } from "../../src/server/reload/reload.ts";
import { createVersions } from "../../src/server/reload/versions.ts";
import { createCache } from "../../src/server/response/cache.ts";
import { unknownPath } from "../../src/server/response/http-response.ts";
import { publishDays, startFollowing } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const start = (answer: RequestHandler) =>
  listen(answer, {
    port: 0,
    host: "127.0.0.1",
    toResponse: () => ({ status: 400, headers: {}, body: undefined }),
    refuse: unknownPath,
  });

const dial = (url: string): Socket => connect(Number(new URL(url).port), "127.0.0.1");
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
    const server = await start(async ({ url = "" }, exchange) => {
      begun.push(url);
      making += 1;
      most = Math.max(most, making);
      await sleep(5);
      making -= 1;
      if (url === "/49") exchange.shouldKeepAlive = false;
      exchange.end(`<${url}>`);
    });
    const socket = dial(server.url);
    socket.write(Array.from({ length: 50 }, (_, at) => get(`/${at}`)).join(""));
    const text = await readAll(socket);
    const expected = Array.from({ length: 50 }, (_, at) => `/${at}`);
    expect(begun).toEqual(expected);
    expect([...text.matchAll(/<(.*?)>/g)].map(([, url]) => url)).toEqual(expected);
    expect(most).toBe(1);
    await server.close();
  });

  test("are not read any further while one is in the making", async () => {
    const made = Promise.withResolvers<void>();
    const server = await start(async (_, exchange) => {
      await made.promise;
      exchange.end("x");
    });
    const socket = dial(server.url);
    const request = get(`/${"x".repeat(1000)}`);
    let sent = 0;
    // As much as both systems hold for a connection that nobody reads, and many times what waits at most.
    while (sent < 4 * LIMITS.pipelinedBytes && socket.writableLength < LIMITS.pipelinedBytes) {
      socket.write(request.repeat(100));
      sent += 100 * request.length;
      await sleep(1);
    }
    expect(socket.destroyed).toBe(false);
    expect(socket.writableLength).toBeGreaterThan(0);
    socket.destroy();
    made.resolve();
    await server.close();
  });

  test("that would hold more than all may that wait cost their connection, and tear no answer", async () => {
    const made = Promise.withResolvers<void>();
    const server = await start(async (_, exchange) => {
      await made.promise;
      exchange.end("answer");
    });
    const connections = Array.from({ length: 8 }, () => dial(server.url));
    const texts = connections.map(readAll);
    for (const socket of connections) socket.write(get("/").repeat(2000));
    const health = await new Promise<string>((resolve) => {
      const socket = dial(server.url).once("data", (chunk) => resolve(String(chunk)));
      socket.write(get("/"));
      setTimeout(made.resolve, 200);
    });
    expect(health).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)+\r\nanswer$/);
    await sleep(500);
    for (const socket of connections) if (!socket.readableEnded) socket.end();
    const counts = (await Promise.all(texts)).map((text) => {
      expect(text).toMatch(/^(HTTP\/1\.1 200 OK\r\n([\w-]+: [^\r\n]*\r\n)+\r\nanswer)+$/);
      return text.split("answer").length - 1;
    });
    expect(Math.max(...counts)).toBe(2000);
    expect(Math.min(...counts)).toBeLessThan(2000);
    await server.close();
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
    // Clients that read are bounded too while others wait: a time shorter than the default would cut them on a busy machine.
    const admission = createAdmission({ maxBytes: 3 * BODY.length, waitTimeoutMs: 600_000 });
    const server = await serveBodies(admission);
    const lazy = Array.from({ length: 3 }, () => dial(server.url).pause());
    for (const socket of lazy) socket.on("error", () => {}).write(get("/"));
    await expect.poll(() => admission.unsentBytes()).toBe(3 * BODY.length);
    const later = await Promise.all(
      Array.from({ length: 6 }, async () =>
        (await fetch(server.url)).arrayBuffer().then(({ byteLength }) => byteLength),
      ),
    );
    expect(later).toEqual(later.map(() => BODY.length));
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

describe("published versions", () => {
  const folder = temporaryFolder();
  let versions: string[];
  beforeAll(async () => {
    versions = await publishDays(folder.path, [0, 1, 2], "--endpoints", "heroes,stats");
  });
  afterAll(() => folder[Symbol.dispose]());

  test("are checked one after another", async () => {
    let [checking, most] = [0, 0];
    const pinned = createVersions({
      data: folder.path,
      cache: createCache(1024 * 1024),
      verifyFile: async () => {
        checking += 1;
        most = Math.max(most, checking);
        await sleep(20);
        checking -= 1;
      },
    });
    const handles = await Promise.all(versions.map((version) => pinned.open(version)));
    expect(handles.map(({ version }) => version)).toEqual(versions);
    expect(most).toBe(1);
    pinned.close();
  });

  test("with a damaged manifest are left out, and cost nobody else anything", async () => {
    const [damaged = "", ...others] = versions;
    const manifest = join(folder.path, "snapshots", `${damaged}.json`);
    const whole = readFileSync(manifest);
    await using mirror = await startFollowing(folder.path);
    const { headers } = await fetch(`${mirror.url}/snapshots/latest.json`);
    for (const text of ["{", "{}", "", "null", readFileSync(manifest.replace(damaged, others[0] ?? ""), "utf8")]) {
      writeFileSync(manifest, text);
      const list = (await (await fetch(`${mirror.url}/snapshots/`)).json()) as {
        data: { records: { version: string }[] };
      };
      expect(list.data.records.map(({ version }) => version)).toEqual(others.toReversed());
      for (const path of [".json", ".sqlite", "/api/heroes"]) {
        const answer = await fetch(`${mirror.url}/snapshots/${damaged}${path}`);
        expect([path, answer.status]).toEqual([path, 404]);
        await answer.arrayBuffer();
      }
      expect((await fetch(`${mirror.url}/snapshots/latest.json`)).headers.get("etag")).toBe(headers.get("etag"));
    }
    writeFileSync(manifest, whole);
    expect(mirror.faults).toEqual([]);
  });

  test("are not looked for in a pointer that is no file of a pointer's size", () => {
    using other = temporaryFolder();
    mkdirSync(join(other.path, "snapshots"));
    const pointer = join(other.path, "latest.json");
    for (const make of [
      () => symlinkSync("/dev/zero", pointer),
      () => mkdirSync(pointer),
      () => writeFileSync(pointer, " ".repeat(5 * 1024 * 1024)),
    ]) {
      make();
      expect(() => openLatest(other.path)).toThrow(/latest\.json: is not a pointer of metasnap/);
      rmSync(pointer, { recursive: true });
    }
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
