import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startNginx } from "../../scripts/bench/nginx.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { publishDays } from "../helpers/mirror.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startServe } from "../helpers/served.ts";

const POINTERS = ["/snapshots/latest.json", "/snapshots/"];
/** The endpoints that are asked for here. */
const ASKED = ["--endpoints", "heroes,rank,hero,stats,counters,equipment-expanded"];
const FOR_EVER = "public, max-age=31536000, immutable";

describe("behind an nginx that stores what it may", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let [older, newer, partial] = ["", "", ""];
  let mirror: Awaited<ReturnType<typeof startServe>>;
  let cache: Awaited<ReturnType<typeof startCache>>;
  let ask: typeof cache.ask;

  beforeAll(async () => {
    folder = temporaryFolder();
    [older = "", newer = ""] = await publishDays(folder.path, [0, 1], ...ASKED);
    partial = await publishPart(folder.path);
    mirror = await startServe(["--data", folder.path]);
    cache = await startCache(mirror.url);
    ask = cache.ask;
  });
  afterAll(async () => {
    await cache[Symbol.asyncDispose]();
    await mirror[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  /** What a stored answer says of the snapshot it is from: a time that stays true, and no age. */
  function expectTimeOf({ headers }: Proxied, version: string) {
    const manifest = readFileSync(join(folder.path, "snapshots", `${version}.json`), "utf8");
    const { started_at } = JSON.parse(manifest) as { started_at: string };
    expect(headers["x-snapshot-version"]).toBe(version);
    expect(headers["x-snapshot-at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    expect(Date.parse(headers["x-snapshot-at"] ?? "")).toBe(Date.parse(started_at));
    expect(headers).not.toHaveProperty("x-snapshot-age");
  }

  test.for([
    "/api/",
    "/api/openapi.json",
    "/api/heroes",
    "/api/heroes?lang=ja",
    "/api/heroes/rank?size=2&lang=ja",
    "/api/heroes/1/stats?rank=glory",
  ])("%s comes out of the cache and says from when it is", async (path) => {
    const made = await ask(path);
    const kept = await ask(path);
    expect([made.status, made.cache, kept.status, kept.cache]).toEqual([200, "MISS", 200, "HIT"]);
    expect(kept.bytes).toEqual(made.bytes);
    for (const answer of [made, kept]) expectTimeOf(answer, newer);
    const held = await ask(path, { "if-none-match": made.headers.etag ?? "" });
    expect([held.status, held.cache, held.bytes.length]).toEqual([304, "HIT", 0]);
  });

  test("nobody gets to see the request id of another", async () => {
    const stored = ["/api/heroes/2", "/api/heroes/nobody", "/api/heroes?index=x", ...POINTERS];
    for (const path of [...stored, `/snapshots/${older}/api/heroes/2`, `/snapshots/${older}.json`]) {
      const answers = [await ask(path, { "x-request-id": "anna-1" }), await ask(path, { "x-request-id": "boris-2" })];
      for (const { headers } of answers) expect(`${path} ${JSON.stringify(headers)}`).not.toMatch(/anna-1|boris-2/);
    }
    for (const path of ["/health", "/ready", `/snapshots/${partial}/api/heroes/rank?days=30`])
      for (const id of ["anna-1", "boris-2"])
        expect((await ask(path, { "x-request-id": id })).headers["x-request-id"]).toBe(id);
  });

  test("errors that last are stored for a while", async () => {
    for (const [path, status] of [
      ["/api/heroes?size=0", 422],
      ["/api/heroes/nobody/stats", 404],
      ["/nowhere", 404],
    ] as const) {
      const made = await ask(path);
      const kept = await ask(path);
      expect([path, made.status, made.cache, kept.cache]).toEqual([path, status, "MISS", "HIT"]);
      expect(kept.headers["cache-control"]).toMatch(/max-age=\d+/);
      expectScheme(kept.status, kept.bytes.toString());
      expectTimeOf(kept, newer);
    }
  });

  test("an error for people is never that of a program", async () => {
    const accepted = {
      "text/html,*/*;q=0.8": "text/html",
      "application/json": "application/json",
      "": "application/json",
    };
    const turns = [...Object.entries(accepted), ...Object.entries(accepted).toReversed()];
    const found: string[] = [];
    for (const [accept, type] of turns) {
      const { status, headers, bytes, cache: from } = await ask("/heroes/nobodyatall", accept === "" ? {} : { accept });
      expect([status, headers["content-type"], headers.vary]).toEqual([404, `${type}; charset=utf-8`, "Accept"]);
      if (type === "text/html") expect(bytes.toString()).toMatch(/^<!doctype html>/);
      else expectScheme(status, bytes.toString());
      found.push(from);
    }
    expect(found).toEqual(["MISS", "MISS", "MISS", "HIT", "HIT", "HIT"]);
  });

  test("what may be otherwise the next moment is never stored, and says how old the snapshot is", async () => {
    for (const [path, status] of [
      ["/health", 200],
      ["/ready", 200],
      [`/snapshots/${partial}/api/heroes/rank?days=30`, 503],
    ] as const) {
      for (const turn of [1, 2, 3]) {
        const { status: got, cache: found, headers } = await ask(path);
        expect([path, turn, got, found]).toEqual([path, turn, status, "MISS"]);
        expect(headers["cache-control"]).toBe("no-store");
        expect(headers["x-snapshot-age"]).toMatch(/^\d+$/);
      }
    }
  });

  test("each client gets the coding that it takes", async () => {
    const path = "/api/academy/equipment/expanded";
    const plain = await ask(path);
    expect(plain.headers).not.toHaveProperty("content-encoding");
    const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
    for (const [coding, decode] of Object.entries(decoders)) {
      const made = await ask(path, { "accept-encoding": coding });
      const kept = await ask(path, { "accept-encoding": coding });
      expect([made.cache, kept.cache, kept.headers["content-encoding"]]).toEqual(["MISS", "HIT", coding]);
      expect(decode(kept.bytes).equals(plain.bytes)).toBe(true);
      expect(kept.headers.etag).not.toBe(plain.headers.etag);
    }
    const again = await ask(path);
    expect([again.cache, again.bytes.equals(plain.bytes)]).toEqual(["HIT", true]);
  });

  test("HEAD has the headers of GET, and either may come first", async () => {
    const path = "/api/heroes/3/counters";
    // nginx answers before it has read and stored the whole of what it asked for.
    await expect.poll(async () => (await ask(path, {}, { method: "HEAD" })).cache).toBe("HIT");
    const head = await ask(path, {}, { method: "HEAD" });
    const get = await ask(path);
    expect([head.bytes.length, get.cache, get.bytes.length]).toEqual([
      0,
      "HIT",
      Number(head.headers["content-length"]),
    ]);
    const ofConnection = { date: "", connection: "" };
    expect({ ...get.headers, ...ofConnection }).toEqual({ ...head.headers, ...ofConnection });
  });

  test("a part of a file is answered from the copy of the whole", async () => {
    const path = `/snapshots/${older}.sqlite`;
    const whole = readFileSync(join(folder.path, path));
    const ranges: [range: string, start: number, end: number][] = [
      ["bytes=0-15", 0, 16],
      ["bytes=4096-8191", 4096, 8192],
      ["bytes=-100", whole.length - 100, whole.length],
    ];
    for (const [range, start, end] of ranges) {
      await expect.poll(async () => (await ask(path, { range })).cache).toBe("HIT");
      const { status, headers, bytes } = await ask(path, { range });
      expect([status, headers["content-range"]]).toEqual([206, `bytes ${start}-${end - 1}/${whole.length}`]);
      expect(bytes.equals(whole.subarray(start, end))).toBe(true);
    }
    const all = await ask(path);
    expect([all.status, all.cache, all.bytes.equals(whole)]).toEqual([200, "HIT", true]);
    expect(all.headers["cache-control"]).toBe(FOR_EVER);
    expectTimeOf(all, older);
  });

  test("a version stays what it is", async () => {
    for (const version of [older, newer]) {
      const path = `/snapshots/${version}/api/heroes/1/stats`;
      const made = await ask(path);
      const kept = await ask(path);
      expect([made.cache, kept.cache, kept.headers["cache-control"]]).toEqual(["MISS", "HIT", FOR_EVER]);
      expect(kept.bytes).toEqual(made.bytes);
      expectTimeOf(kept, version);
    }
  });
});

describe("behind the same nginx", () => {
  test("a new publication shows at once, and until then a copy is proved by 304", async () => {
    using folder = temporaryFolder();
    const [first = ""] = await publishDays(folder.path, [0], ...ASKED);
    await using mirror = await startServe(["--data", folder.path]);
    await using cache = await startCache(mirror.url);
    const before = await Promise.all(POINTERS.map((path) => cache.ask(path)));
    for (const [turn, { cache: found, headers, bytes }] of before.entries()) {
      expect(found).toBe("MISS");
      expect([headers["cache-control"], headers.etag]).toEqual(["no-cache", expect.stringMatching(/^"[^"]+"$/)]);
      expect(bytes.toString()).toContain(first);
      expect(headers).not.toHaveProperty("x-snapshot-age");
      const held = { headers: { "if-none-match": headers.etag ?? "" } };
      expect((await request(mirror.url + POINTERS[turn], held)).statusCode).toBe(304);
    }
    const answer = await cache.ask("/api/heroes/1/stats");
    // Here an operator has said that a copy lives one second: then the mirror is asked whether it is still the same.
    for (const path of [...POINTERS, "/api/heroes/1/stats"]) {
      const revalidated = async () => (await cache.ask(path, {}, { site: "brief" })).cache;
      await expect.poll(revalidated).toBe("REVALIDATED");
    }

    const [second = ""] = await publishDays(folder.path, [1], ...ASKED);
    const served = async () => (await request(`${mirror.url}/health`)).headers["x-snapshot-version"];
    await expect.poll(served).toBe(second);
    for (const [turn, path] of POINTERS.entries()) {
      const { status, headers, bytes } = await cache.ask(path);
      expect([status, headers["x-snapshot-version"]]).toEqual([200, second]);
      expect(bytes.toString()).toContain(second);
      expect(headers.etag).not.toBe(before[turn]?.headers.etag);
    }
    // What was stored before is the older one's, and says so.
    const kept = await cache.ask("/api/heroes/1/stats");
    expect([kept.cache, kept.headers["x-snapshot-version"], kept.bytes]).toEqual(["HIT", first, answer.bytes]);
    const fresh = async () => (await cache.ask("/api/heroes/1/stats", {}, { site: "brief" })).headers;
    await expect.poll(async () => (await fresh())["x-snapshot-version"]).toBe(second);
  });

  test("answers go on while the mirror is down", async () => {
    using folder = temporaryFolder();
    const [version = ""] = await publishDays(folder.path, [0], ...ASKED);
    await using mirror = await startServe(["--data", folder.path]);
    await using cache = await startCache(mirror.url);
    const path = "/api/heroes/1?lang=ja";
    const live = await cache.ask(path);
    expect(live.headers["cache-control"]).toMatch(/\bstale-if-error=\d+/);
    await cache.ask(path, {}, { site: "brief" });
    await mirror.stop();
    expect(await cache.ask(path)).toMatchObject({ status: 200, cache: "HIT", bytes: live.bytes });
    const stale = () => cache.ask(path, {}, { site: "brief" });
    await expect.poll(async () => (await stale()).cache).toBe("STALE");
    expect(await stale()).toMatchObject({ status: 200, bytes: live.bytes });
    expect((await stale()).headers["x-snapshot-version"]).toBe(version);
    expect((await cache.ask("/api/heroes/2?lang=ja")).status).toBe(502);
  });
});

/** A snapshot that lacks most of the rank list, and is therefore not the latest. */
async function publishPart(data: string): Promise<string> {
  const sample = await startSample({ heroes: 3 });
  try {
    const part = ["--days", "1", "--languages", "en", "--endpoints", "heroes,rank"];
    const pace = ["--rate", "5000", "--concurrency", "8"];
    const { events, stderr } = await runCommand("crawl", ["--upstream", sample.url, "--data", data, ...part, ...pace]);
    const published = events.find(({ event }) => event === "published");
    if (!published) throw new Error(stderr);
    return String(published.version);
  } finally {
    await sample.close();
  }
}

/** Who looks after the copies: nginx by what the mirror says, or by an operator's word that they live one second. */
type Site = "faithful" | "brief";

type Headers = Record<string, string>;

interface Proxied {
  status: number;
  /** What nginx found in its cache; empty where it did not look. */
  cache: string;
  headers: Headers;
  bytes: Buffer;
}

/** A real nginx with a cache of its own before the mirror at this URL, on sockets in a folder that goes with it. */
async function startCache(mirror: string) {
  const folder = temporaryFolder();
  const socketOf = (site: Site) => join(folder.path, `${site}.sock`);
  const http = `
    proxy_cache_path cache keys_zone=answers:1m;
    proxy_cache answers;
    proxy_cache_revalidate on;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    add_header x-cache $upstream_cache_status always;
    server {
      listen unix:${socketOf("faithful")};
      proxy_cache_key faithful$request_uri;
      location / { proxy_pass ${mirror}; }
    }
    server {
      listen unix:${socketOf("brief")};
      proxy_cache_key brief$request_uri;
      proxy_ignore_headers Cache-Control;
      proxy_cache_valid 200 1s;
      proxy_cache_use_stale error;
      location / { proxy_pass ${mirror}; }
    }`;
  const nginx = await startNginx(folder.path, http, { path: socketOf("faithful") });
  const agents = {
    faithful: new Agent({ connect: { socketPath: socketOf("faithful") } }),
    brief: new Agent({ connect: { socketPath: socketOf("brief") } }),
  };

  async function ask(
    path: string,
    headers: Headers = {},
    { site = "faithful", method = "GET" }: { site?: Site; method?: "GET" | "HEAD" } = {},
  ): Promise<Proxied> {
    const dispatcher = agents[site];
    const answer = await request(`http://mirror.example${path}`, { dispatcher, method, headers });
    const got = answer.headers as Headers;
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return { status: answer.statusCode, cache: got["x-cache"] ?? "", headers: got, bytes };
  }

  return {
    ask,
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(agents).map((agent) => agent.close()));
      await nginx.stop();
      folder[Symbol.dispose]();
    },
  };
}
