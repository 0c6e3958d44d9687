/** Login calls: no secret of theirs is written anywhere, and no body is read beyond its limit. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { attack } from "../helpers/hostile/attack.ts";
import type { Asked, Conversation } from "../helpers/hostile/conversation.ts";
import { CHUNKED, chunk, get, HOST, LOGIN, many, odd, withBody, write } from "../helpers/hostile/requests.ts";
import { startTarget, type Target } from "../helpers/hostile/target.ts";
import { world } from "../helpers/world.ts";

const SECRET = "hushhush";

let target: Target;
let isStopped = false;
beforeAll(async () => {
  target = await startTarget(world.nights.data, "debug");
});
afterAll(() => (isStopped ? undefined : target.stop()));

test("bodies above the limit are refused, and those next to it are passed on, many at once", async () => {
  expect(await attack(target, [...LARGE, ...LARGE, ...LARGE].flatMap(asLarge), 40)).toEqual([]);
});

test("bodies that drip are passed on whole, and those that are cut are not", async () => {
  const cuts = [false, true].flatMap((chunked) =>
    [1, 7, 60].flatMap((size) => Array.from({ length: 45 }, (_, missing) => asCut(chunked, size, missing))),
  );
  expect(await attack(target, cuts)).toEqual([]);
});

test("the log at debug has the query and the client of a request, and no secret of a login call, however it is spelled", async () => {
  await fetch(`${target.facts.url}/api/heroes?size=1`);
  expect(await attack(target, SPELLINGS.flatMap(asSecrets))).toEqual([]);
  expect(await (await fetch(`${target.facts.url}/metrics`)).text()).not.toContain(SECRET);
  isStopped = true;
  const lines = (await target.stop()).split("\n");
  expect(lines.length).toBeGreaterThan(SPELLINGS.length * HIDINGS.length);
  expect(lines.filter((line) => line.includes(SECRET)).slice(0, 5)).toEqual([]);
  expect(lines.filter((line) => /"query":"size=1","client":"127\.0\.0\.1"/.test(line))).toHaveLength(1);
});

const JSON_TYPE = "content-type: application/json\r\n";
const BODY = `{"role_id":1,"zone_id":2,"vc":"${SECRET}"}`;
const LAST = "0\r\n\r\n";

const asked = (...status: number[]): Asked => ({ method: "POST", path: LOGIN, ...(status.length > 0 && { status }) });

const inPieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

interface Large {
  name: string;
  headers: string;
  pieces: string[];
  pause?: number;
  status?: number;
}

const LIMIT = 16_384;

/** Bodies above the limit, and next to it. */
const LARGE: readonly Large[] = [
  { name: "one chunk of 100,000 bytes", headers: CHUNKED, pieces: [chunk(many(100_000, "x"))] },
  { name: "one chunk of 100,000 bytes and the last one", headers: CHUNKED, pieces: [chunk(many(100_000, "x")) + LAST] },
  { name: "one chunk of 17,000 bytes", headers: CHUNKED, pieces: [chunk(many(17_000, "x"))] },
  { name: "one chunk of 17,000 bytes and the last one", headers: CHUNKED, pieces: [chunk(many(17_000, "x")) + LAST] },
  { name: "a chunk a byte too long", headers: CHUNKED, pieces: [chunk(many(LIMIT + 1, "x")) + LAST] },
  { name: "a chunk that just fits", headers: CHUNKED, pieces: [chunk(many(LIMIT, "x")) + LAST], status: 200 },
  { name: "20 chunks", headers: CHUNKED, pieces: Array(20).fill(chunk(many(1000, "k"))), pause: 1 },
  { name: "chunks of 1", headers: CHUNKED, pieces: inPieces(many(20_000, chunk("x")), 4000), pause: 0 },
  { name: "5 MB in chunks of 64 KB", headers: CHUNKED, pieces: Array(80).fill(chunk(many(65_536, "x"))), pause: 0 },
  { name: "a chunk that says it is 4 GB", headers: CHUNKED, pieces: [`ffffffff\r\n${many(50_000, "x")}`] },
  { name: "100,000 bytes that are announced", headers: "content-length: 100000\r\n", pieces: [many(100_000, "x")] },
  {
    name: "5 MB that are announced",
    headers: "content-length: 5000000\r\n",
    pieces: Array(50).fill(many(100_000, "x")),
    pause: 0,
  },
  { name: "a byte too many", headers: `content-length: ${LIMIT + 1}\r\n`, pieces: [many(LIMIT + 1, "x")] },
  { name: "as many as fit", headers: `content-length: ${LIMIT}\r\n`, pieces: [many(LIMIT, "x")], status: 200 },
  { name: "too many that are announced and do not come", headers: "content-length: 999999999\r\n", pieces: [] },
  {
    name: "too many, asked for first",
    headers: "expect: 100-continue\r\ncontent-length: 100000\r\n",
    pieces: [many(100_000, "x")],
    pause: 5,
  },
  {
    name: "too many in chunks, asked for first",
    headers: `expect: 100-continue\r\n${CHUNKED}`,
    pieces: [chunk(many(20_000, "x"))],
    pause: 5,
  },
];

