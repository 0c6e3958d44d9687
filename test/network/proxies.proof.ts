import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { startMirror } from "../helpers/mirror.ts";
import { RATES, runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { AUTHORITY, passOn, startServer } from "../helpers/server.ts";
import { startSource } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";
import { crawl, forgetProxies, MIRROR, type ProxyOptions, SECURE, startProxy, UPSTREAM } from "./proxies/proxy.ts";

const PASSWORD = "pa%24%24word";

afterEach(forgetProxies);

describe("through a proxy", () => {
  const night = temporaryFolder();
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  beforeAll(async () => {
    upstream = await startUpstream(2);
    expect((await runCommand("crawl", crawl(upstream.url, night.path, "--allow-partial"))).code).toBe(0);
    upstream.asked.length = 0;
  });
  afterAll(async () => {
    await upstream[Symbol.asyncDispose]();
    night[Symbol.dispose]();
  });

  test("a crawl and a comparison with the upstream go, within their limits", async () => {
    using folder = temporaryFolder();
    await using proxy = await startProxy({ hosts: { "upstream.example": upstream.url }, credentials: "anna:pa$$word" });
    process.env.HTTP_PROXY = proxy.withCredentials(`anna:${PASSWORD}`);
    const crawled = await runCommand("crawl", crawl(UPSTREAM, folder.path, "--allow-partial"));
    expect([crawled.code, crawled.stderr]).toEqual([0, ""]);
    expect(crawled.events).toContainEqual({
      event: "proxy",
      host: UPSTREAM,
      through: `the proxy ${proxy.withCredentials("***")} of HTTP_PROXY`,
    });
    expect(crawled.stdout).not.toMatch(/anna|pa(\$\$|%24%24)word/);
    const crawling = proxy.asked.length;
    expect(upstream.asked.filter((path) => !proxy.asked.includes(`GET ${UPSTREAM}${path}`))).toEqual([]);
    expect(proxy.most.requests).toBeLessThanOrEqual(3);
    const verify = ["--data", folder.path, "--upstream", UPSTREAM, "--samples", "20", "--rate", "1000"];
    const verified = await runCommand("verify", verify);
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
    expect(proxy.asked.length - crawling).toBe(20);
    expect(proxy.most.tunnels).toBe(0);
  });

  test("https goes in tunnels, to a host of a private authority", async () => {
    using folder = temporaryFolder();
    await using tls = await startServer(passOn(upstream.url), { tls: true });
    await using proxy = await startProxy({ hosts: { "upstream.example:443": tls.url }, credentials: "anna:pa$$word" });
    const env = { https_proxy: proxy.withCredentials(`anna:${PASSWORD}`), http_proxy: "http://127.0.0.1:9" };
    // It runs as a separate process, because Node reads certificates only when it starts.
    const { code, stderr, stdout } = await runProcess("crawl", crawl(SECURE, folder.path, ...RATES), {
      ...env,
      ...AUTHORITY,
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).not.toMatch(/anna|pa(\$\$|%24%24)word/);
    expect(new Set(proxy.asked)).toEqual(new Set(["CONNECT upstream.example:443"]));
    expect(proxy.most.tunnels).toBeLessThanOrEqual(3);
  });

  test("a pull goes; loopback does not, also with TLS", async () => {
    await using source = await startSource(night.path);
    await using tls = await startServer(passOn(source.url), { tls: true });
    await using proxy = await startProxy({ hosts: { "mirror.example": source.url } });
    process.env.http_proxy = proxy.url;
    using pulled = temporaryFolder();
    const { version } = await pull(new URL(MIRROR), pulled.path);
    expect(pointerOf(pulled.path).version).toBe(version);
    expect(proxy.asked.every((line) => line.startsWith(`GET ${MIRROR}/`))).toBe(true);
    using direct = temporaryFolder();
    const words = [`https://localhost:${tls.port}`, "--data", direct.path];
    const { code, stderr } = await runProcess("pull", words, { ...AUTHORITY, HTTPS_PROXY: "http://127.0.0.1:9" });
    expect([code, stderr]).toEqual([0, ""]);
  });

  test("a redirect of a source to another host is not followed", async () => {
    await using source = await startSource(night.path);
    await using proxy = await startProxy({ hosts: { "mirror.example": source.url, "cdn.example": source.url } });
    process.env.HTTP_PROXY = proxy.url;
    source.fault = ({ path, res }) => Boolean(res.writeHead(302, { location: `http://cdn.example${path}` }).end());
    using folder = temporaryFolder();
    await expect(pull(new URL(MIRROR), folder.path)).rejects.toThrow(
      `a redirect to cdn.example is not followed through the proxy ${proxy.url} of HTTP_PROXY`,
    );
    expect(proxy.asked.every((line) => line.startsWith(`GET ${MIRROR}/`))).toBe(true);
  });

  test("a login goes; of a proxy in trouble the log is told, and the client is not", async () => {
    await using service = await startServer((_, res) => void res.end('{"code":0}'));
    const options: ProxyOptions = { hosts: { "upstream.example": service.url }, credentials: "anna:pa$$word" };
    await using proxy = await startProxy(options);
    const problems: string[] = [];
    for (const [pair, status] of [
      [`anna:${PASSWORD}`, 200],
      [`boris:${PASSWORD}`, 502],
    ] as const) {
      process.env.HTTP_PROXY = proxy.withCredentials(pair);
      const onProxyError = (problem: string) => void problems.push(problem);
      await using mirror = await startMirror(fileOf(night.path), { upstream: UPSTREAM, onProxyError });
      const answer = await fetch(`${mirror.url}/api/user/auth/login`, { method: "POST", body: "{}" });
      const text = await answer.text();
      expect([answer.status, text.includes("proxy")]).toEqual([status, false]);
    }
    expect(service.seen.map(({ headers }) => headers["proxy-authorization"])).toEqual([undefined]);
    expect(problems).toEqual([
      `the proxy ${proxy.withCredentials("***")} of HTTP_PROXY rejects its user name and password (407)`,
    ]);
  });

  test("a mirror does not start if the variable names no proxy, and a pull ends", async () => {
    process.env.HTTP_PROXY = "socks5://p:1";
    await expect(pull(new URL(MIRROR), night.path)).rejects.toMatchObject({ exit: 64 });
    const words = ["--data", night.path, "--upstream", UPSTREAM, "--get", "/api/"];
    const { code, stderr } = await runCommand("serve", words);
    expect([code, stderr]).toEqual([64, expect.stringMatching(/^HTTP_PROXY: is not [^\n]*\n$/)]);
  });
});
