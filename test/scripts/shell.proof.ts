/** A server and whatever bytes may come. A failure says the seed, which `SEED=2` changes. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { expectScheme, INSIDE } from "../helpers/error-scheme.ts";
import { SEED } from "../helpers/random.ts";
import { converse, parseAnswers, type RawAnswer } from "../helpers/raw.ts";
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
const LAST = "host: x\r\nconnection: close\r\n\r\n";

describe("whatever comes", () => {
  const word = fc.oneof(
    fc.constantFrom(..."__proto__ constructor %00 %ZZ %2e%2e .. ' \" <script> $ne 1 -1 en".split(" ")),
    fc.string({ unit: fc.constantFrom(...printable(0x21, 0x7e)), maxLength: 20 }),
  );
  const path = fc.oneof(
    fc.constantFrom(..."/health /ready /metrics /api/ /api/openapi.json /snapshots/ /api/user/auth/login".split(" ")),
    fc
      .constantFrom(...ENDPOINTS.map(({ path }) => path))
      .chain((one) => word.map((name) => one.replace(/\{\w+\}/, name))),
    fc.array(word, { maxLength: 6 }).map((words) => `/${words.join("/")}`),
  );
  const parameters = ["size", "index", "lang", "order", "rank", "days", "role", "lane", "sort_field", "past-days"];
  const key = fc.oneof(fc.constantFrom(...parameters), word);
  const query = fc
    .array(fc.tuple(key, word), { maxLength: 8 })
    .map((pairs) => pairs.map((pair) => pair.join("=")).join("&"));
  const headerNames = [
    ..."accept accept-encoding if-none-match if-modified-since if-range range origin cookie te content-type".split(" "),
    ..."authorization x-forwarded-for forwarded x-request-id upgrade expect cache-control x-odd".split(" "),
  ];
  const value = fc.oneof(
    word,
    fc.constantFrom('"x"', 'W/"x", *', "bytes=0-1,5-", "gzip;q=0, br", "100-continue", "\xff\xfe"),
    fc.string({ unit: fc.constantFrom(...printable(0x20, 0xff)), maxLength: 60 }),
  );
  const headers = fc.array(fc.tuple(fc.constantFrom(...headerNames), value), { maxLength: 8 });
  const method = fc.constantFrom(..."GET GET GET HEAD POST OPTIONS PUT DELETE TRACE PROPFIND FOO".split(" "));
  const body = fc.oneof(fc.constant(""), fc.string({ maxLength: 200 }));
  // What is asked is told again, and must not look like a word of the inside.
  const nonsense = fc
    .record({ method, path, query, headers, body })
    .filter((one) => !INSIDE.test(`${one.path} ${one.query}`));

  test("each answer to well-formed nonsense is well-formed, of the one scheme", async () => {
    type Nonsense = typeof nonsense extends fc.Arbitrary<infer T> ? T : never;
    const send = async ({ method, path, query, headers, body }: Nonsense) => {
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const length = Buffer.byteLength(body);
      const head = `${method} ${path}${query && `?${query}`} HTTP/1.1\r\n${lines}${length ? `content-length: ${length}\r\n` : ""}${LAST}`;
      const bytes = await converse(served.url, [Buffer.from(head, "latin1"), Buffer.from(body)], false);
      const answers = parseAnswers(bytes, method === "HEAD");
      expect(answers).toHaveLength(1);
      for (const answer of answers) if (method !== "HEAD") expectAnswer(answer);
    };
    await fc.assert(fc.asyncProperty(nonsense, send), { numRuns: 2000, seed: SEED });
    await expectUnharmed();
  });

  test("random bytes, and requests that are cut or changed somewhere, do no harm", async () => {
    const start = Buffer.from(
      `${GET}accept: */*\r\naccept-encoding: gzip\r\ncontent-length: 5\r\n${LAST}hello`,
      "latin1",
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.nat(start.length).map((end) => start.subarray(0, end)),
      fc
        .tuple(fc.nat(start.length - 1), fc.nat(255))
        .map(([at, byte]) => Buffer.concat([start.subarray(0, at), Buffer.from([byte]), start.subarray(at + 1)])),
      fc
        .tuple(fc.nat(start.length), fc.uint8Array({ maxLength: 30 }))
        .map(([at, more]) => Buffer.concat([start.subarray(0, at), more, start.subarray(at)])),
    );
    const send = async (sent: Uint8Array) => {
      for (const answer of parseAnswers(await converse(served.url, [Buffer.from(sent)]))) expectAnswer(answer);
    };
    await fc.assert(fc.asyncProperty(bytes, send), { numRuns: 2000, seed: SEED });
    await expectUnharmed();
  });

  function expectAnswer({ status, headers, body }: RawAnswer) {
    if (status >= 400) expectScheme(status, body);
    else if (headers["content-type"]?.startsWith("application/json") && !headers["content-encoding"] && body !== "")
      expect(JSON.parse(body)).toBeTypeOf("object");
    expect(status).not.toBe(500);
  }

  async function expectUnharmed() {
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
  }
});

function printable(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, n) => String.fromCharCode(from + n)).filter((one) => one !== "\x7f");
}
