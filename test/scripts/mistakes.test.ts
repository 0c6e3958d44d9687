import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { userInfo } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { failToCrawl } from "../helpers/crawl-here.ts";
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
    const address = server.url.replace("http:", "https:");
    await expectMistake(address, `that port speaks no TLS; did you mean ${server.url}?`, 64);
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

  test("a host that is still not known after a while", async () => {
    using folder = temporaryFolder();
    const words = ["--upstream", "http://upstream.invalid", "--data", folder.path, "--attempts", "1"];
    const line = expect.stringMatching(/gave no hero list .*; no host named upstream\.invalid is known/);
    expect(await failToCrawl(words, { namePatienceMs: 1 })).toEqual([64, line]);
  });

  test("a host that is not known, at once where a plan is asked for", async () => {
    const { code, stderr } = await runCommand("crawl", [
      "--upstream",
      "http://upstream.invalid",
      "--plan",
      "--attempts",
      "1",
    ]);
    expect([code, stderr]).toEqual([
      64,
      expect.stringMatching(/^[^\n]*no host named upstream\.invalid is known[^\n]*\n$/),
    ]);
  });

  test("a page", async () => {
    await using server = await startServer(page);
    await expectMistake(server.url, "that is a page for people, not an API");
  });

  test("something else", async () => {
    await using server = await startServer(nothing);
    await expectMistake(server.url, "it has no /api/heroes", 3);
  });

  test.for(["/api", "/api/", "/base", "?x=1", "/?x=1", "#x"])("one with more than a host (%s)", async (more) => {
    using folder = temporaryFolder();
    await using server = await startServer(nothing);
    const { code, stderr } = await crawl(server.url + more, folder.path);
    const line = `It must have neither a path nor a query: ${server.url}.\n`;
    expect([code, stderr, server.seen]).toEqual([64, expect.stringContaining(line), []]);
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

describe("an upstream that is there and gives nothing", () => {
  const send =
    (status: number, type: string, body: string, headers = {}): RequestListener =>
    (_, res) =>
      void res.writeHead(status, { "content-type": type, ...headers }).end(body);
  const [plain, html] = ["text/plain; charset=UTF-8", "text/html; charset=UTF-8"];
  const challenge = "<!DOCTYPE html><title>One moment</title><h1>Checking your browser</h1>";
  const [firewall, name] = [/a firewall refuses this program, and only whoever runs/, `metasnap/${manifest.version}`];

  test.for([
    ["a firewall", send(403, plain, "error code: 1010"), firewall],
    ["the page of a firewall", send(403, html, challenge, { "cf-mitigated": "challenge" }), firewall],
    ["another page of a firewall", send(405, html, "<h1>Not Allowed</h1>"), firewall],
    [
      "a page",
      send(200, html, challenge),
      /a page for people, not an API; .*a firewall keeps this program out, and only/,
    ],
    ["429", send(429, plain, "error code: 1015", { "retry-after": "3" }), /was asked too often: .*lower --rate$/],
    ["503", send(503, plain, "error code: 1102", { "retry-after": "1" }), /busy or in maintenance: .* in a few hours$/],
    ["500", send(500, plain, "oops"), /it is there, but fails: run the same command again in a few hours$/],
    ["a redirect", send(302, plain, "", { location: "/login" }), /sends requests elsewhere; look there/],
    ["another answer", send(418, plain, "a teapot"), /something answers there, but not as the upstream does/],
  ] as const)("is not called away: %s", async ([, answer, hint]) => {
    using folder = temporaryFolder();
    await using server = await startServer(answer);
    const { code, stderr } = await crawl(server.url, folder.path, "--plan");
    expect([code, stderr.trimEnd().split("\n")]).toEqual([4, [expect.stringMatching(hint)]]);
    expect(stderr).not.toContain("is back");
  });

  test("finds in its log what --contact says", async () => {
    using folder = temporaryFolder();
    await using server = await startServer(send(403, plain, "error code: 1010"));
    const silent = await crawl(server.url, folder.path);
    expect(silent.stderr).toContain(`its User-Agent, ${name} (--contact adds your address); `);
    server.seen.length = 0;
    const { stderr } = await crawl(server.url, folder.path, "--contact", "me@mail.example");
    const [, said = ""] = /its User-Agent, (.*?); /.exec(stderr) ?? [];
    expect(said).toBe(`${name} (+me@mail.example)`);
    expect(server.seen.map(({ headers }) => headers["user-agent"])).toContain(said);
  });

  test("is told of so also if it did before", async () => {
    using folder = temporaryFolder();
    let left = 20;
    await using upstream = await startUpstream(2, (_, res) => {
      left -= 1;
      if (left < 0) res.writeHead(403, { "content-type": plain }).end("error code: 1010");
      return left < 0;
    });
    const { code, stderr } = await crawl(upstream.url, folder.path, "--rate", "5000");
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/no longer answers \(rejected\); nothing was published; it is/),
    ]);
    expect(stderr).toMatch(firewall);
  });
});

