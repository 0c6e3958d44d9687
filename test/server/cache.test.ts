import { once } from "node:events";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpointOf } from "../../src/api/endpoints.ts";
import { createSnapshotHandle } from "../../src/server/query/snapshot-handle.ts";
import { createActiveSnapshot } from "../../src/server/reload/active-snapshot.ts";
import { createCache } from "../../src/server/response/cache.ts";
import { parseRange } from "../../src/server/response/files.ts";
import {
  createRepresentation,
  negotiateEncoding,
  type Representation,
} from "../../src/server/response/representation.ts";
import { openSnapshot } from "../../src/snapshot/read/snapshot.ts";
import { type RunningMirror, startMirror } from "../helpers/mirror.ts";
import { world } from "../helpers/world.ts";

let mirror: RunningMirror;
beforeAll(async () => {
  mirror = await startMirror(world.snapshot);
});
afterAll(() => mirror[Symbol.asyncDispose]());

async function ask(path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") {
  const response = await request(mirror.url + path, { method, headers });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers as Record<string, string>, bytes };
}

const tagOf = async (path: string, headers?: Record<string, string>) => (await ask(path, headers)).headers.etag;

const representBody = (body: string | Buffer) => createRepresentation({ body, contentType: "text/plain" });

/** What is said of this one exchange alone. */
const PASSING = ["x-snapshot-age", "x-request-id", "date", "connection", "keep-alive"];
const lasting = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !PASSING.includes(name)));

/** Each answer is asked for twice: it is made once by the app, and then comes out of the cache. */
const twice = async (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") => {
  const [made, kept] = [await ask(path, headers, method), await ask(path, headers, method)];
  expect(lasting(kept.headers)).toEqual(lasting(made.headers));
  expect([kept.status, kept.bytes]).toEqual([made.status, made.bytes]);
  return kept;
};

const LIST = "/api/heroes/rank?size=20";

describe("parameters that the endpoint does not have", () => {
  const ignoredIn = (headers: Record<string, string>) => headers["x-ignored-parameters"];
  const RELATIONS = "/api/heroes/1/relations";

  test("are named by each URL, made or cached, and change no body", async () => {
    const plain = await twice(RELATIONS);
    expect(ignoredIn(plain.headers)).toBeUndefined();
    for (const [query, names] of [
      ["?dayz=7", "dayz"],
      ["?x-a.b_9=1&dayz=7&lang=en&dayz=8", "x-a.b_9, dayz"],
      ["?rank=epic", "rank"],
      ["?%64ayz=1", "dayz"],
      ["?lang=en", undefined],
    ] as const)
      for (const headers of [{}, { "accept-encoding": "br" }, { "if-none-match": plain.headers.etag ?? "" }]) {
        const { headers: told, bytes, status } = await twice(RELATIONS + query, headers);
        expect(ignoredIn(told), query).toBe(names);
        if (status === 200 && !("accept-encoding" in headers)) expect(bytes).toEqual(plain.bytes);
        expect(told.etag?.startsWith(plain.headers.etag?.slice(0, -1) ?? "?")).toBe(true);
      }
    expect(ignoredIn((await twice(RELATIONS)).headers)).toBeUndefined();
  });

  test("are named at most eight, and only if their names are harmless", async () => {
    const nine = Array.from({ length: 9 }, (_, index) => `p${index}`);
    const { headers } = await ask(`${RELATIONS}?${nine.join("&")}`);
    expect(ignoredIn(headers)).toBe(nine.slice(0, 8).join(", "));
    const hostile = [
      "a%0d%0ax-evil:1",
      "%3Cscript%3E",
      "a%20b",
      "a,b",
      "",
      "%00",
      "%E3%83%A4",
      "x".repeat(41),
      "a%2Cb",
    ];
    for (const name of hostile)
      expect(ignoredIn((await twice(`${RELATIONS}?${name}=1`)).headers), name).toBeUndefined();
    expect(ignoredIn((await ask(`${RELATIONS}?${[...hostile, "x".repeat(40)].join("&")}`)).headers)).toBe(
      "x".repeat(40),
    );
  });

  test("are not named by errors, nor by what has no parameters", async () => {
    for (const path of ["/api/heroes/nobody?dayz=7", "/api/heroes?size=x&dayz=7", "/api/?dayz=7", "/health?dayz=7"])
      expect(ignoredIn((await ask(path)).headers), path).toBeUndefined();
  });
});

