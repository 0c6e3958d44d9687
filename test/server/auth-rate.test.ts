import { describe, expect, test } from "vitest";
import { createClientIp, parseTrustedProxies } from "../../src/server/http/client-ip.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import { createCallLimiter } from "../../src/server/routes/auth.ts";
import { startMirror } from "../helpers/mirror.ts";
import { startServer } from "../helpers/server.ts";
import { world } from "../helpers/world.ts";

describe("who calls", () => {
  const PEER = "10.0.0.9";
  const cases: [why: string, trust: string, peer: string, forwarded: string | null, client: string][] = [
    ["nobody is believed", "0", PEER, "1.1.1.1", PEER],
    ["one hop writes the last address", "1", PEER, "6.6.6.6, 1.1.1.1", "1.1.1.1"],
    ["two hops", "2", PEER, "6.6.6.6, 1.1.1.1, 10.0.0.8", "1.1.1.1"],
    ["more hops than addresses", "9", PEER, "1.1.1.1", "1.1.1.1"],
    ["one hop that wrote nothing", "1", PEER, null, PEER],
    ["one hop that wrote nonsense", "1", PEER, "1.1.1.1, unknown", PEER],
    ["a range", "10.0.0.0/8", PEER, "6.6.6.6, 1.1.1.1, 10.1.2.3", "1.1.1.1"],
    ["a range, but another peer", "10.0.0.0/8", "9.9.9.9", "1.1.1.1", "9.9.9.9"],
    ["an address", "10.0.0.9", PEER, "1.1.1.1", "1.1.1.1"],
    ["several", "10.0.0.9, 10.0.0.8,::1", PEER, "1.1.1.1, 10.0.0.8", "1.1.1.1"],
    ["everybody of the range", "10.0.0.0/8", PEER, "10.0.0.7", "10.0.0.7"],
    ["a peer of version 4 seen as version 6", "10.0.0.0/8", "::ffff:10.0.0.9", "1.1.1.1", "1.1.1.1"],
    ["a range of version 6", "fd00::/8", "fd00::1", "2001:db8::1", "2001:db8::"],
    ["all of one network of version 6", "0", "2001:db8:1:2:aaaa:bbbb:cccc:dddd", null, "2001:db8:1:2::"],
    ["an address with its port", "1", PEER, "1.1.1.1:4711", "1.1.1.1"],
    ["an address of version 6 with its port", "1", PEER, "[2001:db8::1]:4711", "2001:db8::"],
    ["short forms are no addresses", "1", PEER, "1", PEER],
    ["a peer that is gone", "1", "", "1.1.1.1", "unknown"],
  ];
  test.for(cases)("%s", ([, trust, peer, forwarded, client]) => {
    const parsed = parseTrustedProxies(trust);
    expect(parsed?.text).toBe(trust);
    expect(createClientIp(parsed)(peer, forwarded)).toBe(client);
  });

  test.for(["", "x", "-1", "1.5", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0", "1,2", "10.0.0.0/8,", "::/129"])(
    "%j names no proxy",
    (text) => expect(parseTrustedProxies(text)).toBeUndefined(),
  );
});

describe("the limiter", () => {
  test("admits so many a minute, each client for itself, and says how long to wait", () => {
    let now = 0;
    const limit = createCallLimiter(2, () => now);
    expect(["a", "a", "b", "a", "b", "b"].map(limit)).toEqual([0, 0, 0, 60, 0, 60]);
    now = 59_500;
    expect(limit("a")).toBe(1);
    now = 60_000;
    expect(limit("a")).toBe(0);
  });

  test("forgets the client that has been silent longest when there are too many, and nobody else", () => {
    const limit = createCallLimiter(1, () => 0);
    limit("early");
    for (let n = 1; n < LIMITS.rateLimitedClients; n += 1) limit(`client ${n}`);
    expect(limit("early")).toBe(60);
    limit("one more");
    expect(limit("early")).toBe(60);
    expect(limit("client 1")).toBe(0);
    expect(limit("client 3")).toBe(60);
  });
});

describe("the rate of login calls", () => {
  const call = async (url: string, forwarded: string) => {
    const headers = { "x-forwarded-for": forwarded };
    return (await fetch(`${url}/api/user/auth/send-vc`, { method: "POST", headers })).status;
  };

  test("is not escaped by inventing an address, nor by another route", async () => {
    await using upstream = await startServer((_, res) => void res.end("{}"));
    await using mirror = await startMirror(world.snapshot, { upstream: upstream.url, authRate: 3 });
    const answers = [];
    for (const n of [1, 2, 3, 4, 5]) answers.push(await call(mirror.url, `1.1.1.${n}`));
    expect(answers).toEqual([200, 200, 200, 429, 429]);
    expect((await fetch(`${mirror.url}/api/user/auth/login`, { method: "POST" })).status).toBe(429);
    expect(upstream.seen).toHaveLength(3);
  });

  test("is each client's own behind a proxy that is believed", async () => {
    await using upstream = await startServer((_, res) => void res.end("{}"));
    const options = { upstream: upstream.url, authRate: 2, trustProxy: parseTrustedProxies("127.0.0.0/8") };
    await using mirror = await startMirror(world.snapshot, options);
    const answers = [];
    for (const client of ["1.1.1.1", "1.1.1.1", "1.1.1.1", "2.2.2.2", "6.6.6.6, 1.1.1.1"])
      answers.push(await call(mirror.url, client));
    expect(answers).toEqual([200, 200, 429, 200, 429]);
  });

  test("is 60 a minute unless told otherwise", async () => {
    await using upstream = await startServer((_, res) => void res.end("{}"));
    await using mirror = await startMirror(world.snapshot, { upstream: upstream.url });
    const answers = await Promise.all(Array.from({ length: 70 }, (_, n) => call(mirror.url, `1.1.1.${n}`)));
    expect(answers.filter((status) => status === 200)).toHaveLength(60);
    expect(answers.filter((status) => status === 429)).toHaveLength(10);
  });
});
