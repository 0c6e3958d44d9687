/** The outermost shell of a server: bytes that are no request, or an odd one, and clients that are slow. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "../../src/api/errors.ts";
import { listen } from "../../src/server/http/http.ts";
import { unknownPath } from "../../src/server/response/http-response.ts";
import { expectScheme } from "../helpers/error-scheme.ts";
import { converse, dial, parseAnswers, type RawAnswer } from "../helpers/raw.ts";
import { startServe } from "../helpers/served.ts";
import { world } from "../helpers/world.ts";

let served: Awaited<ReturnType<typeof startServe>>;
beforeAll(async () => {
  served = await startServe(["--snapshot", world.snapshot, "--auth-rate", "100000"]);
});
/** Faults of our own are written to stderr at the default level: there must not have been one. */
afterAll(async () => {
  const { code, stderr } = await served.stop();
  expect([code, stderr]).toEqual([0, ""]);
});

const GET = "GET /api/heroes?size=1 HTTP/1.1\r\n";
const HOST = "host: x\r\n";
const LAST = "host: x\r\nconnection: close\r\n\r\n";

/** The error of the only answer, after which the connection was closed. */
async function refusal(bytes: string): Promise<RawAnswer & { code: ErrorCode }> {
  const [answer, ...more] = parseAnswers(await converse(served.url, [bytes], false));
  if (!answer) throw new Error("no answer");
  expect(more).toEqual([]);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  expect(answer.headers.connection?.toLowerCase()).toBe("close");
  return { ...answer, code: expectScheme(answer.status, answer.body).code };
}

describe("what is not HTTP, or not well-formed, is refused in the one scheme and the connection closed", () => {
  test.for<[string, string, ErrorCode]>([
    ["nonsense", "\0\u0001 nonsense\r\n\r\n", "BAD_REQUEST"],
    ["a TLS hello", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\xfc\u0003\u0003", "BAD_REQUEST"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "BAD_REQUEST"],
    ["another version", `GET / HTTP/1.2\r\n${LAST}`, "BAD_REQUEST"],
    ["no host", `${GET}\r\n`, "BAD_REQUEST"],
    ["two hosts", `${GET}host: a\r\nhost: b\r\n\r\n`, "BAD_REQUEST"],
    ["a target of another scheme", `GET ftp://x/api HTTP/1.1\r\n${LAST}`, "BAD_REQUEST"],
    ["a target that is no path", `GET api HTTP/1.1\r\n${LAST}`, "BAD_REQUEST"],
    ["a NUL in the path", `GET /api/heroes/\0 HTTP/1.1\r\n${LAST}`, "BAD_REQUEST"],
    ["bare bytes above ASCII in the path", `GET /api/heroes/\xd0\x9c HTTP/1.1\r\n${LAST}`, "BAD_REQUEST"],
    ["a long request line", `GET /${"x".repeat(20_000)} HTTP/1.1\r\n${LAST}`, "HEADERS_TOO_LARGE"],
    ["10,000 query keys", `GET /api/heroes?${keys(10_000)} HTTP/1.1\r\n${LAST}`, "HEADERS_TOO_LARGE"],
    ["a long header", `${GET}x: ${"x".repeat(20_000)}\r\n${LAST}`, "HEADERS_TOO_LARGE"],
    ["10,000 headers", `${GET}${"a:\r\n".repeat(10_000)}${LAST}`, "HEADERS_TOO_LARGE"],
    ["an unknown method on a known path", `FOO /api/heroes?size=1 HTTP/1.1\r\n${LAST}`, "METHOD_NOT_ALLOWED"],
    ["an unknown method on a page", `FOO /tiers HTTP/1.1\r\n${LAST}`, "METHOD_NOT_ALLOWED"],
    ["a method in lower case", `get /api/heroes HTTP/1.1\r\n${LAST}`, "METHOD_NOT_ALLOWED"],
    ["an unknown method on an unknown path", `FOO /nothing HTTP/1.1\r\n${LAST}`, "RESOURCE_NOT_FOUND"],
    ["an unknown method in a broken line", `FOO /api/heroes HTTP/9\r\n${LAST}`, "BAD_REQUEST"],
    ["a tunnel", `CONNECT x:443 HTTP/1.1\r\n${LAST}`, "RESOURCE_NOT_FOUND"],
  ])("%s", async ([, bytes, code]) => {
    const refused = await refusal(bytes);
    expect(refused.code).toBe(code);
    if (code === "METHOD_NOT_ALLOWED") expect(refused.headers.allow).toBe("GET, HEAD, OPTIONS");
  });

  test("answers that are under way come whole and first when nonsense follows", async () => {
    const nonsense = `${GET}${HOST}\r\n${GET}${HOST}\r\n\0nonsense\r\n\r\n`;
    const answers = parseAnswers(await converse(served.url, [nonsense], false));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 405]);
    for (const { body } of answers.slice(0, 2)) expect(JSON.parse(body)).toMatchObject({ code: 0 });
  });
});