describe("the entity tag", () => {
  const same: [string, string[]][] = [
    [
      "/api/heroes/1/stats",
      ["/api/heroes/miya/stats", "/api/heroes/Miya/stats/", "/api/heroes/%20+1/stats?lang=en&rank=all"],
    ],
    [
      "/api/heroes/1/stats?lang=ja",
      ["/api/heroes/1/stats?lang=ru&lang=ja", "/api/heroes/%E3%83%9F%E3%83%A4/stats?lang=ja"],
    ],
    [
      "/api/heroes/rank",
      [
        "/api/heroes/rank?size=20&index=1&days=1&rank=all&sort_field=win_rate&sort_order=desc&lang=en",
        "/api/heroes/rank?foo=1",
        "/api/heroes/rank?index=01&size=2_0",
      ],
    ],
    [
      "/api/heroes/rank?rank=glory&days=7",
      ["/api/heroes/rank?days=7&rank=glory", "/api/heroes/rank?days=7&rank=epic&rank=glory"],
    ],
    [
      "/api/heroes/positions?role=mage&role=tank",
      ["/api/heroes/positions?role=tank&role=mage", "/api/heroes/positions?role=TANK&role=%20mage&role=tank&lane="],
    ],
  ];
  test.for(same)("of %s is that of its other spellings", async ([path, others]) => {
    const first = await ask(path);
    expect(first.headers.etag).toMatch(/^"[\w-]{22}"$/);
    for (const other of others) {
      const { headers, bytes } = await twice(other);
      expect([other, headers.etag]).toEqual([other, first.headers.etag]);
      expect(bytes.equals(first.bytes)).toBe(true);
    }
  });

  test("differs for every other query, and for each coding", async () => {
    const paths = [
      "/api/heroes/1",
      "/api/heroes/2",
      "/api/heroes/1/stats",
      "/api/heroes/1/stats?rank=epic",
      LIST,
      "/api/heroes/rank?size=21",
      "/api/heroes/rank?size=20&lang=de",
      "/api/heroes/rank?sort_order=asc",
      "/api/",
      "/api/openapi.json",
      "/api/heroes/positions?role=mage",
      "/api/heroes/positions?lane=mid",
    ];
    const tags = [
      ...(await Promise.all(paths.map((path) => tagOf(path)))),
      ...(await Promise.all(["br", "gzip", "zstd"].map((coding) => tagOf(LIST, { "accept-encoding": coding })))),
    ];
    expect(new Set(tags).size).toBe(paths.length + 3);
  });

  test("differs for a night with the same data and other bytes, as with the keys in another order", () => {
    const snapshot = openSnapshot(world.snapshot);
    const seeds = [snapshot.head.archive_hash, "0".repeat(64)].map((archive_hash) => {
      const night = { ...snapshot, head: { ...snapshot.head, archive_hash } };
      return createSnapshotHandle(night, createCache(), "no-cache").seed;
    });
    expect(new Set(seeds).size).toBe(2);
    snapshot.close();
  });
});

