/** Odd texts in every place of a request that a mirror reads: its path, what a path names, and each parameter. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { isRequired, type Parameter } from "../../src/api/request/parameters.ts";
import { LIMITS } from "../../src/server/http/limits.ts";
import type { Answer } from "../helpers/hostile/answers.ts";
import { attack } from "../helpers/hostile/attack.ts";
import type { Asked, Conversation } from "../helpers/hostile/conversation.ts";
import { get, many, odd, write } from "../helpers/hostile/requests.ts";
import { startTarget, type Target } from "../helpers/hostile/target.ts";
import { world } from "../helpers/world.ts";

let target: Target;
beforeAll(async () => {
  target = await startTarget(world.nights.data);
});
afterAll(() => target.stop());

test("every trick at every place of a path is answered by the contract, and with no file of the host", async () => {
  const paths = TRICKS.flatMap((trick) => PLACES.map((place) => fill(place, trick)));
  expect(await attack(target, askAll(paths, { method: "GET", status: STATUSES, check: leak }))).toEqual([]);
});

test("tricks are answered by the contract with other methods too", async () => {
  const methods = ["HEAD", "OPTIONS", "POST", "DELETE"];
  const conversations = methods.flatMap((method, turn) => {
    const paths = TRICKS.map((trick, at) => fill(PLACES[(at + turn) % PLACES.length] ?? "", trick));
    return askAll(paths, { method, status: STATUSES, check: leak });
  });
  expect(await attack(target, conversations)).toEqual([]);
});

test("every parameter with every odd value is answered or refused as invalid", async () => {
  expect(await attack(target, askAll(ENDPOINTS.flatMap(parametersOf), VALUE))).toEqual([]);
});

test("every name in a path with every odd value is answered, refused or not found", async () => {
  expect(await attack(target, askAll(ENDPOINTS.flatMap(namesOf), VALUE))).toEqual([]);
});

test("long numbers and keys again and again cost little", async () => {
  const long = NUMBERS.filter(({ length }) => length > 1000);
  const paths = [...NUMERIC.flatMap((path) => long.map((value) => path + value)), ...REPEATED];
  const before = target.cpuSeconds();
  expect(await attack(target, paths.map(asFour), 2)).toEqual([]);
  // It takes one second: some ninety, if it grows with the square of a length.
  expect(target.cpuSeconds() - before).toBeLessThan(20);
});

/** As long as a request line may be, less what stands around it. */
const LONG = 15_000;

/** Numbers that are long, and ones that only some programs take for numbers. */
const NUMBERS: readonly string[] = [
  ...[many(LONG, "1"), `${many(LONG, "1")}x`, `${many(LONG, "1")}.x`, `${many(LONG / 2, "1_")}x`],
  ...[`${many(LONG / 2, "1_")}1`, `${many(LONG, "_")}1`, `1${many(LONG, "_")}`, `1.${many(LONG, "0")}`],
  ...[`1.${many(LONG, "0")}x`, `1.${many(LONG, "1")}e`, `1e${many(LONG, "9")}`, `1e-${many(LONG, "9")}x`],
  ...[`.${many(LONG, "1")}x`, many(LONG / 2, "1."), `1${many(LONG, "+")}x`, `1${many(LONG / 3, "%20")}x`],
  ...[`${many(LONG / 3, "%09")}1`, `${many(LONG / 3, "%20")}x${many(10, "%20")}`, many(LONG, "+"), many(LONG, "-")],
  ...[many(LONG, "0"), `${many(LONG, "0")}1`, `-${many(LONG, "9")}`, `%2B${many(LONG - 100, "9")}`],
  ...["0", "-0", "-1", "%2B1", "+1", "1_000", "1__0", "_1", "1_", "1.0", "1.", ".1", "1.5", "1e3", "1e309", "-1e309"],
  ...["1e-400", "0x10", "0b1", "0o7", "1n", "1f", "NaN", "Infinity", "-Infinity", "9007199254740993"],
  ...["18446744073709551616", "2147483648", "%D9%A1", "%EF%BC%91", "%C2%B2", "%E2%85%A7", "1%00", "%001", "1%0a"],
  ...["%C2%A01", "%E2%80%AF1", "%EF%BB%BF1", "1,000", "1%2C5", "%", "%zz", "%ff", "", "+", "%20"],
];