const keys = (count: number) => "a&".repeat(count);

describe("what is odd, but HTTP, is answered", () => {
  test.for<[string, number]>([
    [`GET /api/heroes?${keys(7_500)}size=1 HTTP/1.1\r\n${LAST}`, 200],
    [`GET /api/heroes?${"size=1&".repeat(2_000)} HTTP/1.1\r\n${LAST}`, 200],
    [`GET /api/heroes?${"lang=xx&".repeat(1_900)} HTTP/1.1\r\n${LAST}`, 422],
    [`GET /api/heroes/positions?${"role=tank&".repeat(1_500)} HTTP/1.1\r\n${LAST}`, 200],
    [`GET http://other.example/api/heroes?size=1 HTTP/1.1\r\n${LAST}`, 200],
    [`GET /api/heroes?size=1 HTTP/1.0\r\n\r\n`, 200],
    [`GET //api/heroes HTTP/1.1\r\n${LAST}`, 404],
    [`OPTIONS * HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes/%00 HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes/a%00b/stats HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes/%ZZ HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes/%E0%A4%A HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes?lang=%00 HTTP/1.1\r\n${LAST}`, 422],
    [`GET /api/heroes?%ZZ=%ZZ&%=% HTTP/1.1\r\n${LAST}`, 200],
    [`GET /api/heroes/${"x".repeat(15_000)} HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes/${"9".repeat(15_000)} HTTP/1.1\r\n${LAST}`, 422],
    [`GET /api/heroes/${"%E3%83%9F".repeat(1_500)}/counters HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes?size=${"9".repeat(100)}&index=${"9".repeat(100)} HTTP/1.1\r\n${LAST}`, 200],
    [`GET /api/heroes?size=${"9".repeat(101)} HTTP/1.1\r\n${LAST}`, 422],
    [`GET /api/heroes?size=${"9".repeat(15_000)}&index=${"9".repeat(500)} HTTP/1.1\r\n${LAST}`, 422],
    [`GET /api/heroes/positions?${"role=x&".repeat(2_300)} HTTP/1.1\r\n${LAST}`, 422],
    [`GET /api/heroes/__proto__ HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes/constructor/stats HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes/hasOwnProperty/trends HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/__proto__ HTTP/1.1\r\n${LAST}`, 404],
    [`GET /__proto__/toString HTTP/1.1\r\n${LAST}`, 404],
    [`GET /api/heroes?__proto__=1&constructor=2&toString=3&size=1 HTTP/1.1\r\n${LAST}`, 200],
    [`GET /api/heroes?lang=__proto__ HTTP/1.1\r\n${LAST}`, 422],
    [`GET /api/heroes/rank?rank=constructor&sort_field=toString&days=valueOf HTTP/1.1\r\n${LAST}`, 422],
    [`GET /api/heroes/positions?role=__proto__ HTTP/1.1\r\n${LAST}`, 422],
    [`${GET}__proto__: a\r\nconstructor: b\r\n${LAST}`, 200],
    [`${GET}upgrade: websocket\r\nconnection: upgrade, close\r\n${HOST}\r\n`, 200],
    [`${GET}expect: nonsense\r\n${LAST}`, 200],
    [`${GET}content-length: 3\r\n${LAST}abc`, 200],
    [`HEAD /api/nothing HTTP/1.1\r\n${LAST}`, 404],
  ])("%.60s", async ([bytes, status]) => {
    const headOnly = bytes.startsWith("HEAD");
    const [answer] = parseAnswers(await converse(served.url, [bytes], false), headOnly);
    expect(answer?.status).toBe(status);
    if (status === 200) expect(JSON.parse(answer?.body ?? "")).toMatchObject({ code: 0 });
    else if (!headOnly) expectScheme(status, answer?.body ?? "");
  });

  test.for([
    "/snapshots/../../../../etc/passwd",
    "/snapshots/..%2f..%2f..%2fetc%2fpasswd",
    "/snapshots/%2e%2e/%2e%2e/etc/passwd",
    "/snapshots/..%5c..%5cetc%5cpasswd",
    "/snapshots/....//....//etc/passwd",
    "/snapshots/%252e%252e%252fetc%252fpasswd",
    "/snapshots//etc/passwd",
    "/snapshots/%00",
    "/snapshots/../latest.json",
    "/snapshots/../nothing",
    "/snapshots/../journals/",
    "/snapshots/__proto__",
    "/snapshots/../snapshots/../package.json",
    "/snapshots/x/../../api/../../package.json",
  ])("%s leads nowhere", async (target) => {
    const [answer] = parseAnswers(await converse(served.url, [`GET ${target} HTTP/1.1\r\n${LAST}`], false));
    expect(expectScheme(answer?.status ?? 0, answer?.body ?? "").code).toBe("RESOURCE_NOT_FOUND");
  });

  test("/snapshots/.. is the first page, and no folder", async () => {
    const [answer] = parseAnswers(await converse(served.url, [`GET /snapshots/.. HTTP/1.1\r\n${LAST}`], false));
    expect([answer?.status, answer?.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer?.body).toContain("What this mirror holds");
  });

  test("whoever asks before sending a body that is too large is told so at once", async () => {
    const head = `POST /api/user/auth/login HTTP/1.1\r\n${HOST}expect: 100-continue\r\n`;
    const [refused] = parseAnswers(await converse(served.url, [`${head}content-length: 1000000\r\n\r\n`], false));
    expect(refused?.headers.connection).toBe("close");
    const ask = [`${head}connection: close\r\ncontent-length: 2\r\n\r\n`, "{}"];
    const bytes = (await converse(served.url, ask, false)).toString();
    expect(bytes).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 503 /);
  });
});