test("a plan says a fault once", async () => {
  using folder = temporaryFolder();
  const words = ["--upstream", "http://127.0.0.1:9", "--data", folder.path, "--plan", "--attempts", "3"];
  const { code, stdout, stderr } = await runCommand("crawl", words);
  expect([code, stdout, stderr.match(/ECONNREFUSED/g)]).toEqual([4, "", ["ECONNREFUSED"]]);
});

describe("a mirror to pull from that does not answer", () => {
  async function expectHint(source: string, hint: string | RegExp, exit = 4) {
    using folder = temporaryFolder();
    const { code, stderr } = await runCommand("pull", [source, "--data", join(folder.path, "data"), "--timeout", "5"]);
    expect([code, stderr.trimEnd().split("\n")], stderr).toEqual([exit, [expect.stringMatching(hint)]]);
    expect(stderr).toMatch(/ does not answer: /);
  }

  test("as its certificate is not known", async () => {
    await using secure = await startServer(nothing, { tls: true });
    await expectHint(secure.url, /is not trusted here;.*NODE_EXTRA_CA_CERTS/);
  });

  test("as its port has no TLS", async () => {
    await using server = await startServer(nothing);
    await expectHint(server.url.replace("http:", "https:"), `speaks no TLS; did you mean ${server.url}?`, 64);
  });

  test("as nothing listens there", () => expectHint("http://127.0.0.1:9/a", "; nothing listens on port 9 there"));

  test("as there is no such host", () =>
    expectHint("http://mirror.invalid", "no host named mirror.invalid is known", 64));
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

describe("what this user may not use says whose it is, and who this is", () => {
  // Root may use everything.
  const isRoot = process.getuid?.() === 0;
  const { username } = userInfo();
  const whose = (mode: string) =>
    `it belongs to ${username} (mode ${mode}), and this process is of ${isRoot ? "nobody" : username}`;

  async function refusalOf(command: string, words: string[]) {
    const child = spawn(process.execPath, [...commandLine(command), ...words], {
      cwd: ROOT,
      stdio: "pipe",
      ...(isRoot && { uid: 65_534, gid: 65_534 }),
    });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close"), child.stdout.resume()]);
    return [code, stderr];
  }

  test("a folder", async () => {
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o555);
    const words = ["--upstream", "http://127.0.0.1:9", "--data", folder.path, "--no-json"];
    expect(await refusalOf("crawl", words)).toEqual([
      64,
      `${folder.path}: cannot be used: ${whose("555")} (EACCES); name another file or folder, or make this one accessible\n`,
    ]);
  });

  test("a snapshot, which is not to be made again", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "night.sqlite");
    writeFileSync(file, "", { mode: 0 });
    chmodSync(folder.path, 0o755);
    expect(await refusalOf("verify", ["--snapshot", file])).toEqual([
      64,
      `${file}: cannot be used: ${whose("0")} (EACCES); name another file or folder, or make this one accessible\n`,
    ]);
  });

  test("a pointer, which is not to be deleted", async () => {
    using folder = temporaryFolder();
    const pointer = join(folder.path, "latest.json");
    writeFileSync(pointer, "{}", { mode: 0 });
    chmodSync(folder.path, 0o755);
    expect(await refusalOf("verify", ["--data", folder.path])).toEqual([
      64,
      `${pointer}: cannot be read: ${whose("0")}; make it readable for this user\n`,
    ]);
  });
});

test("a sample on a port that is taken says which", async () => {
  await using server = await startServer(nothing);
  const { host, port } = new URL(server.url);
  expect(await runCommand("sample", ["--port", port])).toMatchObject({
    code: 64,
    stderr: `${host}: is taken; choose another with --port and --host\n`,
  });
});

describe("a folder where none can be made", () => {
  // In a process of its own: whoever tries for ever cannot be stopped from within.
  const ask = (data: string) => runProcess("crawl", ["--upstream", "http://127.0.0.1:9", "--data", data]);
  const refusal = /^\/[^\n]*: cannot be used: [^\n]*; name another file or folder[^\n]*\n$/;

  test.for(["/proc/night", "/proc/self/a/b", "/sys/night"])("%s is refused in one line", async (data) => {
    expect(await ask(data)).toMatchObject({ code: 64, stderr: expect.stringMatching(refusal) });
  });

  test("has too long a name, or goes round in a circle, and is refused in one line", async () => {
    using folder = temporaryFolder();
    const circle = join(folder.path, "circle");
    symlinkSync(circle, circle);
    for (const data of [join(folder.path, "n".repeat(300)), circle])
      expect(await ask(data)).toMatchObject({ code: 64, stderr: expect.stringMatching(refusal) });
  });
});
