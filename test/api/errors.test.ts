import { connect } from "node:net";
import { afterAll, test as base, describe, expect } from "vitest";
import { readPath } from "../../src/api/body/path.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import type { ErrorCode, InvalidField } from "../../src/api/errors.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { type RunningMirror, startMirror } from "../helpers/mirror.ts";
import { startServer } from "../helpers/server.ts";
import { world } from "../helpers/world.ts";

const sample = await startSample();
afterAll(() => sample.close());

/** An error of this code in the one scheme, as JSON that every origin may read. */
async function expectError(response: Response, code: ErrorCode, fields: string[] = []) {
  const error = expectScheme(response.status, await response.text());
  expect(error.code).toBe(code);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(error.fields.map(({ name }) => name)).toEqual(fields);
  return error;
}

const test = base.extend("mirror", { scope: "file" }, async ({}, { onCleanup }) => {
  const mirror = await startMirror(world.snapshot);
  onCleanup(async () => {
    await mirror[Symbol.asyncDispose]();
    expect(mirror.faults).toEqual([]);
  });
  return mirror;
});

const HERO = ENDPOINTS.find(({ dataset }) => dataset === "hero")?.path ?? "";
const of = (path: string, hero: string) => path.replace("{hero_identifier}", hero);

/** A query that each endpoint answers. */
const valid = ({ path, parameters }: (typeof ENDPOINTS)[number]) => {
  const required: Record<string, string> = { lane: "lane=jungle", "match-now": "match-now=1&wr-now=50&wr-future=60" };
  const [query] = parameters.flatMap(({ name, ...rest }) => ("default" in rest ? [] : (required[name] ?? [])));
  const named = path.replace("{hero_identifier}", "3").replace("{subject}", "3275335").replace("{rank_id}", "7");
  return query && !path.includes("positions") ? `${named}?${query}` : named;
};

const INVALID: readonly [query: string, fields: string[]][] = [
  ["/api/heroes?size=0", ["size"]],
  ["/api/heroes?size=-1", ["size"]],
  ["/api/heroes?size=", ["size"]],
  ["/api/heroes?size=1.5", ["size"]],
  ["/api/heroes?size=1e3", ["size"]],
  ["/api/heroes?size=0x10", ["size"]],
  ["/api/heroes?size=ten&index=0&order=up&lang=xx", ["size", "index", "order", "lang"]],
  ["/api/heroes?size=3&size=x", ["size"]],
  ["/api/heroes?lang=EN", ["lang"]],
  ["/api/heroes?lang=%ZZ", ["lang"]],
  ["/api/heroes?order=ASC", ["order"]],
  ["/api/heroes/rank?days=2", ["days"]],
  ["/api/heroes/rank?days=07", ["days"]],
  ["/api/heroes/rank?rank=Mythic", ["rank"]],
  ["/api/heroes/rank?sort_field=name&sort_order=", ["sort_field", "sort_order"]],
  ["/api/heroes/positions?role=healer", ["role"]],
  ["/api/heroes/positions?role=tank,mage", ["role"]],
  ["/api/heroes/positions?lane=top&lane=mid&lane=bot", ["lane", "lane"]],
  ["/api/heroes/1/trends?past-days=1", ["past-days"]],
  ["/api/heroes/1/stats?rank=", ["rank"]],
  ["/api/heroes/1/counters?days=90&rank=bronze", ["days", "rank"]],
  ["/api/academy/meta/version?order=", ["order"]],
  ["/api/academy/heroes/catalog?index=%2b0", ["index"]],
  ["/api/heroes/0", ["hero_identifier"]],
  ["/api/heroes/-1", ["hero_identifier"]],
  ["/api/heroes/134", ["hero_identifier"]],
  [`/api/heroes/${"9".repeat(400)}`, ["hero_identifier"]],
  ["/api/heroes/134/stats?rank=x", ["hero_identifier", "rank"]],
  ["/api/heroes/nobody?size=0", ["size"]],
  ["/api/academy/roles?order=down", ["order"]],
  ["/api/academy/heroes?lane=top&role=x", ["role", "lane"]],
  ["/api/academy/heroes/1/builds", ["lane"]],
  ["/api/academy/heroes/1/builds?lane=", ["lane"]],
  ["/api/academy/heroes/1/builds?lane=Gold", ["lane"]],
  ["/api/academy/heroes/1/builds?lane=gold,mid", ["lane"]],
  ["/api/academy/heroes/1/builds?lane=gold&lane=top&rank=x", ["lane", "rank"]],
  ["/api/academy/heroes/134/win-rate/timeline?rank=all", ["hero_identifier", "lane"]],
  ["/api/academy/heroes/1/trends?days=1", ["days"]],
  ["/api/academy/heroes/0/lane", ["hero_identifier"]],
  ["/api/academy/ranks/0", ["rank_id"]],
  ["/api/academy/ranks/10000", ["rank_id"]],
  ["/api/academy/ranks/epic?lang=xx", ["rank_id", "lang"]],
  ["/api/academy/heroes/ratings/32753351", ["subject"]],
  ["/api/academy/heroes/ratings/stats", ["subject"]],
  ["/api/academy/heroes/ratings?lang=", ["lang"]],
  ["/api/addon/win-rate-calculator", ["match-now", "wr-now", "wr-future"]],
  ["/api/addon/win-rate-calculator?match-now=-1&wr-now=100.1&wr-future=0", ["match-now", "wr-now", "wr-future"]],
  ["/api/addon/win-rate-calculator?match-now=1.5&wr-now=NaN&wr-future=Infinity", ["match-now", "wr-now", "wr-future"]],
  [`/api/addon/win-rate-calculator?match-now=${"9".repeat(30)}&wr-now=50&wr-future=60`, ["match-now"]],
  ["/api/addon/win-rate-calculator?match-now=10&wr-now=0x10&wr-future=", ["wr-now", "wr-future"]],
];