describe("those who are slow", () => {
  test("get 408 and lose their connection, and hold nobody up", async () => {
    const options = ["--snapshot", world.snapshot, "--upstream", "http://127.0.0.1:9"];
    await using patient = await startServe([...options, "--auth-rate", "1000", "--request-timeout", "1"]);
    const post = `POST /api/user/auth/login HTTP/1.1\r\n${HOST}`;
    const beginnings: [sent: string, more: string][] = [
      ["", ""],
      ["GE", ""],
      ["GET /", "x"],
      [GET, "x"],
      [`${GET}x: `, "x"],
      [`${post}content-length: 1000\r\n\r\n{`, "x"],
      [`${post}transfer-encoding: chunked\r\n\r\n`, "1\r\nx\r\n"],
    ];
    const slow = Array.from({ length: 140 }, (_, n) =>
      drip(patient.url, beginnings[n % beginnings.length] ?? ["", ""]),
    );
    for (let answered = 0; answered < 20; ) {
      const response = await fetch(`${patient.url}/api/heroes?size=1`);
      await response.arrayBuffer();
      // On a busy machine this process is slow itself at times, and asks again.
      expect(response.status).toBeOneOf([200, 408]);
      if (response.status === 200) answered += 1;
    }
    for (const bytes of await Promise.all(slow)) {
      const [answer] = parseAnswers(bytes);
      expect(expectScheme(answer?.status ?? 0, answer?.body ?? "").code).toBe("REQUEST_TIMEOUT");
    }
    expect(await patient.stop()).toMatchObject({ code: 0, stderr: "" });
  });
});

test("whoever does not read the answer loses the connection", async () => {
  const server = await listen((_, response) => response.end("x".repeat(64 * 1024 * 1024)), {
    port: 0,
    host: "127.0.0.1",
    stallTimeoutMs: 300,
    toResponse: () => ({ status: 400, headers: {}, body: undefined }),
    refuse: unknownPath,
  });
  const socket = dial(server.url);
  socket.write(`GET /big HTTP/1.1\r\n${HOST}\r\n`);
  // Ends only when the connection is gone.
  await server.close();
  socket.destroy();
});

/** Sends a little now and then, never an end; what comes back until the other side closes. */
async function drip(url: string, [sent, more]: [string, string]): Promise<Buffer> {
  const socket = dial(url);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
  socket.write(sent);
  const timer = setInterval(() => more && socket.write(more), 200);
  await new Promise((resolve) => socket.once("end", resolve).once("close", resolve));
  clearInterval(timer);
  socket.destroy();
  return Buffer.concat(chunks);
}
