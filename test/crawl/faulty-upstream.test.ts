import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { setUpBench } from "../helpers/faulty-upstream/bench.ts";
import { BODIES, startPlainTarget } from "../helpers/faulty-upstream/plain-target.ts";
import { ask, call, type Raw, unchunk } from "../helpers/faulty-upstream/raw-client.ts";
import { REPLIES } from "../helpers/faulty-upstream/replies.ts";
import { WIRE } from "../helpers/faulty-upstream/wire.ts";
import { startFaultyUpstream } from "../helpers/upstream/faulty-upstream.ts";

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding"]);
const LIST = Buffer.from(BODIES["/list"] ?? "");
const HALF = LIST.subarray(0, LIST.length >> 1);
const CLOSE = "connection: close";

const { target, upstream, tried, arm, meet, miss } = await setUpBench();

const parse = ({ body }: Raw) => JSON.parse(body.toString());
const endToEnd = ({ headers }: Raw) => headers.filter(([name]) => !HOP_BY_HOP.has(name));

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise(setImmediate);
}

describe("pass-through", () => {
  test.for(["/list", "/one", "/odd", "/empty", "/chunked", "/nowhere"])("%s, byte by byte", async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const [theirs, ours] = await Promise.all([ask(target.url, path, method), ask(upstream.url, path, method)]);
      const content = (raw: Raw) =>
        method === "GET" && raw.header("transfer-encoding") ? unchunk(raw.body) : raw.body;
      expect(ours.line).toBe(theirs.line);
      expect(endToEnd(ours)).toEqual(endToEnd(theirs));
      expect(content(ours)).toEqual(content(theirs));
    }
  });

  test("a request with its body and headers", async () => {
    const lines = [CLOSE, "Authorization: Bearer x", "content-length: 5"];
    const raw = await ask(upstream.url, "/echo", "POST", lines, "h\u00e9\u00e9");
    expect(raw.header("x-authorization")).toBe("Bearer x");
    expect(unchunk(raw.body).toString()).toBe("h\u00e9\u00e9");
  });

  test("accept-encoding, but not where the body is to be changed", async () => {
    const lines = [CLOSE, "accept-encoding: gzip"];
    await ask(upstream.url, "/list", "GET", lines);
    expect(target.seen.acceptEncoding).toBe("gzip");
    arm("wrong-type");
    await ask(upstream.url, "/list", "GET", lines);
    expect(target.seen.acceptEncoding).toBeUndefined();
  });

  test("a connection stays open after an answer, right or wrong", async () => {
    upstream.rules = [{ fault: "rate-limited", times: 1 }];
    const { socket, received, more, done } = call(upstream.url, "/list", "GET", []);
    while (!received().includes('Too Many Requests"')) await more();
    socket.write(`GET /list HTTP/1.1\r\nhost: upstream\r\n${CLOSE}\r\n\r\n`);
    expect((await done).bytes.toString()).toMatch(/^HTTP\/1\.1 429 .*HTTP\/1\.1 200 OK\r\n/s);
  });

  test("a dead target is a dead upstream", async () => {
    const other = await startPlainTarget();
    await using dead = await startFaultyUpstream(other.url);
    await other.close();
    expect((await ask(dead.url, "/list")).bytes).toHaveLength(0);
    expect(dead.counts()).toEqual({});
  });
});

describe("answers in place of the target's", () => {
  test.for([
    ["rate-limited", {}, 429, { detail: "Too Many Requests" }, { "retry-after": "1" }],
    ["rate-limited", { retryAfter: 30 }, 429, { detail: "Too Many Requests" }, { "retry-after": "30" }],
    ["limited", {}, 503, { status: "error", details: { alternative_endpoint: "http://backup.invalid" } }, {}],
    ["limited", { alternative: "http://b:1" }, 503, { details: { alternative_endpoint: "http://b:1" } }, {}],
    ["maintenance", { retryAfter: 5 }, 503, { status: "error", code: "MAINTENANCE" }, { "retry-after": "5" }],
    ["redirect", {}, 307, {}, { location: "http://backup.invalid/list" }],
    ["redirect", { location: "http://b:1/p/" }, 307, {}, { location: "http://b:1/p/list" }],
    ["server-error", {}, 500, { detail: "Internal Server Error" }, {}],
    ["error-code", {}, 200, { code: 500, message: "failed", data: null }, {}],
    ["error-code", { code: -1 }, 200, { code: -1, message: "failed", data: null }, {}],
    ["not-found", {}, 404, { detail: "Not Found" }, {}],
  ] as const)("%s %j", async ([fault, knobs, status, body, headers]) => {
    const before = target.seen.requests;
    const raw = await meet(fault, "/list", knobs);
    expect(raw).toMatchObject({ status, error: undefined });
    expect(Object.fromEntries(raw.headers)).toMatchObject({ "content-type": "application/json", ...headers });
    expect(parse(raw)).toMatchObject(body);
    expect(raw.header("content-length")).toBe(String(raw.body.length));
    expect(target.seen.requests).toBe(before);
  });

  test.for(["limited", "maintenance"] as const)("%s has the whole error scheme", async (fault) => {
    const raw = await meet(fault);
    expect(Object.keys(parse(raw))).toEqual(["status", "code", "message", "timestamp", "support", "details"]);
    expect(raw.header("retry-after")).toBeUndefined();
  });

  test("rate-limited-date, in HTTP's own form and not before its time", async () => {
    const earliest = Date.now() + 60_000;
    const raw = await meet("rate-limited-date", "/list", { retryAfter: 60 });
    const date = raw.header("retry-after") ?? "";
    expect(raw.status).toBe(429);
    expect(date).toMatch(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/);
    expect(Date.parse(date)).toBeGreaterThanOrEqual(earliest);
  });

  test.for([
    ["blocked", 405],
    ["bad-gateway", 502],
    ["html-200", 200],
  ] as const)("%s is a page", async ([fault, status]) => {
    const raw = await meet(fault);
    expect(raw.status).toBe(status);
    expect(raw.header("content-type")).toBe("text/html; charset=utf-8");
    expect(raw.body.toString()).toMatch(/^<!doctype html>/);
  });
});