const WORDS: readonly string[] = [
  ...["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "null", "undefined", "true", "[]", "{}"],
  ...["EN", "en%00", "en%20", "%65n", "e%6E", "zh-cn", "zh_CN", "en,ja", "en;ja", "*", "..", "%2e%2e%2f", "%ff%fe"],
  ...["'%20OR%201=1--", "%3Cscript%3E", "%0d%0ax-y:%20z", "%F0%9F%92%A9", "%E2%80%AE", "%EF%B7%BA", "asc%0a", "101"],
  ...["", "+", "%20", "%", "%zz", "%E0%A4%A", "%C0%80", "%ED%A0%80", "%F4%90%80%80"],
  ...[many(LONG, "x"), many(LONG / 3, "%20"), `x${many(LONG, "+")}x`, many(LONG / 9, "%EF%B7%BA")],
  ...[many(LONG / 6, "%C4%B0"), many(LONG / 3, "%zz")],
];

/** Pieces of a path that mean something somewhere. */
const TRICKS: readonly string[] = [
  ...["..", ".", "...", "....//", "../..", "../../../../etc/passwd", "..\\..\\etc\\passwd", "..;/", "%2e", "%2e%2e"],
  ...["%2e%2e/%2e%2e/etc/passwd", "..%2f..%2fetc%2fpasswd", "..%5c..%5c", "%252e%252e%252f", "%c0%ae%c0%ae/", "%c0%af"],
  ...["%e0%80%af", "%f0%80%80%af", "%f8%80%80%80%af", "%u002e%u002e", "%ff", "%fe%ff", "%80", "%ed%a0%80", "%", "%2"],
  ...["%zz", "%2f", "%2F%2f", "/", "//", "///", "\\", "%5c", "%00", "a%00b", "%00.json", "%0a"],
  ...["%0d%0aset-cookie:%20a", "%09", "%20", "+", "%7f", ";", ";a=b", ":", "@", "~", "~root", "!", "$", "&", "=", ","],
  ...["'", '"', "`", "|", "^", "<script>", "{}", "{hero_identifier}", "{version}", ":version", ":name", "*", "**"],
  ...["(.*)", "[a-z]", "[", "%5b", "__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty"],
  ...["__defineGetter__", "then", "%5f%5fproto%5f%5f", "%68eroes", "h%65roes", "HEROES", "Heroes", "heroes."],
  ...["heroes%2e", "heroes%20", "%48eroes", "%EF%BC%8F", "%E2%80%8B", "%E2%80%AE", "%F0%9F%92%A9", "%C4%B0"],
  ...["%EF%B7%BA", "%CC%81", "%E3%83%9F%E3%83%A4", ".env", ".git/config", ".lock", "latest", "latest.json"],
  ...["latest.sqlite", "index.html", "nul", "null", "NaN", "-1", "0", "1e3", "99999999999999999999", "\u00ff\u00fe"],
  ...["\u0080", "\u00c3\u00a9", "a b", "a\tb", many(3000, "../"), many(2000, "%2e%2e/"), many(4000, "a/")],
  ...[many(14_000, "/"), many(14_000, "x"), many(4500, "%41"), many(4500, "%zz")],
];

/** Where they are put, `@` and with the version that is served as `V`. */
const PLACES: readonly string[] = [
  ...["/@", "/@/api/heroes", "/api/@", "/api/heroes/@", "/api/heroes/@/stats", "/api/heroes@"],
  ...["/api/academy/heroes/ratings/@", "/api/academy/ranks/@", "/api/user/auth/@", "/snapshots/@", "/snapshots/@.json"],
  ...["/snapshots/@.sqlite", "/snapshots/@/api/heroes", "/snapshots/V/@", "/snapshots/V@", "/metrics@"],
  ...["/api/@/", "/api/heroes/@?x=@", "/snapshots/@%20", "/api/heroes/@/..", "/@#x"],
];

const fill = (place: string, trick: string) =>
  place.replaceAll("@", () => trick.slice(0, 14_000)).replace("V", target.facts.version);

/** What lies outside of what is served. */
const leak = ({ body }: Answer) =>
  /root:[x*]?:0:0|\[core\]\s|\.cache\/world/.test(body.toString("latin1", 0, 5000)) ? "a file of the host" : undefined;

const STATUSES = [200, 204, 400, 404, 405, 422, 431, 503];

const VALUE: Asking = { method: "GET", status: [200, 400, 404, 422, 503] };

type Asking = Omit<Asked, "path">;

/** After any of these a connection stays open. */
const PLAIN = /^[!"$-~]{1,15500}$/;

/** Each path is asked for: the plain ones one after the other on a few connections, each other one on its own. */
function askAll(paths: readonly string[], asking: Asking): Conversation[] {
  const { method } = asking;
  const plain = paths.filter((path) => PLAIN.test(path));
  const others = paths.filter((path) => !PLAIN.test(path));
  const together = Array.from({ length: Math.ceil(plain.length / LIMITS.openRequests) }, (_, at): Conversation => {
    const some = plain.slice(LIMITS.openRequests * at, LIMITS.openRequests * (at + 1));
    const pieces = [some.map((path) => write(method, path)).join("")];
    return { name: "plain paths", pieces, asked: some.map((path) => ({ ...asking, path })), answers: "all" };
  });
  return [...together, ...others.map((path) => odd(`${method} ${path}`, write(method, path), { ...asking, path }))];
}

/** Four at once on one connection. */
const asFour = (path: string): Conversation => ({
  name: `4 × ${path}`,
  pieces: [get(path).repeat(4)],
  asked: Array(4).fill({ ...VALUE, path }),
  answers: "all",
});

const validFor = (parameter: Parameter) =>
  parameter.kind === "choice" ? parameter.values[0] : "examples" in parameter ? parameter.examples?.[0] : "";

function parametersOf({ path, parameters }: Endpoint): string[] {
  const named = path.replace("{subject}", "1000001").replace(/\{\w+\}/, "7");
  return parameters.flatMap((parameter) => {
    const { kind, name } = parameter;
    const others = parameters.filter((other) => other !== parameter && isRequired(other));
    const rest = others.map((other) => `${other.name}=${validFor(other)}`);
    const all = kind === "integer" || kind === "decimal" ? NUMBERS : WORDS;
    return all.map((value) => `${named}?${[...rest, `${name}=${value}`].join("&")}`);
  });
}

function namesOf({ path, identifier }: Endpoint): string[] {
  if (!identifier) return [];
  const values = [...NUMBERS, ...WORDS].filter((value) => value !== "" && value !== "..");
  return values.map((value) => path.replace(/\{\w+\}/, () => value));
}

const NUMERIC = [
  ...["/api/heroes?size=", "/api/heroes?index=", "/api/heroes/rank?index=", "/api/academy/ranks/", "/api/heroes/"],
  "/api/addon/win-rate-calculator?wr-now=50&wr-future=75&match-now=",
  "/api/addon/win-rate-calculator?match-now=1&wr-future=75&wr-now=",
  "/api/addon/win-rate-calculator?match-now=1&wr-now=50&wr-future=",
];
const REPEATED = [
  `/api/heroes/positions?${many(2300, "role=x&")}`.slice(0, 16_000),
  `/api/heroes/positions?${many(2100, "lane=y&")}role=z`.slice(0, LONG),
  `/api/academy/heroes?${many(1000, "role=tank&lane=")}`.slice(0, LONG),
  `/api/heroes/rank?${many(1200, "rank=x&days=")}`.slice(0, LONG),
  `/api/heroes?${many(7000, "&")}size=1`,
  `/api/heroes?${many(5000, "=&")}size=1`,
  `/api/heroes?${many(3000, "%00=&")}`.slice(0, LONG),
  `/api/heroes?size=1${many(500, "&lang=en&size=2&order=asc")}`.slice(0, LONG),
  `/api/heroes?${Array.from({ length: 1500 }, (_, at) => `k${at}=${at}`).join("&")}`.slice(0, LONG),
];
