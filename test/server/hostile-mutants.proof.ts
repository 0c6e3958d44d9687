/** Good requests that chance has changed, and pipelines of them that it has cut. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import type { Parameter } from "../../src/api/request/parameters.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import { attack } from "../helpers/hostile/attack.ts";
import type { Asked, Conversation } from "../helpers/hostile/conversation.ts";
import { CHUNKED, chunk, get, LOGIN, many, odd, times, withBody, write } from "../helpers/hostile/requests.ts";
import { startTarget, type Target } from "../helpers/hostile/target.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { world } from "../helpers/world.ts";

let target: Target;
beforeAll(async () => {
  target = await startTarget(world.nights.data);
});
afterAll(() => target.stop());

test("what is nearly a request is answered or refused, and nothing else happens", async () => {
  expect(await attack(target, times(600, mutant)), `SEED=${SEED}`).toEqual([]);
});

test("requests of every kind on one connection are answered in their order, however they are cut", async () => {
  expect(await attack(target, times(40, pipeline), 4), `SEED=${SEED}`).toEqual([]);
});

test("a client that says early that it is done gets whole answers", async () => {
  const early = times(20, pipeline).map((one) => ({ ...one, answers: "any" as const, half: true }));
  expect(await attack(target, early, 8), `SEED=${SEED}`).toEqual([]);
});

const random = createRandom("hostile mutants");

/** Votes have subjects that only a crawl knows. */
const ANSWERED = ENDPOINTS.filter(({ path }) => !path.includes("{subject}"));

/** Some query of an endpoint that is answered, with few records. */
function goodPath(): string {
  const { path, parameters } = random.pick(ANSWERED);
  const query = parameters.map(spell).filter((pair) => pair !== "");
  const named = path.replace(/\{\w+\}/, String(1 + random.below(10)));
  return query.length > 0 ? `${named}?${query.join("&")}` : named;
}

function spell(parameter: Parameter): string {
  const { name } = parameter;
  if ("examples" in parameter) return `${name}=${random.pick(parameter.examples ?? [])}`;
  if (parameter.kind === "integer") return `${name}=${1 + random.below(5)}`;
  const required = parameter.kind === "choice" && parameter.default === undefined;
  return required || random.below(2) === 0 ? `${name}=${random.pick(parameter.values)}` : "";
}

const BODY = '{"role_id":1,"zone_id":2,"vc":"123456"}';

const GOOD: readonly (() => string)[] = [
  () => get(goodPath()),
  () => get(goodPath(), 'accept-encoding: br, gzip;q=0.5\r\nif-none-match: "a", "b"\r\n'),
  () => write("HEAD", goodPath()),
  () => write("OPTIONS", goodPath(), "origin: http://y\r\naccess-control-request-method: GET\r\n"),
  () => withBody("POST", LOGIN, BODY, "content-type: application/json\r\n"),
  () => write("POST", LOGIN, CHUNKED, `${chunk(BODY)}0\r\n\r\n`),
  () => get("/snapshots/latest.json", "range: bytes=0-9\r\n"),
  () => get("/health"),
];

const LIKED = [..."\0\t\n\r %&+,-./:;=?@[\\]_{}~\u007f\u0080\u00ff09AZaz"];

const CHANGES: readonly ((bytes: string, at: number) => string)[] = [
  (bytes, at) =>
    bytes.slice(0, at) + String.fromCharCode(bytes.charCodeAt(at) ^ (1 << random.below(8))) + bytes.slice(at + 1),
  (bytes, at) => bytes.slice(0, at) + random.pick(LIKED) + bytes.slice(at),
  (bytes, at) => bytes.slice(0, at) + random.pick(LIKED).repeat(1 + random.below(3000)) + bytes.slice(at),
  (bytes, at) => bytes.slice(0, at) + bytes.slice(at + 1 + random.below(10)),
  (bytes, at) => bytes.slice(0, at) + bytes.slice(random.below(at + 1), at) + bytes.slice(at),
  (bytes, at) => bytes.slice(0, at),
];