describe("a request with conditions", () => {
  const matching = (tag: string) => [
    tag,
    `W/${tag}`,
    `"x", ${tag}`,
    `"x" ,W/"y",${tag}`,
    "*",
    tag.replace(/"$/, '-gzip"'),
    `W/${tag.replace(/"$/, '-br"')}`,
  ];
  test.for([LIST, "/api/", "/api/heroes/1"])("%s is 304 when the client holds any form of it", async (path) => {
    const { headers } = await ask(path);
    const tag = headers.etag ?? "";
    for (const held of matching(tag)) {
      const answer = await twice(path, { "if-none-match": held });
      expect([held, answer.status, answer.bytes.length]).toEqual([held, 304, 0]);
      expect(answer.headers).toMatchObject({
        "cache-control": headers["cache-control"],
        vary: "Accept-Encoding",
        "access-control-allow-origin": "*",
        "x-snapshot-version": headers["x-snapshot-version"],
      });
      expect(answer.headers).not.toHaveProperty("content-length");
      if (held !== "*") expect(held).toContain(answer.headers.etag);
    }
  });

  test("a state that is wanted and not there is 412", async () => {
    const { headers } = await ask(LIST);
    const [tag = "", modified = ""] = [headers.etag, headers["last-modified"]];
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    const refused: Record<string, string>[] = [
      { "if-match": '"x"' },
      { "if-match": `W/${tag}` },
      { "if-match": "" },
      { "if-match": '"x"', "if-none-match": tag },
      { "if-unmodified-since": earlier },
    ];
    for (const condition of refused) {
      const { status, bytes } = await twice(LIST, condition);
      expect([condition, status]).toEqual([condition, 412]);
      expect(JSON.parse(String(bytes)).error).toMatchObject({ code: "PRECONDITION_FAILED" });
    }
    const held: Record<string, string>[] = [
      { "if-match": tag },
      { "if-match": `"x", ${tag}` },
      { "if-match": "*" },
      { "if-match": tag.replace(/"$/, '-br"') },
      { "if-match": tag, "if-unmodified-since": earlier },
      { "if-unmodified-since": modified },
    ];
    for (const condition of held) expect([condition, (await twice(LIST, condition)).status]).toEqual([condition, 200]);
    expect((await twice(LIST, { "if-match": tag, "if-none-match": tag })).status).toBe(304);
  });

  test("other tags, and dates beside tags, do not count", async () => {
    const { headers } = await ask(LIST);
    const modified = headers["last-modified"] ?? "";
    for (const held of ['"x"', "x", `x${headers.etag}x`.replaceAll('"', ""), '"*"', ""]) {
      expect([held, (await twice(LIST, { "if-none-match": held })).status]).toEqual([held, 200]);
      expect((await twice(LIST, { "if-none-match": held, "if-modified-since": modified })).status).toBe(200);
    }
  });

  test("the date of the answer is 304, any other or none is not", async () => {
    const modified = (await ask(LIST)).headers["last-modified"] ?? "";
    expect((await twice(LIST, { "if-modified-since": modified })).status).toBe(304);
    const [earlier, later] = [-1000, 1000].map((by) => new Date(Date.parse(modified) + by).toUTCString());
    for (const date of [earlier, later, "yesterday", ""])
      expect((await twice(LIST, { "if-modified-since": date ?? "" })).status).toBe(200);
  });
});

describe("the coding", () => {
  const decode = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
    zstd: zstdDecompressSync,
    identity: (bytes: Buffer) => bytes,
  };
  const choices: [accepted: string, coding: keyof typeof decode][] = [
    ["gzip, deflate, br, zstd", "br"],
    ["gzip, deflate", "gzip"],
    ["zstd, gzip", "zstd"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, gzip;q=0.001", "gzip"],
    ["*", "br"],
    ["*;q=0.1, gzip;q=0.2", "gzip"],
    ["br;q=0, *", "zstd"],
    ["GZIP", "gzip"],
    ["identity", "identity"],
    ["identity, gzip;q=0.5", "identity"],
    ["identity;q=0, gzip", "gzip"],
    ["deflate", "identity"],
    ["", "identity"],
    ["*;q=0", "identity"],
    ["br;q=x", "identity"],
    [";;,,=", "identity"],
  ];
  test.for(choices)("of %j is %s", async ([accepted, coding]) => {
    expect(negotiateEncoding(accepted)).toBe(coding);
    const plain = await ask(LIST);
    const { headers, bytes } = await twice(LIST, { "accept-encoding": accepted });
    expect(headers["content-encoding"] ?? "identity").toBe(coding);
    expect(headers.vary).toBe("Accept-Encoding");
    expect(Number(headers["content-length"])).toBe(bytes.length);
    expect(decode[coding](bytes).equals(plain.bytes)).toBe(true);
    if (coding !== "identity") expect(bytes.length).toBeLessThan(plain.bytes.length / 2);
  });

  test("is not worth it for a short answer", async () => {
    const { headers } = await twice("/api/heroes/1/relations", { "accept-encoding": "br" });
    expect(headers["content-encoding"]).toBeUndefined();
  });

  test("is made once when many ask at once", async () => {
    const path = "/api/heroes?size=133&lang=th";
    const all = await Promise.all(Array.from({ length: 20 }, () => ask(path, { "accept-encoding": "zstd" })));
    expect(new Set(all.map(({ bytes }) => bytes.toString("base64"))).size).toBe(1);
  });
});

describe("HEAD", () => {
  test.for([LIST, "/api/heroes/1/relations", "/api/", "/api/openapi.json", "/api/heroes/nobody", "/api/nothing"])(
    "of %s has the headers of GET",
    async (path) => {
      for (const accepted of ["identity", "br"]) {
        const [get, head] = [
          await ask(path, { "accept-encoding": accepted }),
          await twice(path, { "accept-encoding": accepted }, "HEAD"),
        ];
        expect(head.headers).toMatchObject(lasting(get.headers));
        expect(Number(head.headers["content-length"])).toBe(get.bytes.length);
        expect([head.status, head.bytes.length]).toEqual([get.status, 0]);
      }
    },
  );

  test("sends no body over the socket", async () => {
    const socket = connect(Number(new URL(mirror.url).port), "127.0.0.1");
    socket.write(`HEAD ${LIST} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    await once(socket, "close");
    expect(text).toMatch(/\r\ncontent-length: \d{4,}\r\n/i);
    expect(text.endsWith("\r\n\r\n")).toBe(true);
  });
});

test("answers may be kept and shared, errors shortly or not at all", async () => {
  expect((await twice(LIST)).headers["cache-control"]).toMatch(/^public, max-age=\d+, stale-while-revalidate=\d+/);
  expect((await ask("/api/heroes?size=0")).headers["cache-control"]).toBe("public, max-age=60");
  expect((await ask("/api/nothing")).headers["cache-control"]).toBe("public, max-age=60");
  const post = await request(`${mirror.url}/api/heroes`, { method: "POST" });
  await post.body.dump();
  expect([post.statusCode, post.headers["cache-control"], post.headers.allow]).toEqual([
    405,
    "no-store",
    "GET, HEAD, OPTIONS",
  ]);
  expect(post.headers).toMatchObject({ "access-control-allow-origin": "*", "x-snapshot-version": expect.any(String) });
});

describe("the cache", () => {
  const asked = { method: "GET", headers: {} };
  const LIMIT = 1024 * 1024;
  const openCache = () => {
    const active = createActiveSnapshot({ snapshot: openSnapshot(world.snapshot), cache: createCache(LIMIT) });
    const answer = (key: string, url: string, page: Representation) =>
      active.cache.respond(
        active.cache.getRepresentation(key, () => page),
        { key, meta: active.current, route: "/x" },
        asked,
        url,
      );
    return { ...active, answer };
  };

  test("never holds more than its bytes, whatever is asked", async () => {
    const { cache, answer, close } = openCache();
    const page = representBody("x".repeat(10_000));
    for (let spelling = 0; spelling < 5000; spelling += 1) await answer(`/x?${spelling % 700}`, `/x?${spelling}`, page);
    expect(cache.sizeBytes()).toBeLessThanOrEqual(LIMIT);
    expect(cache.sizeBytes()).toBeGreaterThan(0.25 * LIMIT);
    expect(cache.getResponse("/x?4999", asked)?.response).toMatchObject({ status: 200 });
    expect(cache.getResponse("/x?0", asked)).toBeUndefined();
    const big = representBody("x".repeat(2 * LIMIT));
    for (let time = 0; time < 3; time += 1) await answer("/big", "/big", big);
    expect(cache.getResponse("/big", asked)).toBeUndefined();
    close();
  });

  test("counts what answers are made of too", () => {
    const { cache, close } = openCache();
    for (let list = 0; list < 5000; list += 1)
      cache.getOrCreate(
        `list ${list}`,
        () => ({ list }),
        () => 1000,
      );
    expect(cache.sizeBytes()).toBeLessThanOrEqual(LIMIT);
    const make = () => ({ list: -1 });
    expect(cache.getOrCreate("list 4999", make, () => 0)).toEqual({ list: 4999 });
    expect(cache.getOrCreate("list 0", make, () => 0)).toEqual({ list: -1 });
    close();
  });

  test("keeps what is asked for again while it would still hold it, and nothing that is asked for once", async () => {
    const { cache, answer, close } = openCache();
    const get = (path: string) => answer(path, path, representBody(path.padEnd(10_000)));
    const isKept = (path: string) => cache.getResponse(path, asked) !== undefined;
    await get("/often");
    for (let other = 0; other < 20; other += 1) await get(`/once/${other}`);
    expect(cache.sizeBytes()).toBe(0);
    await get("/often");
    expect(isKept("/often")).toBe(true);
    // Asked for again only after more has passed by than there is room for: it would have been dropped.
    for (let round = 0; round < 2; round += 1)
      for (let other = 0; other < 300; other += 1) await get(`/seldom/${other}`);
    expect(Array.from({ length: 300 }, (_, other) => isKept(`/seldom/${other}`)).filter((kept) => kept)).toEqual([]);
    expect(isKept("/often")).toBe(true);
    close();
  });

  test("keeps a compressed answer at once: it is dearer to make than to keep", async () => {
    const { cache, current, close } = openCache();
    const coded = { method: "GET", headers: { "accept-encoding": "gzip" } };
    const address = { key: "/x", meta: current, route: "/x" };
    await cache.respond(representBody("x".repeat(10_000)), address, coded, "/x");
    expect(cache.getResponse("/x", coded)?.response).toMatchObject({ headers: { "content-encoding": "gzip" } });
    expect(cache.getResponse("/x", asked)?.response).toMatchObject({ headers: { "content-length": "10000" } });
    close();
  });

  test("makes one page of all sizes beyond the list, and of all pages behind its end", async () => {
    const { current, cache, close } = openCache();
    const ask = (query: string) => {
      const parsed = current.engine.parse(endpointOf("rank"), undefined, new URLSearchParams(query));
      const key = current.prefix + parsed.canonical;
      return { key, representation: cache.getRepresentation(key, () => representBody(current.engine.execute(parsed))) };
    };
    const whole = ask("size=133");
    ask("size=133");
    const before = cache.sizeBytes();
    for (const size of [134, 1000, 999_999_999, Number.MAX_SAFE_INTEGER]) expect(ask(`size=${size}`)).toEqual(whole);
    ask("size=20&index=8");
    const end = ask("size=20&index=8");
    for (const index of [9, 1000, Number.MAX_SAFE_INTEGER]) expect(ask(`size=20&index=${index}`)).toEqual(end);
    expect(ask("size=7000&index=2").representation.identity.toString()).toBe(end.representation.identity.toString());
    expect(cache.sizeBytes() - before).toBeLessThan(5000);
    close();
  });

  test("what many ask for at once is compressed in turns, and who comes too late gets it uncompressed", async () => {
    const { cache, current, close } = openCache();
    const coded = { method: "GET", headers: { "accept-encoding": "zstd" } };
    const text = "x".repeat(100_000);
    const replies = await Promise.all(
      Array.from({ length: 100 }, async (_, at) =>
        cache.respond(representBody(`${at}${text}`), { key: `${at}`, meta: current, route: "/x" }, coded, undefined),
      ),
    );
    const forms = replies.map(({ headers }) => headers["content-encoding"] ?? "identity");
    expect(new Set(forms)).toEqual(new Set(["zstd", "identity"]));
    expect(forms.filter((form) => form === "zstd").length).toBeLessThan(25);
    expect(replies.every(({ status, headers }) => status === 200 && headers.vary === "Accept-Encoding")).toBe(true);
    close();
  });
});

test.for([
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=5-", { start: 5, end: 99 }],
  ["bytes=5-1000", { start: 5, end: 99 }],
  ["bytes=-1", { start: 99, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
  ["Bytes = 1 - 2", { start: 1, end: 2 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=7-3", undefined],
  ["bytes=0-1,5-6", undefined],
  ["lines=0-1", undefined],
  ["bytes=-", undefined],
  ["bytes=a-b", undefined],
  ["", undefined],
] as const)("the range %j of 100 bytes", ([header, expected]) => {
  expect(parseRange(header, 100)).toEqual(expected);
});