const ABSENT = [
  "/",
  "/x",
  "/API/heroes",
  "/api/nothing",
  "/api//heroes",
  "/api/heroes/1/nothing",
  "/api/heroes/1/stats/more",
  "/api/academy",
  "/api/academy/heroes/1",
  "/api/academy/heroes/nobody/lane",
  "/api/academy/heroes/ratings/1234567",
  "/api/academy/heroes/ratings/%00%00%00%00%00%00%00",
  "/api/academy/ranks/1/more",
  "/api/academy/recommended",
  "/api/addon",
  "/api/user/info",
  "/api/user/auth/refresh",
  "/api/addon/ip",
  "/api/heroes/Rank",
  "/api/heroes/Mi",
  "/api/heroes/1.0",
  "/api/heroes/a%2Fb",
  "/api/heroes/a%2Fb/stats",
  "/api/heroes/%00",
  "/api/heroes/%ZZ",
  "/api/heroes/%E0%A4%A",
  "/api/heroes/---/stats",
  "/api/heroes/__proto__",
  "/api/heroes/constructor/counters",
  `/api/heroes/${"x".repeat(4000)}`,
];

describe("invalid parameters are 422 and each is named", () => {
  test.for(INVALID)("%s", async ([query, fields], { mirror }) => {
    const error = await expectError(await fetch(mirror.url + query), "VALIDATION_FAILED", fields);
    const [first] = error.fields;
    expect(first?.allowed).not.toBe("");
    expect(error.detail).toBe(first?.received.slice(0, 200) || `${first?.name} has no value`);
    expect(first?.in).toBe(/_identifier|_id|subject/.test(first?.name ?? "") ? "path" : "query");
  });
});

describe("a win rate that no number of wins leads to is 400", () => {
  test.for(["wr-now=50&wr-future=50", "wr-now=60&wr-future=50", "wr-now=0&wr-future=100", "wr-now=100&wr-future=100"])(
    "%s",
    async (query, { mirror }) => {
      const response = await fetch(`${mirror.url}/api/addon/win-rate-calculator?match-now=10&${query}`);
      await expectError(response, "BAD_REQUEST", ["wr-future"]);
    },
  );
});