function mutant(): Conversation {
  let bytes = random.pick(GOOD)();
  const method = bytes.slice(0, bytes.indexOf(" "));
  // What is sure about an answer to a HEAD must stay sure.
  const from = method === "HEAD" ? "HEAD ".length : 0;
  for (let changes = 1 + random.below(3); changes > 0; changes -= 1)
    bytes = random.pick(CHANGES)(bytes, from + random.below(Math.max(1, bytes.length - from)));
  const asked = { path: "/auth/", accepts: "*" };
  // What was one request may have become several.
  const more = { ...asked, method: "GET" };
  return odd("a mutant", bytes, { ...asked, method }, [more, more]);
}

interface Request {
  bytes: string;
  asked: Asked;
}

const read = (method: string, path: string, status: readonly number[], headers = ""): Request => ({
  bytes: write(method, path, headers),
  asked: { method, path, status },
});

/** Each of another length, so that answers in another order are seen. */
const sized = (size: number): Request => ({
  bytes: get(`/api/heroes?size=${size}`),
  asked: { method: "GET", path: "/api/heroes", status: [200], size },
});

const READS: readonly (() => Request)[] = [
  () => read("GET", goodPath(), [200, 404, 503]),
  () => sized(1 + random.below(11)),
  () => read("HEAD", goodPath(), [200, 404, 503]),
  () => read("GET", `/api/heroes?size=${1 + random.below(9)}`, [304], "if-none-match: *\r\n"),
  () => read("OPTIONS", goodPath(), [204], "access-control-request-method: GET\r\n"),
  () => read(random.pick(["GET", "HEAD"]), `/api/nothing/${random.below(1e6)}`, [404]),
  () => read("GET", `/api/heroes?size=-${random.below(1e6)}`, [422]),
  () => read("GET", "/health", [200]),
];

const BODIES: readonly (() => Request)[] = [
  () => ({
    bytes: withBody("POST", "/api/heroes", many(random.below(3000), "x")),
    asked: { method: "POST", path: "/api/heroes", status: [405] },
  }),
  () => ({
    bytes: write("POST", LOGIN, CHUNKED, `${chunk(many(1 + random.below(2000), "y"))}0\r\n\r\n`),
    asked: { method: "POST", path: LOGIN, status: [200] },
  }),
  () => ({
    bytes: withBody("GET", "/api/heroes?size=2", many(random.below(3000), "z")),
    asked: { method: "GET", path: "/api/heroes?size=2", status: [200], size: 2 },
  }),
];

const JUNK = [
  "\0\u0001junk\r\n\r\n",
  "FOO BAR BAZ\r\n\r\n",
  "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003",
  "GET /api/heroes HTTP/9.9\r\n\r\n",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "GET /api/heroes HTTP/1.1\r\nno colon\r\n\r\n",
];

/** Those of more than may be open end early. */
const LENGTHS = [1, 2, 3, 5, 8, 10, 20, 50, 100, 200, 500, 1000];

function pipeline(number: number): Conversation {
  const kind = (["reads", "bodies", "reads", "junk"] as const)[number % 4] ?? "reads";
  const makers = kind === "bodies" ? [...READS, ...BODIES] : READS;
  const requests = times(LENGTHS[number % LENGTHS.length] ?? 1, () => random.pick(makers)());
  const junk = { bytes: random.pick(JUNK), asked: { method: "?", path: "?", status: [400, 404, 405] } };
  const all = kind === "junk" ? [...requests, junk] : requests;
  return {
    name: `pipeline ${number} of ${all.length}, ${kind}`,
    ...cut(all.map(({ bytes }) => bytes).join("")),
    asked: all.map(({ asked }) => asked),
    answers: kind === "reads" && all.length <= LIMITS.openRequests ? "all" : "closing",
  };
}

/** In one write, or in two to forty at odd places, with or without a pause between. */
function cut(bytes: string): Pick<Conversation, "pieces" | "pause"> {
  const places = times(random.pick([0, 0, 1, 3, 39]), () => random.below(bytes.length)).toSorted((a, b) => a - b);
  const pieces = [...places, bytes.length].map((end, at) => bytes.slice(places[at - 1] ?? 0, end));
  const pause = random.pick([undefined, 0, 1]);
  return { pieces: pieces.filter((piece) => piece !== ""), ...(pause !== undefined && { pause }) };
}
