import { Agent, type IncomingMessage, request } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { createMirror } from "../../src/server/compose.ts";
import { createAdminRoutes } from "../../src/server/operate/admin.ts";
import { createActiveSnapshot } from "../../src/server/reload/active-snapshot.ts";
import { createAuthProxy } from "../../src/server/routes/auth.ts";
import { openSnapshot } from "../../src/snapshot/read/snapshot.ts";
import { SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { fileOf, pointerOf } from "../helpers/data-folder.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { publishDays } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";
import { startServer } from "../helpers/server.ts";

const night = temporaryFolder();
afterAll(() => night[Symbol.dispose]());
await publishDays(night.path, [0], "--languages", "en,ru", "--ranks", "all", "--endpoints", "heroes,hero,rank");
const FILE = ["--snapshot", fileOf(night.path)];
/** Asked by several tests, each for what none of them changes. */
const served = await startServe(FILE);
afterAll(() => served[Symbol.asyncDispose]());

const LOGIN = "/api/user/auth/login";

async function getJson(url: string) {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

describe("/health and /ready", () => {
  test("tell which snapshot is served and how old it is", async () => {
    const { status, headers, body } = await getJson(`${served.url}/health`);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    const version = headers.get("x-snapshot-version");
    const snapshot = {
      version,
      schema_version: SCHEMA_VERSION,
      age: expect.any(Number),
      started_at: expect.any(String),
      sample: true,
      rolling: false,
      ages: ["hero", "heroes", "rank"].map((dataset) => expect.objectContaining({ dataset, never_asked: 0 })),
      closed: [],
      verified: true,
      served_for: expect.any(Number),
    };
    const data = { status: "serving", snapshot, problem: null, uptime: expect.any(Number) };
    expect(body).toEqual({ code: 0, message: "OK", data });
    expect((await getJson(`${served.url}/ready`)).body).toMatchObject({ code: 0, data: { ready: true } });
  });

  test("a snapshot above --max-age is served, but not ready", async () => {
    await using served = await startServe([...FILE, "--max-age", "0.001"]);
    // 0.001 hours; the crawl of the sample may have begun just now.
    await expect.poll(async () => (await fetch(`${served.url}/ready`)).status).toBe(503);
    const ready = await fetch(`${served.url}/ready`);
    const { code, detail } = expectScheme(ready.status, await ready.text());
    expect(code).toBe("NOT_READY");
    expect(detail).toMatch(/^\S+ is \d+ seconds old, allowed are 3$/);
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
    expect((await fetch(`${served.url}/api/heroes?size=1`)).status).toBe(200);
  });

  test("say why a newer snapshot is refused, and that the mirror is ending", async () => {
    const snapshot = openSnapshot(fileOf(night.path));
    const problem = "x.sqlite: is damaged";
    const active = createActiveSnapshot({ snapshot });
    active.setProblem(problem);
    const admin = createAdminRoutes({ status: active, isStopping: () => true });
    const { app } = createMirror({ data: "/nowhere", active, auth: createAuthProxy({}), admin, onInternalError() {} });
    const health = await (await app.request("/health")).json();
    expect(health).toMatchObject({ code: 0, data: { status: "ending", problem } });
    const ready = await app.request("/ready");
    expect(expectScheme(ready.status, await ready.text())).toMatchObject({
      code: "NOT_READY",
      detail: snapshot.head.version,
    });
    snapshot.close();
  });
});

/** The samples of a text in the format of Prometheus, which it must keep to line by line. */
function parseMetrics(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.trimEnd().split("\n")) {
    if (line === "" || /^# (HELP [a-z_\d]+ .+|TYPE [a-z_\d]+ (counter|gauge|histogram|summary))$/.test(line)) continue;
    const sample = /^([a-z_\d]+(?:\{(?:[a-z_]+="[^"\\]*",?)*\})?) (-?[\d.e+-]+|Na[nN]|\+Inf)$/.exec(line);
    if (!sample) throw new Error(`not a sample: ${line}`);
    samples.set(sample[1] ?? "", Number(sample[2]));
  }
  return samples;
}

describe("/metrics", () => {
  test("counts requests by route, method and status, and nobody can make it grow", async () => {
    const ask = async (path: string, init: RequestInit = {}) => (await fetch(served.url + path, init)).arrayBuffer();
    const scrape = async () => {
      const response = await fetch(`${served.url}/metrics`, { headers: { "accept-encoding": "identity" } });
      expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
      const text = await response.text();
      expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
      return parseMetrics(text);
    };
    const begin = await scrape();
    for (const hero of ["1", "miya", "Мия?lang=ru", "2/"]) await ask(`/api/heroes/${encodeURI(hero)}`);
    await ask("/api/heroes/0");
    await ask("/api/heroes/1", { method: "HEAD" });
    await ask("/api/heroes", { method: "PROPFIND" });
    await ask(LOGIN, { method: "POST", body: "{}" });
    const before = await scrape();
    const count = (route: string, method: string, status: string) => {
      const name = `metasnap_http_request_duration_seconds_count{route="${route}",method="${method}",status="${status}"}`;
      return (before.get(name) ?? 0) - (begin.get(name) ?? 0);
    };
    expect(count("/api/heroes/{hero_identifier}", "GET", "2xx")).toBe(4);
    expect(count("/api/heroes/{hero_identifier}", "GET", "4xx")).toBe(1);
    expect(count("/api/heroes/{hero_identifier}", "HEAD", "2xx")).toBe(1);
    expect(count("/api/heroes", "other", "4xx")).toBe(1);
    expect(count(LOGIN, "POST", "5xx")).toBe(1);
    expect(count("/metrics", "GET", "2xx")).toBe(1);
    expect(before.get("metasnap_http_requests_in_flight")).toBe(1);
    expect(before.get("metasnap_snapshot_refused")).toBe(0);
    expect(before.get("metasnap_snapshot_started_timestamp_seconds")).toBe(1_790_000_000);
    expect(before.get(`metasnap_snapshot_info{version="${pointerOf(night.path).version}"}`)).toBe(1);
    expect(before.get("process_resident_memory_bytes")).toBeGreaterThan(0);

    for (let n = 0; n < 300; n += 1) await ask(`/nothing/${n}?a=${n}`, { headers: { "x-request-id": `${n}` } });
    await ask("/nothing");
    const after = await scrape();
    const added = [...after.keys()].filter((name) => !before.has(name));
    expect(
      added.every((name) => name.includes('route="other",method="GET",status="4xx"') || !name.startsWith("metasnap")),
    ).toBe(true);
    const series = (le: string) =>
      `metasnap_http_request_duration_seconds_bucket{le="${le}",route="other",method="GET",status="4xx"}`;
    const all = after.get(series("+Inf")) ?? 0;
    expect(all - (before.get(series("+Inf")) ?? 0)).toBe(301);
    expect(after.get(series("10"))).toBeLessThanOrEqual(all);
    expect(after.get(series("0.001"))).toBeLessThanOrEqual(after.get(series("10")) ?? 0);
  });

  test.for(["gzip", "br", "zstd"])("are compressed with %s if the client accepts it", async (encoding) => {
    const scrape = (accepted: string) => fetch(`${served.url}/metrics`, { headers: { "accept-encoding": accepted } });
    const [plain, encoded] = [await scrape("identity"), await scrape(encoding)];
    const length = ({ headers }: Response) => Number(headers.get("content-length"));
    expect([plain, encoded].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, encoding]);
    expect([encoded.headers.get("vary"), encoded.headers.get("cache-control")]).toEqual([
      "Accept-Encoding",
      "no-store",
    ]);
    expect(length(encoded)).toBeLessThan(length(plain) / 2);
    expect(parseMetrics(await encoded.text()).size).toBeGreaterThan(20);
    await plain.body?.cancel();
  });
});

/** Asks for an answer and for two errors; gives the ids of all three. */
async function askThree(url: string) {
  const ids = [];
  for (const path of ["/api/heroes?size=1", "/api/heroes/nobody", "/api/heroes?size=0"])
    ids.push((await fetch(url + path)).headers.get("x-request-id"));
  return ids;
}

describe("the log", () => {
  test("has one line for each request at info, found again by the id of the answer", async () => {
    const served = await startServe([...FILE, "--log", "info"]);
    const ids = await askThree(served.url);
    const { stderr } = await served.stop();
    const lines = stderr.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []));
    const requests = lines.filter(({ event }) => event === "request");
    expect(requests.map(({ id }) => id)).toEqual(ids);
    expect(requests.map(({ status }) => status)).toEqual([200, 404, 422]);
    const route = "/api/heroes/{hero_identifier}";
    expect(requests[1]).toMatchObject({ level: "info", method: "GET", route, path: "/api/heroes/nobody" });
    expect(requests[1].time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(requests[1].ms).toBeGreaterThan(0);
    expect(requests[0]).not.toHaveProperty("query");
    expect(lines.at(-1)).toMatchObject({ event: "ending", signal: "SIGTERM" });
  });

  test("is silent when nothing is wrong, and answers carry an id all the same", async () => {
    expect(new Set(await askThree(served.url)).size).toBe(3);
    expect(served.log()).toBe("");
  });

  test("takes a client's own id where nothing stores the answer, and only when it is harmless", async () => {
    const idFor = async (given: string) =>
      (await fetch(`${served.url}/health`, { headers: { "x-request-id": given } })).headers.get("x-request-id");
    expect(await idFor("0af7651916cd43dd-8448.eb_1")).toBe("0af7651916cd43dd-8448.eb_1");
    for (const path of ["/api/", "/api/heroes/0", "/api/nothing"]) {
      const { headers } = await fetch(served.url + path, { headers: { "x-request-id": "mine" } });
      expect(headers.get("x-request-id")).toMatch(/^[\w-]{8}-\w+$/);
    }
    for (const harmful of ['a","b":"', "a b", "", "x".repeat(65), "<script>", "ä"]) {
      const id = await idFor(harmful);
      expect(id).not.toBe(harmful);
      expect(id).toMatch(/^[\w-]{8}-\w+$/);
    }
  });
});

describe("settings", () => {
  test("that are not defaults are printed with where each was said", async () => {
    const served = await startServe([...FILE, "--log", "off", "--trust-proxy", "10.0.0.0/8", "--every", "90s"], {
      METASNAP_PULL_TIME: "none",
      METASNAP_AUTH_RATE: "7",
      METASNAP_SERVE_UPSTREAM: "https://upstream.example/",
    });
    const ids = await askThree(served.url);
    const { stdout, stderr } = await served.stop();
    // The log is off: it is silent, and answers carry an id all the same.
    expect([stderr, new Set(ids).size]).toEqual(["", 3]);
    expect(stdout).toMatch(/^ {2}port +0 +\(--port\)$/m);
    expect(stdout).toMatch(/^ {2}auth-rate +7 +\(METASNAP_AUTH_RATE\)$/m);
    expect(stdout).toMatch(/^ {2}upstream +https:\/\/upstream\.example +\(METASNAP_SERVE_UPSTREAM\)$/m);
    expect(stdout).toMatch(/^ {2}trust-proxy +10\.0\.0\.0\/8 +\(--trust-proxy\)$/m);
    expect(stdout).toMatch(/^ {2}every +90s +\(--every\)$/m);
    expect(stdout).toMatch(/^ {2}pull-time +none +\(METASNAP_PULL_TIME\)$/m);
    expect(stdout).not.toMatch(/^ {2}(host|max-age|frozen-after) /m);
  });

  test("that are refused are quoted without passwords", async () => {
    for (const given of [
      { args: ["--upstream", "https://me:hunter2@x"], env: {} },
      { args: [], env: { METASNAP_SERVE_UPSTREAM: "ftp://me:hunter2@x" } },
    ]) {
      const { code, stdout, stderr } = await runCommand("serve", [...FILE, ...given.args], given.env);
      expect(code).toBe(64);
      expect(stderr).toMatch(/\/\/\*\*\*@x/);
      expect(stdout + stderr).not.toMatch(/hunter2|me:/);
    }
  });
});

describe("the end", () => {
  /** One request on a connection that stays; how it was answered, or the error. */
  function ask(url: string, agent: Agent): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sent = request(url, { agent }, (response) => response.resume().once("end", () => resolve(response)));
      sent.once("error", reject).end();
    });
  }

  test("on SIGTERM under load fails no request: each connection is told on an answer that it was the last", async () => {
    const told = Promise.withResolvers<void>();
    await using upstream = await startServer((_, res) => void told.promise.then(() => res.end('{"code":0}')));
    const served = await startServe([...FILE, "--upstream", upstream.url]);
    const idle = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask(`${served.url}/api/`, idle);
    const counts = new Array<number>(24).fill(0);
    const clients = counts.map(async (_, n) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const { statusCode, headers } = await ask(`${served.url}/api/heroes/rank?size=20&index=${n}`, agent);
        expect(statusCode).toBe(n === 0 ? 422 : 200);
        counts[n] = (counts[n] ?? 0) + 1;
        if (headers.connection === "close") return "told";
      }
    });
    const login = fetch(served.url + LOGIN, { method: "POST", body: "{}" });
    await expect.poll(() => upstream.seen.length === 1 && counts.every((count) => count >= 5)).toBe(true);
    const ended = served.stop("SIGTERM");
    expect(new Set(await Promise.all(clients))).toEqual(new Set(["told"]));
    told.resolve();
    const late = await login;
    expect([late.status, late.headers.get("connection"), await late.text()]).toEqual([200, "close", '{"code":0}']);
    expect(await ended).toMatchObject({ code: 0, signal: null, stderr: "" });
    await expect(ask(`${served.url}/api/`, idle)).rejects.toThrow(/ECONNREFUSED/);
  });
});

test.for(["health", "ready", "metrics"])("/%s has one spelling, by which a proxy keeps it private", async (name) => {
  const { hostname, port } = new URL(served.url);
  const ask = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request({ hostname, port, path, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.once("error", reject).end();
    });
  expect([await ask(`/${name}`), await ask(`/${name}?x=1`)]).toEqual([200, 200]);
  const first = `%${name.charCodeAt(0).toString(16)}`;
  for (const path of [`/${name}/`, `//${name}`, `/./${name}`, `/x/../${name}`, `/${first}${name.slice(1)}`])
    expect([path, await ask(path)]).toEqual([path, 404]);
});

test("SIGHUP makes a server look, and ends nothing", async () => {
  await using other = await startServe(["--data", night.path, "--log", "info"]);
  process.kill(other.pid, "SIGHUP");
  await expect.poll(other.log).toContain('"event":"looking"');
  process.kill(other.pid, "SIGHUP");
  await expect.poll(() => other.log().split('"event":"looking"').length).toBe(3);
  expect((await getJson(`${other.url}/health`)).status).toBe(200);
  expect((await other.stop()).code).toBe(0);
});