describe("what is not there is 404", () => {
  test.for(ABSENT)("%s", async (path, { mirror }) => {
    await expectError(await fetch(mirror.url + path), "RESOURCE_NOT_FOUND");
  });

  test("a name that is nearly right comes with the closest one", async ({ mirror }) => {
    const error = await expectError(await fetch(`${mirror.url}/api/heroes/Lylia1`), "RESOURCE_NOT_FOUND");
    expect(error.hint).toContain("did you mean Lylia?");
  });
});

const OLDER_PATHS = [
  ["/api/hero-rank", "/api/heroes/rank"],
  ["/api/hero-list/", "/api/heroes"],
  ["/api/mlbb/hero-list", "/api/heroes"],
  ["/api/hero-position", "/api/heroes/positions"],
  ["/api/hero-detail/17", "/api/heroes/17"],
  ["/api/hero-detail/17/", "/api/heroes/17"],
  ["/api/hero-detail-stats/Yi%20Sun-shin", "/api/heroes/Yi%20Sun-shin/stats"],
  ["/api/hero-skill-combo/1", "/api/heroes/1/skill-combos"],
  ["/api/mlbb/hero-rate/miya/", "/api/heroes/miya/trends"],
  ["/api/hero-relation/1", "/api/heroes/1/relations"],
  ["/api/hero-counter/1", "/api/heroes/1/counters"],
  ["/api/hero-compatibility/1", "/api/heroes/1/compatibility"],
] as const;

const NOT_MIRRORED = [
  ["/api/heroes/wallpapers", "wallpapers"],
  ["/api/heroes/wallpapers/", "wallpapers"],
  ["/api/heroes/1/wallpapers", "wallpapers"],
  ["/api/esports/standings", "esports"],
  ["/api/user/stats", "player data"],
  ["/api/user/auth/refresh", "player data"],
  ["/api/region/11", "regions"],
  ["/api/academy/recommended", "user-made guides"],
  ["/api/addon/ip", "tools besides the calculator"],
] as const;

/** Paths that only look like one of those. */
const PLAIN = [
  "/api/nothing",
  "/api/hero-ranks",
  "/api/esportsmen",
  "/api/hero-detail/1/stats",
  `/api/hero-detail/${"x".repeat(201)}`,
  "/api/mlbb/heroes",
  "/x/api/hero-rank",
];

