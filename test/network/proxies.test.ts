import { afterEach, describe, expect, test } from "vitest";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { describeProxy, findProxy } from "../../src/network/proxy.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { crawl, forgetProxies, MIRROR, type ProxyOptions, SECURE, startProxy, UPSTREAM } from "./proxies/proxy.ts";

const PASSWORD = "pa%24%24word";

afterEach(forgetProxies);

describe("which proxy an address has", () => {
  const ENV = { HTTP_PROXY: "http://web:1", https_proxy: "tunnel:2", HTTPS_PROXY: "http://never:3" };
  const NO_PROXY =
    "direct.example .below.example, *.star.example,port.example:8080 10.0.0.0/8 192.0.2.7 [2001:db8::1]:81";
  test.for<[string, string | undefined]>([
    ["http://a.example", "the proxy http://web:1 of HTTP_PROXY"],
    ["https://a.example", "the proxy http://tunnel:2 of https_proxy"],
    ["http://direct.example", undefined],
    ["http://DIRECT.example.", undefined],
    ["http://very.direct.example:99", undefined],
    ["http://indirect.example", "web"],
    ["http://x.below.example", undefined],
    ["http://x.star.example", undefined],
    ["http://port.example:8080", undefined],
    ["http://port.example", "web"],
    ["http://10.9.8.7", undefined],
    ["http://11.9.8.7", "web"],
    ["http://192.0.2.7:5", undefined],
    ["http://[2001:db8::1]:81", undefined],
    ["http://[2001:db8::1]:82", "web"],
    ["http://localhost:3000", undefined],
    ["http://app.localhost", undefined],
    ["http://127.9.9.9", undefined],
    ["http://[::1]", undefined],
    ["http://[::ffff:127.0.0.1]", undefined],
  ])("%s", ([url, through]) => {
    const proxy = findProxy(new URL(url), { ...ENV, NO_PROXY });
    if (through === undefined) expect(proxy).toBeUndefined();
    else expect(proxy && describeProxy(proxy)).toContain(through);
    expect(findProxy(new URL(url), { ...ENV, NO_PROXY: "direct", no_proxy: "x, *" })).toBeUndefined();
  });

  test.for([
    ["http://web:1", "the proxy http://web:1 of HTTP_PROXY"],
    ["http://me@web:1", "the proxy http://***@web:1 of HTTP_PROXY"],
    ["http://:secret@web:1", "the proxy http://***@web:1 of HTTP_PROXY"],
    ["http://me:secret@web:1", "the proxy http://***@web:1 of HTTP_PROXY"],
  ])("%s is named without its user and password", ([value, name]) => {
    const proxy = findProxy(new URL(UPSTREAM), { HTTP_PROXY: value });
    expect(proxy && describeProxy(proxy)).toBe(name);
  });

  test("small letters come first, and empty means none", () => {
    expect(findProxy(new URL(UPSTREAM), { http_proxy: "", HTTP_PROXY: "http://web:1" })).toBeUndefined();
    expect(findProxy(new URL(SECURE), { HTTP_PROXY: "http://web:1" })).toBeUndefined();
    expect(findProxy(new URL(UPSTREAM), {})).toBeUndefined();
  });

  test.for(["socks5://p:1", "http://:3128", "http://u:%zz@p:1", "h ttp", `ftp://u:${PASSWORD}@p`])(
    "%s is refused, and not quoted",
    async (value) => {
      process.env.HTTP_PROXY = value;
      using folder = temporaryFolder();
      const { code, stderr } = await runCommand("crawl", crawl(UPSTREAM, folder.path));
      expect(stderr).toMatch(/^HTTP_PROXY: is not the URL of an http or https proxy; write it as [^\n]*\n$/);
      expect([code, stderr.includes(value)]).toEqual([64, false]);
    },
  );
});

describe("a proxy in trouble is named in one line, with its variable and without its password", () => {
  const REFUSED = "rejects its user name and password (407)";
  test.for<[string, ProxyOptions | undefined, string, string, string]>([
    ["that is down", undefined, "anna:secret", "does not answer: connect ECONNREFUSED", "does not answer: "],
    ["that says nothing", { silent: true }, "", " (timeout: ", " (timeout: "],
    ["that refuses", { refuses: 403 }, "", " (blocked: status 403", "refuses upstream.example (403)"],
    ["that wants credentials", { credentials: "a:b" }, "", "wants a user name and password (407)", "wants a user name"],
    ["that knows no such user", { credentials: "a:b" }, "anna:secret", REFUSED, REFUSED],
    ["that does not reach the host", {}, "", "status 502", "does not reach upstream.example (502)"],
  ])("one %s", async ([, options, pair, forward, tunnel]) => {
    using folder = temporaryFolder();
    await using proxy = await startProxy(options ?? {});
    if (!options) await proxy[Symbol.asyncDispose]();
    const url = pair ? proxy.withCredentials(pair) : proxy.url;
    const named = `the proxy ${pair ? proxy.withCredentials("***") : proxy.url}`;
    process.env.HTTP_PROXY = url;
    process.env.https_proxy = url;
    const timeoutSeconds = options?.silent ? 1 : 60;
    for (const [upstream, variable, words] of [
      [UPSTREAM, "HTTP_PROXY", forward],
      [SECURE, "https_proxy", tunnel],
    ] as const) {
      const { code, stderr, stdout } = await runCommand(
        "crawl",
        crawl(upstream, folder.path, "--timeout", String(timeoutSeconds)),
      );
      expect([code, stderr.trimEnd().split("\n")], stderr).toEqual([4, [expect.stringContaining(words)]]);
      expect(stderr).toContain(`${named} of ${variable}`);
      expect(stderr).toContain("exempt upstream.example with NO_PROXY");
      expect(stderr + stdout).not.toContain("secret");
    }
    await expect(
      pull(new URL(MIRROR), folder.path, { limits: { timeoutMs: timeoutSeconds * 1000, maxAttempts: 1 } }),
    ).rejects.toThrow(`${named} of HTTP_PROXY`);
  });
});
