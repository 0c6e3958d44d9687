import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { pull } from "../../src/extra/nights/pull/pull.ts";
import { describeProxy, findProxy } from "../../src/network/proxy.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { startMirror } from "../helpers/mirror.ts";
import { LITTLE, RATES, runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { AUTHORITY, passOn, startServer } from "../helpers/server.ts";
import { startSource } from "../helpers/upstream/source.ts";
import { startUpstream } from "../helpers/upstream/upstream.ts";

const [UPSTREAM, SECURE, MIRROR] = ["http://upstream.example", "https://upstream.example", "http://mirror.example"];
const VARIABLES = ["http_proxy", "https_proxy", "no_proxy"].flatMap((name) => [name, name.toUpperCase()]);
const PASSWORD = "pa%24%24word";

afterEach(() => {
  for (const name of VARIABLES) delete process.env[name];
});

const crawl = (upstream: string, data: string, ...more: string[]) => [
  ...["--upstream", upstream, "--data", data, "--rate", "5000", "--concurrency", "3", "--attempts", "1"],
  ...LITTLE,
  ...more,
];

interface ProxyOptions {
  /** Where the names lead that it knows; a name without a place is one that it cannot reach. */
  hosts?: Record<string, string>;
  /** `user:password` that it wants. */
  credentials?: string;
  /** The status that it refuses everything with. */
  refuses?: number;
  /** Accepts connections and says nothing. */
  silent?: boolean;
}

/** A proxy as RFC 9110 has it: passes http on, opens tunnels for `CONNECT`, and remembers what it was asked. */
async function startProxy({ hosts = {}, credentials, refuses, silent }: ProxyOptions) {
  /** `GET http://…` or `CONNECT host:port`, each as it came. */
  const asked: string[] = [];
  const most = { tunnels: 0, requests: 0 };
  let tunnels = 0;
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
  const refusalOf = (sent: string | undefined) => refuses ?? (wanted && sent !== wanted ? 407 : undefined);
  const server = await startServer(
    (req, res, seen) => {
      asked.push(`${seen.method} ${seen.url}`);
      if (silent) return;
      const refusal = refusalOf(seen.headers["proxy-authorization"]);
      if (refusal) return res.writeHead(refusal, { "content-type": "text/html" }).end("<h1>No</h1>");
      const { host, pathname, search } = new URL(seen.url);
      const place = hosts[host];
      if (place === undefined) return res.writeHead(502).end("no such host");
      most.requests = Math.max(most.requests, seen.inFlight);
      return passOn(place)(req, res, { ...seen, url: pathname + search });
    },
    {
      tunnel({ method, url = "", headers }, socket) {
        asked.push(`${method} ${url}`);
        if (silent) return;
        const refusal = refusalOf(headers["proxy-authorization"]);
        const place = hosts[url];
        if (refusal || place === undefined) return void socket.end(`HTTP/1.1 ${refusal ?? 502} No\r\n\r\n`);
        const { hostname, port } = new URL(place);
        const onward = connect(Number(port), hostname, () => {
          tunnels += 1;
          most.tunnels = Math.max(most.tunnels, tunnels);
          socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
          onward.pipe(socket).pipe(onward);
          onward.once("close", () => {
            tunnels -= 1;
          });
        });
        onward.on("error", () => {}).once("close", () => socket.destroy());
        socket.once("close", () => onward.destroy());
      },
    },
  );
  const { url } = server;
  return {
    url,
    /** The same with a user name and password. */
    withCredentials: (pair: string) => url.replace("//", `//${pair}@`),
    asked,
    most,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

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
    // A process of its own: Node reads the certificates when it starts.
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

  test("a mirror does not start with one that is none, and a pull ends", async () => {
    process.env.HTTP_PROXY = "socks5://p:1";
    await expect(pull(new URL(MIRROR), night.path)).rejects.toMatchObject({ exit: 64 });
    const words = ["--data", night.path, "--upstream", UPSTREAM, "--get", "/api/"];
    const { code, stderr } = await runCommand("serve", words);
    expect([code, stderr]).toEqual([64, expect.stringMatching(/^HTTP_PROXY: is not [^\n]*\n$/)]);
  });
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
    for (const [upstream, variable, words] of [
      [UPSTREAM, "HTTP_PROXY", forward],
      [SECURE, "https_proxy", tunnel],
    ] as const) {
      const { code, stderr, stdout } = await runCommand("crawl", crawl(upstream, folder.path, "--timeout", "1"));
      expect([code, stderr.trimEnd().split("\n")], stderr).toEqual([4, [expect.stringContaining(words)]]);
      expect(stderr).toContain(`${named} of ${variable}`);
      expect(stderr).toContain("exempt upstream.example with NO_PROXY");
      expect(stderr + stdout).not.toContain("secret");
    }
    await expect(pull(new URL(MIRROR), folder.path, { limits: { timeoutMs: 1000, maxAttempts: 1 } })).rejects.toThrow(
      `${named} of HTTP_PROXY`,
    );
  });
});
