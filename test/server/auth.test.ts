import type { RequestListener } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import type { ErrorCode } from "../../src/api/errors.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import { fileOf } from "../helpers/data-folder.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { fewNights } from "../helpers/few-nights.ts";
import { startMirror } from "../helpers/mirror.ts";
import { converse, parseAnswers } from "../helpers/raw.ts";
import { startServe } from "../helpers/served.ts";
import { startServer } from "../helpers/server.ts";

const SNAPSHOT = fileOf(fewNights.data);

const LOGIN = "/api/user/auth/login";
const MIB = 1024 * 1024;
const CREDENTIALS = JSON.stringify({ role_id: 1, zone_id: 2, vc: "123456" });

/** A mirror in front of an upstream that answers so. */
async function through(answer: RequestListener, options: { authTimeoutMs?: number } = {}) {
  const upstream = await startServer(answer);
  const mirror = await startMirror(SNAPSHOT, { upstream: upstream.url, authRate: 1000, ...options });
  return {
    url: mirror.url,
    seen: upstream.seen,
    login: (init: RequestInit = {}) =>
      fetch(mirror.url + LOGIN, { method: "POST", body: CREDENTIALS, redirect: "manual", ...init }),
    async [Symbol.asyncDispose]() {
      await mirror[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

async function expectRefused(response: Response, code: ErrorCode) {
  const error = expectScheme(response.status, await response.text());
  expect(error.code).toBe(code);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return error;
}

describe("an upstream in trouble", () => {
  test("a slow one is waited for, and its answer comes whole", async () => {
    await using way = await through(async (_, res) => {
      res.writeHead(200, { "content-type": "application/json" });
      for (const piece of ['{"co', 'de":', "0}"]) {
        res.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      res.end();
    });
    expect(await (await way.login()).text()).toBe('{"code":0}');
  });

  test.concurrent.for<[string, RequestListener]>([
    ["says nothing", () => {}],
    ["stops after the head", (_, res) => void res.writeHead(200, { "content-length": "9" }).write("{")],
    ["drips for ever", (_, res) => void Readable.from(drip()).pipe(res)],
  ])("one that %s is a timeout, asked once", async ([, answer], { expect }) => {
    await using way = await through(answer, { authTimeoutMs: 400 });
    await expectRefused(await way.login(), "UPSTREAM_TIMEOUT");
    expect(way.seen).toHaveLength(1);
  });

  test.for<[string, RequestListener]>([
    ["closes at once", (req) => void req.socket.destroy()],
    [
      "closes half-way through the body",
      (_, res) => {
        res.writeHead(200, { "content-length": "100" });
        res.write("half", () => res.destroy());
      },
    ],
    ["closes half-way through a chunked body", (_, res) => void res.write("half", () => res.destroy())],
    ["answers something that is not HTTP", (req) => void req.socket.end("hello\r\n\r\n")],
    [
      "repeats the length of its body",
      (req) => void req.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}"),
    ],
    ["sends a head without end", (req) => void req.socket.write(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(MIB)}`)],
    [
      "has an invalid content type",
      (req) => void req.socket.end("HTTP/1.1 200 OK\r\ncontent-type: a\u0001b\r\ncontent-length: 2\r\n\r\n{}"),
    ],
  ])("one that %s is unreachable, asked once", async ([, answer]) => {
    await using way = await through(answer);
    await expectRefused(await way.login(), "UPSTREAM_UNREACHABLE");
    expect(way.seen).toHaveLength(1);
  });

  test.for([500, 400, 401, 429, 503])("its own %i is passed on as it is", async (status) => {
    const body = '{"status":"error","code":"MAINTENANCE"}\n';
    const headers = { "content-type": "application/problem+json", "retry-after": "7" };
    await using way = await through((_, res) => void res.writeHead(status, headers).end(body));
    const response = await way.login();
    expect([response.status, await response.text()]).toEqual([status, body]);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("retry-after")).toBe("7");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(way.seen).toHaveLength(1);
  });

  test("a 204 is passed on without a length", async () => {
    await using way = await through((_, res) => void res.writeHead(204).end());
    const { status, headers } = await way.login();
    expect([status, headers.get("content-length")]).toEqual([204, null]);
  });

  const types: [sent: string[], received: string][] = [
    [["text/html"], "application/octet-stream"],
    [["image/svg+xml; charset=utf-8"], "application/octet-stream"],
    [["application/json, text/html"], "application/octet-stream"],
    [["application/json;a=b, text/html"], "application/octet-stream"],
    [["application/jsonp"], "application/octet-stream"],
    [["text/plain-html"], "application/octet-stream"],
    [[], "application/octet-stream"],
    [["application/json; charset=utf-8"], "application/json; charset=utf-8"],
    [["Application/Problem+JSON"], "Application/Problem+JSON"],
    [["text/plain"], "text/plain"],
  ];
  test.for(types)("what comes as %j is nothing that a browser runs on this origin", async ([sent, received]) => {
    const page = "<script>document.title = 'run'</script>";
    const type = sent.flatMap((value) => ["content-type", value]);
    await using way = await through((_, res) => void res.writeHead(405, type).end(page));
    const response = await way.login();
    const { headers } = response;
    expect([response.status, headers.get("content-type"), await response.text()]).toEqual([405, received, page]);
    expect(headers.get("content-disposition")).toBe(received === sent[0] ? null : "attachment");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test.for([301, 302, 303, 307, 308])("credentials do not follow a %i to another host", async (status) => {
    await using other = await startServer((_, res) => void res.end('{"code":0}'));
    await using way = await through((_, res) => void res.writeHead(status, { location: other.url + LOGIN }).end());
    const response = await way.login({ headers: { authorization: "Bearer secret" } });
    const { message, hint } = await expectRefused(response, "UPSTREAM_UNREACHABLE");
    expect(message).toMatch(/sends login calls elsewhere/);
    expect(hint).toMatch(/--upstream/);
    expect(response.headers.get("location")).toBeNull();
    expect(way.seen).toHaveLength(1);
    expect(other.seen).toEqual([]);
  });

  test("an answer without end is cut, not gathered", async () => {
    let closed = false;
    let sent = 0;
    await using way = await through((_, res) => {
      res.once("close", () => {
        closed = true;
      });
      const chunk = Buffer.alloc(MIB);
      const more = () => {
        while (sent < 1000 * MIB && !res.destroyed) {
          sent += chunk.length;
          if (!res.write(chunk)) return;
        }
      };
      res.on("drain", more);
      more();
    });
    const { message } = await expectRefused(await way.login(), "UPSTREAM_UNREACHABLE");
    expect(message).toMatch(/too large/);
    await expect.poll(() => closed).toBe(true);
    expect(sent).toBeLessThan(100 * MIB);
  });
});

async function* drip() {
  for (;;) {
    yield "x";
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const OK: RequestListener = (_, res) =>
  void res.writeHead(200, { "content-type": "application/json" }).end('{"code":0}');

describe("what reaches the upstream", () => {
  test("a chunked body arrives as the same bytes, with a length", async () => {
    await using way = await through(OK);
    const pieces = [Buffer.from([0, 255]), Buffer.from("\r\n"), Buffer.from([7])];
    const init = { body: ReadableStream.from(pieces), duplex: "half" } as RequestInit;
    expect((await way.login(init)).status).toBe(200);
    expect(way.seen[0]?.body).toEqual(Buffer.concat(pieces));
    expect(way.seen[0]?.headers["transfer-encoding"]).toBeUndefined();
    expect(way.seen[0]?.headers["content-length"]).toBe("5");
  });

  test.for(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x/y"])(
    "the content type %s is the upstream's business",
    async (type) => {
      await using way = await through(OK);
      await way.login({ headers: { "content-type": type } });
      expect(way.seen[0]).toMatchObject({ body: Buffer.from(CREDENTIALS), headers: { "content-type": type } });
    },
  );

  test("nothing of the client but the allowed headers", async () => {
    await using way = await through(OK);
    const names = [
      "cookie",
      "x-forwarded-for",
      "x-real-ip",
      "forwarded",
      "x-request-id",
      "proxy-authorization",
      "x-any",
    ];
    const headers = Object.fromEntries(names.map((name) => [name, "1"]));
    await way.login({ headers: { ...headers, authorization: "bearer t", accept: "x/y", "accept-language": "ja" } });
    for (const name of names) expect(way.seen[0]?.headers[name]).toBeUndefined();
    expect(way.seen[0]?.headers).toMatchObject({ authorization: "bearer t", accept: "x/y", "accept-language": "ja" });
  });

  const POST = `POST ${LOGIN} HTTP/1.1\r\nhost: x\r\n`;
  test.for<[string, string]>([
    ["a length and chunks", "content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET / "],
    ["chunks and a length", "transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n0\r\n\r\n"],
    ["two lengths", "content-length: 2\r\ncontent-length: 3\r\n\r\n{}"],
    ["the same length twice", "content-length: 2\r\ncontent-length: 2\r\n\r\n{}"],
    ["a list of lengths", "content-length: 2, 2\r\n\r\n{}"],
    ["a length with a sign", "content-length: +2\r\n\r\n{}"],
    ["a length below zero", "content-length: -2\r\n\r\n{}"],
    ["a folded header", "content-type: a\r\n b\r\ncontent-length: 2\r\n\r\n{}"],
    ["a bare line feed after a header", "x: y\ncontent-length: 2\r\n\r\n{}"],
    ["a bare carriage return in a header", "x: y\rz: 1\r\ncontent-length: 2\r\n\r\n{}"],
    ["a NUL in a header", "x: y\0z\r\ncontent-length: 2\r\n\r\n{}"],
    ["a space before the colon", "content-length : 2\r\n\r\n{}"],
    ["an encoding that is nearly chunked", "transfer-encoding: xchunked\r\n\r\n0\r\n\r\n"],
    ["chunked, but not last", "transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n"],
    ["chunked twice", "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
    ["a chunk size that is none", "transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"],
    ["chunks with bare line feeds", "transfer-encoding: chunked\r\n\r\n2\n{}\n0\n\n"],
    ["a chunk size beyond numbers", "transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}\r\n"],
    ["two hosts", "host: y\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"],
    [
      "two tokens",
      "authorization: Bearer a\r\nauthorization: Bearer b\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}",
    ],
    ["two content types", "content-type: a/b\r\nContent-Type: c/d\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}"],
  ])("%s is one 400, and the upstream hears nothing", async ([, rest]) => {
    await using way = await through(OK);
    const smuggled = `POST ${LOGIN} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`;
    const answers = parseAnswers(await converse(way.url, [POST + rest + smuggled]));
    expect(answers).toHaveLength(1);
    const { code } = expectScheme(answers[0]?.status ?? 0, answers[0]?.body ?? "");
    expect(code).toBe("BAD_REQUEST");
    expect(way.seen).toEqual([]);
  });

  test("a header that is too large is 431, and the upstream hears nothing", async () => {
    await using way = await through(OK);
    const response = await way.login({ headers: { authorization: `Bearer ${"x".repeat(20_000)}` } });
    await expectRefused(response, "HEADERS_TOO_LARGE");
    expect(way.seen).toEqual([]);
  });

  test("a body that is shorter than it says is never passed on", async () => {
    await using way = await through(OK);
    const bytes = await converse(way.url, [`${POST}content-length: 20\r\n\r\n{}`]);
    expect(parseAnswers(bytes).map(({ status }) => status)).toEqual([400]);
    expect(way.seen).toEqual([]);
  });
});

describe("in a process of its own", () => {
  test("bodies of 100 MB are read no further than their end is known, in either direction", async () => {
    const taken = { megabytes: 0 };
    const large = async function* () {
      for await (const chunk of repeat(Buffer.alloc(MIB, 120), 100)) {
        taken.megabytes += 1;
        yield chunk;
      }
    };
    await using upstream = await startServer((_, res) => Readable.from(large()).pipe(res));
    await using served = await startServe(["--snapshot", SNAPSHOT, "--upstream", upstream.url]);
    const call = (body: string | ReadableStream) =>
      fetch(served.url + LOGIN, { method: "POST", body, duplex: "half" } as RequestInit);
    await expectRefused(await call(CREDENTIALS), "UPSTREAM_UNREACHABLE");
    await expectRefused(await call(ReadableStream.from(large())), "PAYLOAD_TOO_LARGE");
    // What both systems hold for a connection is all that can be under way.
    expect(taken.megabytes).toBeLessThan(100);
  });

  test.for<[bytes: number, status: number]>([
    [LIMITS.bodyBytes, 200],
    [LIMITS.bodyBytes + 1, 413],
  ])("a body of %i bytes is %i, with a length or in chunks", async ([bytes, status]) => {
    await using way = await through(OK);
    const body = CREDENTIALS.padEnd(bytes);
    const inChunks = { body: ReadableStream.from([body]), duplex: "half" } as RequestInit;
    for (const init of [{ body }, inChunks]) expect((await way.login(init)).status).toBe(status);
  });

  test("no body, token or code is in anything that it prints, whatever goes wrong", async () => {
    const secrets = ["S3CRET-vc", "S3CRET-jwt", "S3CRET-answer", "S3CRET-query", "S3CRET-path", "S3CRET-raw"];
    const [vc = "", jwt = "", answer = "", query = "", path = "", raw = ""] = secrets;
    const moods: RequestListener[] = [
      (_, res) => void res.writeHead(200, { "content-type": "application/json" }).end(answer),
      (_, res) => void res.writeHead(500).end(answer),
      (_, res) => void res.writeHead(307, { location: `http://127.0.0.1:9/${answer}` }).end(answer),
      (_, res) => void res.writeHead(200, { "content-length": "100" }).write(answer, () => res.destroy()),
      (req) => void req.socket.end(`${answer}\r\n\r\n`),
      (_, res) => void res.writeHead(200, { "www-authenticate": answer }).write(answer),
    ];
    let mood = 0;
    await using upstream = await startServer((req, res) => moods[mood++ % moods.length]?.(req, res));
    const options = ["--snapshot", SNAPSHOT, "--upstream", upstream.url, "--log", "debug", "--auth-timeout", "1"];
    const served = await startServe([...options, "--auth-rate", "12"]);
    const login = (to = LOGIN, init: RequestInit = {}) =>
      fetch(`${served.url}${to}?vc=${query}`, {
        method: "POST",
        body: JSON.stringify({ vc }),
        headers: { authorization: `Bearer ${jwt}` },
        ...init,
      }).then((response) => response.text());
    try {
      for (let n = 0; n < moods.length; n += 1) await login();
      await login(LOGIN, { body: vc.repeat(10_000) });
      await login(`${LOGIN}/${path}`);
      await login(LOGIN, { method: "PUT" });
      await login("/api/user/info");
      await login(LOGIN, { headers: { authorization: `Bearer ${jwt.repeat(3000)}` } });
      for (const rest of [
        "content-length: 2\r\ncontent-length: 3",
        `x: ${raw}\n y`,
        `authorization: ${raw}\r\nauthorization: ${raw}\r\nconnection: close`,
      ])
        await converse(served.url, [`POST ${LOGIN}?${raw} HTTP/1.1\r\nhost: x\r\n${rest}\r\n\r\n${raw}`]);
      await converse(served.url, [`${raw} ${LOGIN} HTTP/1.1\r\nhost: x\r\n\r\n`]);
      for (let n = 0; n < 10; n += 1) await login();
    } finally {
      served.stop();
    }
    const { stdout, stderr, code } = await served.ended;
    expect(code).toBe(0);
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
    const lines = stderr
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string; route?: string; status?: number });
    const statuses = lines.filter(({ route }) => route === LOGIN).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 500, 502, 504, 413, 405, 400, 429]));
    expect(lines.some(({ event, status }) => event === "refused" && status === 431)).toBe(true);
  });
});

async function* repeat(chunk: Buffer, times: number) {
  for (let n = 0; n < times; n += 1) yield chunk;
}