/** Sent in one with its head, and after it. */
function asLarge({ name, headers, pieces, pause, status = 413 }: Large): Conversation[] {
  const head = write("POST", LOGIN, JSON_TYPE + headers);
  const rest = { asked: [asked(status)], answers: "closing" as const };
  const [first = "", ...more] = pieces;
  return [
    { name, pieces: [head + first, ...more], ...rest, pause: pause ?? 0 },
    { name: `${name}, after the head`, pieces: [head, ...pieces], ...rest, pause: pause ?? 2 },
  ];
}

/** A body in pieces of this size, of which so many bytes never come. */
function asCut(chunked: boolean, size: number, missing: number): Conversation {
  const headers = chunked ? CHUNKED : `content-length: ${BODY.length}\r\n`;
  const bytes = write("POST", LOGIN, headers, chunked ? chunk(BODY) + LAST : BODY);
  const pieces = inPieces(bytes.slice(0, bytes.length - missing), size);
  const name = `${missing} bytes less in ${pieces.length} pieces`;
  if (missing === 0) return { name, pieces, pause: 0, asked: [asked(200)], answers: "all" };
  const end = missing % 2 === 0 ? { half: true } : { leaves: 5 * missing };
  return { name, pieces, pause: 0, asked: [asked(400, 408)], answers: "any", ...end };
}

/** Ways to write the path of a login, or what a person may take for one. */
const SPELLINGS = [
  ...[LOGIN, "/api/user/auth/login/", "/api/user/auth/login//", "/api/user/auth/send-vc", "/api/user/auth/logout"],
  ...["/api/%75ser/auth/login", "/api/user/%61uth/login", "/api/user/auth/%6cogin", "/%61pi/user/auth/login"],
  ...["/api/%55ser/auth/login", "/api/%75%73%65%72/%61%75%74%68/%6c%6f%67%69%6e", "/api/%2575ser/auth/login"],
  ...["//api/user/auth/login", "/api//user/auth/login", "/api/user//auth///login", "/./api/user/auth/login"],
  ...["/api/./user/auth/login", "/api/../api/user/auth/login", "/api/x/%2e%2e/user/auth/login"],
  ...["/api/heroes/../user/auth/login", "/API/user/auth/login", "/api/USER/auth/login", "/Api/User/Auth/Login"],
  ...["/api/user%2fauth%2flogin", "/api%2fuser/auth/login", "/api/user/auth%5clogin", "/api\\user\\auth\\login"],
  ...["/api/user;a=b/auth/login", "/api/user/auth/login;a=b", "/api/user/auth/login%00", "/api/user/auth/login%20"],
  ...["/api/user/auth/login.json", "/api/us%65r/auth/login%3f", "/api/user/login", "/api/auth/login"],
  ...["/user/auth/login", "/auth/login", "/login", "/snapshots/latest/api/user/auth/login"],
  ...["/snapshots/x/api/%75ser/auth/login", "http://x/api/user/auth/login", "http://x/api/%75ser/auth/login"],
  "HTTP://user@x/api/./user/auth/login",
];

/** The places of a request where a secret may stand. */
const HIDINGS: readonly ((path: string, secret: string) => string)[] = [
  (path, secret) => withBody("POST", `${path}?vc=${secret}`, BODY, JSON_TYPE),
  (path, secret) => withBody("POST", `${path}?a=b&code=${secret}&x=${many(600, "y")}`, BODY),
  (path, secret) => withBody("POST", `${path}/${secret}`, BODY),
  (path, secret) =>
    withBody("POST", `${path}?${secret}`, BODY, `authorization: Bearer ${secret}\r\ncookie: a=${secret}\r\n`),
  (path, secret) => get(`${path}?vc=${secret}`),
  (path, secret) => write("HEAD", `${path}?vc=${secret}`),
  (path, secret) => write("PUT", `${path}?vc=${secret}`),
  (path, secret) => write("FOO", `${path}?vc=${secret}`),
  (path, secret) => write("POST", `${path}?vc=${secret}`, CHUNKED, `${chunk(BODY)}0\r\nx: ${secret}\r\n\r\n`),
  (path, secret) =>
    write("POST", path, `referer: http://x/?vc=${secret}\r\n${CHUNKED}`, `5;${secret}\r\nhello\r\n${LAST}`),
  (path, secret) => write("POST", `${path}?vc=${secret}`, "content-length: 5\r\ncontent-length: 6\r\n", "hello!"),
  (path, secret) => withBody("POST", path, secret, "content-type: a\r\ncontent-type: b\r\n"),
  (path, secret) => `POST ${path} HTTP/1.1\r\n${HOST}no colon ${secret}\r\n\r\n`,
  (path, secret) => `POST ${path}?vc=${secret} HTTP/3.0\r\n${HOST}\r\n`,
];

const asSecrets = (path: string): Conversation[] =>
  HIDINGS.map((hide, at) => {
    const bytes = hide(path, `${SECRET}${at}`);
    const method = bytes.slice(0, bytes.indexOf(" "));
    return odd(`${method} ${path}`, bytes, { method, path });
  });
