import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import type { RequestListener } from "node:http";
import { userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { LITTLE, runCommand, runProcess, startCommand, temporaryFolder } from "../helpers/run.ts";
import { startServer } from "../helpers/server.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const ROOT = join(import.meta.dirname, "..", "..");

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
async function expectMistake(upstream: string, hint: string | RegExp, exit = 4) {
  using folder = temporaryFolder();
  const data = join(folder.path, "made", "for it");
  const { code, stderr } = await crawl(upstream, data);
  expect([code, stderr.trimEnd().split("\n")], stderr).toEqual([exit, [expect.stringMatching(hint)]]);
  expect(stderr).toMatch(/gave no hero list \(.*\); nothing was published; /);
  expect(existsSync(data)).toBe(false);
}

describe("an address that is not that of an upstream", () => {
  test("https at a port without TLS", async () => {
    await using server = await startServer(nothing);
    const { port } = new URL(server.url);
    await expectMistake(
      `https://127.0.0.1:${port}/a`,
      `that port speaks no TLS; did you mean http://127.0.0.1:${port}/a?`,
    );
  });

  test("http at a port with TLS", async () => {
    await using secure = await startServer(nothing, { tls: true });
    await expectMistake(secure.url.replace("https:", "http:"), `if that port speaks TLS, it is ${secure.url}`);
  });

  test("https with a certificate that nobody knows", async () => {
    await using secure = await startServer(nothing, { tls: true });
    await expectMistake(secure.url, /is not trusted here;.*NODE_EXTRA_CA_CERTS/);
  });

  test("a port where nothing listens", async () => {
    const server = await startServer(nothing);
    await server[Symbol.asyncDispose]();
    await expectMistake(server.url, `nothing listens on port ${new URL(server.url).port} there`);
  });

  test("a host that is not known", () =>
    expectMistake("http://upstream.invalid", "no host of the name upstream.invalid is known"));

  test("a page", async () => {
    await using server = await startServer(page);
    await expectMistake(server.url, "that is a page for people and no API");
  });

  test("something else", async () => {
    await using server = await startServer(nothing);
    await expectMistake(server.url, "it has no /api/heroes", 3);
  });

  test("that of the API within it", async () => {
    await using upstream = await startUpstream(1);
    await expectMistake(`${upstream.url}/api/`, `leave it out: --upstream ${upstream.url}`, 3);
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

describe("a mirror to pull from that does not answer", () => {
  async function expectHint(source: string, hint: string | RegExp) {
    using folder = temporaryFolder();
    const { code, stderr } = await runCommand("pull", [source, "--data", join(folder.path, "data"), "--timeout", "5"]);
    expect([code, stderr.trimEnd().split("\n")], stderr).toEqual([4, [expect.stringMatching(hint)]]);
    expect(stderr).toMatch(/ does not answer: /);
  }

  test("as its certificate is not known", async () => {
    await using secure = await startServer(nothing, { tls: true });
    await expectHint(secure.url, /is not trusted here;.*NODE_EXTRA_CA_CERTS/);
  });

  test("as its port has no TLS", async () => {
    await using server = await startServer(nothing);
    await expectHint(server.url.replace("http:", "https:"), `speaks no TLS; did you mean ${server.url}?`);
  });

  test("as nothing listens there", () => expectHint("http://127.0.0.1:9/a", "; nothing listens on port 9 there"));

  test("as there is no such host", () =>
    expectHint("http://mirror.invalid", "no host of the name mirror.invalid is known"));
});

test("a folder that cannot be worked in is named", async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, ".lock"));
  const { code, stderr } = await crawl("http://127.0.0.1:9", folder.path);
  expect([code, stderr]).toEqual([
    64,
    expect.stringMatching(/^\/[^\n]*: cannot be used: [^\n]*; name another file[^\n]*\n$/),
  ]);
  expect(stderr).toContain(`${folder.path}: `);
});

test("a folder that this user may not write says whose it is, and who this is", async () => {
  using folder = temporaryFolder();
  chmodSync(folder.path, 0o555);
  // Root may write everywhere.
  const isRoot = process.getuid?.() === 0;
  const words = [...commandLine("crawl"), "--upstream", "http://127.0.0.1:9", "--data", folder.path, "--no-json"];
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    stdio: "pipe",
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
  });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close"), child.stdout.resume()]);
  const { username } = userInfo();
  expect([code, stderr]).toEqual([
    64,
    `${folder.path}: cannot be used: it belongs to ${username} (mode 555), and this process is of ${isRoot ? "nobody" : username} (EACCES); name another file or folder, or make this one accessible\n`,
  ]);
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