describe("the hint of a 404", () => {
  const hintOf = async (mirror: RunningMirror, path: string) =>
    (await expectError(await fetch(mirror.url + path), "RESOURCE_NOT_FOUND")).hint;

  test.for(OLDER_PATHS)("of %s, an older path, names %s", async ([path, today], { mirror }) => {
    expect(await hintOf(mirror, path)).toBe(`This path is now ${today}; GET /api/ lists every endpoint.`);
    expect((await fetch(mirror.url + today)).status).toBe(200);
  });

  test("of an older path without its hero names the template", async ({ mirror }) => {
    expect(await hintOf(mirror, "/api/hero-detail")).toContain(` ${HERO}; `);
  });

  test.for(NOT_MIRRORED)("of %s says that %s are not mirrored", async ([path, what], { mirror }) => {
    const hint = `Routes of the upstream for ${what} are not mirrored; GET /api/ lists those that are.`;
    expect(await hintOf(mirror, path)).toBe(hint);
  });

  test.for(PLAIN)("of %s names the index", async (path, { mirror }) => {
    expect(await hintOf(mirror, path)).toBe("GET /api/ lists every endpoint.");
  });

  test.for([
    ["ミヤ", 1, "Miya", "ja"],
    ["  МИЯ!", 1, "Miya", "ru"],
    ["娜娜", 5, "Nana", "zh-CN"],
    ["嫦娥", 61, "Chang'e", "ja"],
  ] as const)("of %s, which finds hero %i as %s in %s, says so", async ([name, id, hero, lang], { mirror }) => {
    for (const asked of ["", "lang=de&"]) {
      const path = `/api/heroes/${encodeURIComponent(name)}?${asked}`;
      expect(await hintOf(mirror, path)).toBe(`this is the name of ${hero} in ${lang}: add lang=${lang}`);
      const found = await (await fetch(`${mirror.url}${path}lang=${lang}`)).json();
      expect(readPath(found, "data.records.0.data.hero_id")).toBe(id);
    }
  });

  test("of a name that is nearly right in another language is the nearest name of those that are asked", async ({
    mirror,
  }) => {
    expect(await hintOf(mirror, `/api/heroes/${encodeURIComponent("Бальмон")}?lang=ru`)).toMatch(
      /^did you mean Бальмонд\?/,
    );
    expect(await hintOf(mirror, `/api/heroes/${encodeURIComponent("Бальмон")}`)).toMatch(
      /^did you mean [A-Za-z' -]+\?/,
    );
  });
});

test("the upstream refuses the same, with the same code and parameters", async ({ mirror }) => {
  const refusalOf = async (url: string) => {
    const { error } = (await (await fetch(url)).json()) as { error: { code: string; fields: InvalidField[] } };
    const parameters = new Set(error.fields.flatMap((field) => (field.in === "query" ? [field.name] : [])));
    return [error.code, ...[...parameters].sort()];
  };
  // An account is the upstream's alone.
  const named = [...OLDER_PATHS, ...NOT_MIRRORED].map(([path]) => path);
  const paths = [...INVALID.map(([query]) => query), ...ABSENT, ...named].filter((path) => path !== "/api/user/info");
  for (const path of paths)
    expect([path, ...(await refusalOf(mirror.url + path))]).toEqual([path, ...(await refusalOf(sample.url + path))]);
});

describe("another method on a known path is 405 with Allow", () => {
  const paths = [...ENDPOINTS.map(valid), "/api", "/api/", "/api/openapi.json", `${of(HERO, "miya")}/`];
  test.for(paths.flatMap((path) => ["POST", "PUT", "DELETE", "PATCH"].map((method) => [method, path] as const)))(
    "%s %s",
    async ([method, path], { mirror }) => {
      const response = await fetch(mirror.url + path, { method });
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      await expectError(response, "METHOD_NOT_ALLOWED");
    },
  );

  test.for(["send-vc", "login", "logout"])("GET /api/user/auth/%s", async (name, { mirror }) => {
    const response = await fetch(`${mirror.url}/api/user/auth/${name}`);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    await expectError(response, "METHOD_NOT_ALLOWED");
  });

  test("another method on an unknown path is 404", async ({ mirror }) => {
    await expectError(await fetch(`${mirror.url}/api/nothing`, { method: "DELETE" }), "RESOURCE_NOT_FOUND");
  });
});

describe("what a mirror answers besides", () => {
  test.for(ENDPOINTS.map(valid))("HEAD %s has the headers of GET and no body", async (path, { mirror }) => {
    const head = await fetch(mirror.url + path, { method: "HEAD" });
    const get = await fetch(mirror.url + path);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(head.headers.get("x-snapshot-version")).toBe(get.headers.get("x-snapshot-version"));
  });

  test("a preflight is answered for any origin", async ({ mirror }) => {
    const headers = { origin: "https://a.example", "access-control-request-headers": "authorization" };
    const response = await fetch(`${mirror.url}/api/user/auth/login`, { method: "OPTIONS", headers });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("POST, OPTIONS");
    expect(response.headers.get("access-control-allow-headers")).toBe("authorization");
  });

  test("every origin may read answers and errors, and all get the same one", async ({ mirror }) => {
    for (const path of ["/api/heroes", "/api/nothing", "/api/heroes?size=0"]) {
      const response = await fetch(mirror.url + path, { headers: { origin: "https://a.example" } });
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("vary") ?? "").not.toContain("Origin");
    }
  });

  test.for(["/api/heroes/", "/api/heroes/miya/", "/api/heroes/miya/stats/", "/api/academy/meta/version/"])(
    "%s answers like the form without the slash",
    async (path, { mirror }) => {
      const [slash, plain] = await Promise.all([fetch(mirror.url + path), fetch(mirror.url + path.slice(0, -1))]);
      expect(slash.status).toBe(200);
      expect(await slash.text()).toBe(await plain.text());
    },
  );

  test("past the end is an empty page with the true total", async ({ mirror }) => {
    for (const [query, total] of [
      ["/api/heroes?index=8", 133],
      ["/api/heroes/1?index=2", 1],
      [`/api/heroes/1/stats?index=${"9".repeat(40)}&size=${"9".repeat(40)}`, 1],
    ] as const) {
      const body = (await (await fetch(mirror.url + query)).json()) as { data: unknown };
      expect(body.data).toEqual({ records: [], total });
    }
  });
});

