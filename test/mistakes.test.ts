import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findShortage } from "../src/crawl/disk-space.ts";
import { LITTLE, runCommand, runProcess, startCommand, temporaryFolder } from "./helpers/run.ts";
import { startUpstream } from "./helpers/upstream/upstream.ts";

const TLS = join(import.meta.dirname, "helpers", "tls");
const CERTIFICATE = {
  key: readFileSync(join(TLS, "localhost.key")),
  cert: readFileSync(join(TLS, "localhost.pem")),
};

async function listen(server: ReturnType<typeof createServer> | ReturnType<typeof createSecureServer>) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const crawl = (upstream: string, data: string, ...more: string[]) =>
  runCommand("crawl", [
    "--upstream",
    upstream,
    "--data",
    data,
    "--attempts",
    "1",
    "--timeout",
    "5",
    ...LITTLE,
    ...more,
  ]);

const page: RequestListener = (_, res) =>
  void res.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Welcome</title>");
const nothing: RequestListener = (_, res) =>
  void res.writeHead(404, { "content-type": "application/json" }).end('{"detail":"Not Found"}');

/** One line that says what is likely wrong, and as if nothing had been tried. */
async function expectMistake(upstream: string, hint: string | RegExp) {
  using folder = temporaryFolder();
  const data = join(folder.path, "made", "for it");
  const { code, stderr } = await crawl(upstream, data);
  expect([code, stderr.trimEnd().split("\n")], stderr).toEqual([4, [expect.stringMatching(hint)]]);
  expect(stderr).toMatch(/gave no hero list \(.*\); nothing was published; /);
  expect(existsSync(data)).toBe(false);
}

describe("an address that is not that of an upstream", () => {
  test("https at a port without TLS", async () => {
    using server = await listen(createServer(nothing));
    const { port } = server;
    await expectMistake(
      `https://127.0.0.1:${port}/a`,
      `that port speaks no TLS; did you mean http://127.0.0.1:${port}/a?`,
    );
  });

  test("http at a port with TLS", async () => {
    using server = await listen(createSecureServer(CERTIFICATE, nothing));
    await expectMistake(
      `http://127.0.0.1:${server.port}`,
      `if that port speaks TLS, it is https://127.0.0.1:${server.port}`,
    );
  });

  test("https with a certificate that nobody knows", async () => {
    using server = await listen(createSecureServer(CERTIFICATE, nothing));
    await expectMistake(`https://127.0.0.1:${server.port}`, /is not trusted here;.*NODE_EXTRA_CA_CERTS/);
  });

  test("a port where nothing listens", async () => {
    const server = await listen(createServer(nothing));
    server[Symbol.dispose]();
    await expectMistake(`http://127.0.0.1:${server.port}`, `nothing listens on port ${server.port} there`);
  });

  test("a host that is not known", () =>
    expectMistake("http://upstream.invalid", "no host of the name upstream.invalid is known"));

  test("a page", async () => {
    using server = await listen(createServer(page));
    await expectMistake(`http://127.0.0.1:${server.port}`, "that is a page for people and no API");
  });

  test("something else", async () => {
    using server = await listen(createServer(nothing));
    await expectMistake(`http://127.0.0.1:${server.port}`, "it has no /api/heroes");
  });

  test("that of the API within it", async () => {
    await using upstream = await startUpstream(1);
    await expectMistake(`${upstream.url}/api/`, `leave it out: --upstream ${upstream.url}`);
  });

  test("binds nobody, also when a kill has left its journal", async () => {
    using folder = temporaryFolder();
    await using silent = await startUpstream(1, () => true);
    await using upstream = await startUpstream(1);
    const journals = join(folder.path, "journals");
    const hung = startCommand("crawl", ["--upstream", silent.url, "--data", folder.path, ...LITTLE]);
    await expect.poll(() => silent.asked.length).toBeGreaterThan(0);
    hung.child.kill("SIGKILL");
    expect((await hung.ended).signal).toBe("SIGKILL");
    expect(readdirSync(journals).some((name) => name.endsWith(".journal"))).toBe(true);
    const { code, stderr } = await crawl(upstream.url, folder.path, "--rate", "5000");
    expect([code, stderr]).toEqual([0, ""]);
    expect(readdirSync(journals).filter((name) => name.endsWith(".journal"))).toHaveLength(1);
  });

  test("that asked for a pause is remembered for it", async () => {
    using folder = temporaryFolder();
    await using upstream = await startUpstream(1, (_, res) => {
      res.writeHead(429, { "retry-after": "60" }).end("{}");
      return true;
    });
    expect((await crawl(upstream.url, folder.path)).code).toBe(4);
    expect(readdirSync(join(folder.path, "journals"))).toHaveLength(1);
  });
});

describe("a folder where none can be made", () => {
  // In a process of its own: whoever tries for ever cannot be stopped from within.
  test.for(["/proc/night", "/proc/self/a/b", "/sys/night", "/dev/null/night"])(
    "%s is refused in one line",
    async (data) => {
      const { code, stderr } = await runProcess("crawl", ["--upstream", "http://127.0.0.1:9", "--data", data]);
      expect([code, stderr]).toEqual([
        64,
        expect.stringMatching(/^\/[^\n]*: cannot be used: [^\n]*; name another file or folder[^\n]*\n$/),
      ]);
    },
  );
});

test("a folder without the room for a night is told before it is asked for", () => {
  expect(findShortage(tmpdir(), 1)).toBeUndefined();
  const { free_mb = 0, needed_mb = 0 } = findShortage(tmpdir(), 1e12) ?? {};
  expect(needed_mb).toBeGreaterThan(free_mb);
  expect(free_mb).toBeGreaterThan(0);
});