describe("damage on the wire", () => {
  test("truncated: half of what content-length promises", async () => {
    const raw = await meet("truncated");
    expect(raw).toMatchObject({ status: 200, body: HALF, error: undefined });
    expect(raw.header("content-length")).toBe(String(LIST.length));
  });

  test("truncated-json: half of the body, and content-length says so", async () => {
    const raw = await meet("truncated-json");
    expect(raw).toMatchObject({ status: 200, body: HALF });
    expect(raw.header("content-length")).toBe(String(HALF.length));
  });

  test("oversized: more than was asked for, in chunks", async () => {
    const raw = await meet("oversized", "/list", { megabytes: 2 });
    const body = unchunk(raw.body);
    expect(raw.header("content-length")).toBeUndefined();
    expect(body.length).toBeGreaterThan(2 * 2 ** 20);
    expect(JSON.parse(body.toString())).toMatchObject({ code: 0, data: { total: 1 } });
  });

  test("oversized: a client may leave in the middle", async () => {
    arm("oversized");
    const { socket, more, received } = call(upstream.url, "/list");
    while (received().length < 2 ** 20) await more();
    socket.destroy();
    expect((await meet("not-found")).status).toBe(404);
  });

  test("reset: not a byte, and no orderly end", async () => {
    expect(await meet("reset")).toMatchObject({ bytes: Buffer.alloc(0), error: "ECONNRESET" });
  });

  test("reset: in mid-headers", async () => {
    const { bytes } = await meet("reset", "/list", { at: "headers" });
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json\r\n[^\r]+$/);
  });

  test("hang: nothing until the client gives up, and then the end", async () => {
    arm("hang");
    const { socket, received, done } = call(upstream.url, "/list", "GET", []);
    await until(() => upstream.counts().hang === 1);
    upstream.rules = [];
    await ask(upstream.url, "/list");
    expect(upstream.maxInFlight()).toBe(2);
    expect(received()).toHaveLength(0);
    socket.end();
    expect((await done).bytes).toHaveLength(0);
    upstream.reset();
    await ask(upstream.url, "/list");
    expect(upstream.maxInFlight()).toBe(1);
  });

  test("slow-drip: the first byte comes long before the others", async () => {
    arm("slow-drip", { delay: 40 });
    const { socket, received, more } = call(upstream.url, "/list");
    const body = () => received().toString("latin1").split("\r\n\r\n")[1] ?? "";
    while (body() === "") await more();
    socket.destroy();
    expect(body().length).toBeLessThan(LIST.length);
  });

  test("slow-drip: the whole body in the end", async () => {
    const raw = await meet("slow-drip", "/none", { delay: 0 });
    expect(raw.body.toString()).toBe(BODIES["/none"]);
    expect(raw.header("content-length")).toBe(String(raw.body.length));
  });

  test("gzip: unasked, and right", async () => {
    const raw = await meet("gzip");
    expect(raw.header("content-encoding")).toBe("gzip");
    expect(raw.header("content-length")).toBe(String(raw.body.length));
    expect(gunzipSync(raw.body)).toEqual(LIST);
  });

  test("gzip-broken: no reader accepts it", async () => {
    const raw = await meet("gzip-broken");
    expect(raw.header("content-encoding")).toBe("gzip");
    expect(raw.body.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
    expect(() => gunzipSync(raw.body)).toThrow();
  });

  test("wrong-type: the right body", async () => {
    const raw = await meet("wrong-type");
    expect(raw.headers.filter(([name]) => name === "content-type")).toEqual([["content-type", "text/plain"]]);
    expect(raw.body).toEqual(LIST);
  });

  test.for([
    [{}, "application/json", ["application/json", "application/json"]],
    [{ value: "text/html" }, "application/json", ["application/json", "text/html"]],
    [{ name: "retry-after", value: "1" }, undefined, ["1", "1"]],
  ] as const)("duplicate-header %j", async ([knobs, , values]) => {
    const raw = await meet("duplicate-header", "/list", knobs);
    const name = "name" in knobs ? knobs.name : "content-type";
    expect(raw.headers.filter(([own]) => own === name).map(([, value]) => value)).toEqual(values);
    expect(raw.body).toEqual(LIST);
  });

  test("huge-headers: over the right body", async () => {
    const raw = await meet("huge-headers");
    expect(raw.bytes.length - raw.body.length).toBeGreaterThan(2 ** 16);
    expect(raw.body).toEqual(LIST);
  });

  test("chunked-garbage: good until the half", async () => {
    const raw = await meet("chunked-garbage");
    expect(raw.header("transfer-encoding")).toBe("chunked");
    expect(raw.body.subarray(0, HALF.length + 10).includes(HALF)).toBe(true);
    expect(() => unchunk(raw.body)).toThrow("no-size");
  });

  test("an empty answer cannot be damaged", async () => {
    for (const fault of ["truncated", "gzip", "chunked-garbage"] as const) await miss(fault, "/empty");
  });
});

test("all of these faults were met", () => {
  expect([...tried].sort()).toEqual([...Object.keys(REPLIES), ...Object.keys(WIRE)].sort());
});