describe("login calls", () => {
  const login = (mirror: RunningMirror, init: RequestInit = {}) =>
    fetch(`${mirror.url}/api/user/auth/login`, { method: "POST", body: "{}", ...init });

  test("without an upstream they are 503", async ({ mirror }) => {
    await expectError(await login(mirror), "UPSTREAM_NOT_CONFIGURED");
  });

  test("with an upstream that is down they are 502", async () => {
    await using mirror = await startMirror(world.snapshot, { upstream: "http://127.0.0.1:9" });
    await expectError(await login(mirror), "UPSTREAM_UNREACHABLE");
  });

  test("with an upstream that redirects they are 502 and nothing follows", async () => {
    await using upstream = await startServer((_, res) => res.writeHead(307, { location: "http://127.0.0.1:9/" }).end());
    await using mirror = await startMirror(world.snapshot, { upstream: upstream.url });
    await expectError(await login(mirror), "UPSTREAM_UNREACHABLE");
  });

  test("with an upstream that hangs they are 504", async () => {
    await using upstream = await startServer(() => undefined);
    await using mirror = await startMirror(world.snapshot, { upstream: upstream.url, authTimeoutMs: 100 });
    await expectError(await login(mirror), "UPSTREAM_TIMEOUT");
  });

  test("with a body over the limit they are 413, declared or chunked", async () => {
    await using mirror = await startMirror(world.snapshot, { upstream: sample.url });
    await expectError(await login(mirror, { body: "x".repeat(20_000) }), "PAYLOAD_TOO_LARGE");
    const chunks = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 20; n += 1) controller.enqueue(new TextEncoder().encode("x".repeat(1000)));
        controller.close();
      },
    });
    const streamed = { body: chunks, duplex: "half" } as RequestInit;
    await expectError(await login(mirror, streamed), "PAYLOAD_TOO_LARGE");
  });

  test("over the rate of one client they are 429 with Retry-After", async () => {
    await using mirror = await startMirror(world.snapshot, { upstream: sample.url, authRate: 3 });
    for (let n = 0; n < 3; n += 1) expect((await login(mirror)).status).not.toBe(429);
    const refused = await login(mirror);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await expectError(refused, "RATE_LIMITED");
  });
});

describe("a fault of our own", () => {
  base("is 500, says nothing of the inside, and is told to the operator", async () => {
    const { createMirror } = await import("../../src/server/compose.ts");
    const { createAdminRoutes } = await import("../../src/server/operate/admin.ts");
    const { createActiveSnapshot } = await import("../../src/server/reload/active-snapshot.ts");
    const { openSnapshot } = await import("../../src/snapshot/read/snapshot.ts");
    const snapshot = openSnapshot(world.snapshot);
    const faults: unknown[] = [];
    const active = createActiveSnapshot({
      snapshot: {
        ...snapshot,
        page: () => {
          throw new Error("secret path /etc/x.ts");
        },
      },
    });
    const { app } = createMirror({
      data: "/nowhere",
      active,
      admin: createAdminRoutes({ status: active }),
      auth: () => Promise.reject(new Error("secret")),
      onInternalError: (error) => void faults.push(error),
    });
    await expectError(await app.request("/api/heroes/1"), "INTERNAL_ERROR");
    await expectError(await app.request("/api/user/auth/login", { method: "POST" }), "INTERNAL_ERROR");
    expect(faults).toHaveLength(2);
    snapshot.close();
  });
});

base("raw nonsense on the socket does not stop the server", async () => {
  await using mirror = await startMirror(world.snapshot);
  const { port } = new URL(mirror.url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write("\0\u0001 nonsense\r\n\r\n"));
    socket
      .on("close", () => resolve())
      .on("error", () => {})
      .resume();
  });
  expect((await fetch(`${mirror.url}/api/heroes?size=1`)).status).toBe(200);
});
