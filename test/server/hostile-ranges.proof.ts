/** Odd ranges and conditions: what comes as a part is that part of the file, and what is not understood does no harm. */
import { closeSync, openSync, readSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Answer } from "../helpers/hostile/answers.ts";
import { attack } from "../helpers/hostile/attack.ts";
import type { Conversation } from "../helpers/hostile/conversation.ts";
import { many, odd, write } from "../helpers/hostile/requests.ts";
import { startTarget, type Target } from "../helpers/hostile/target.ts";
import { world } from "../helpers/world.ts";

let target: Target;
beforeAll(async () => {
  target = await startTarget(world.nights.data);
});
afterAll(() => target.stop());

test("ranges that are odd, or none, or several", async () => {
  const { version, size } = target.facts;
  const file = `/snapshots/${version}.sqlite`;
  const toHeader = (range: string) => `range: ${range.replace("E", String(size)).replace("S", String(size - 50))}\r\n`;
  const others = [`/snapshots/${version}.json`, "/snapshots/latest.json", PAGE];
  const conversations = [
    ...[...RANGES, ...NONE].flatMap((range) => others.flatMap((path) => ask(path, toHeader(range)))),
    ...RANGES.flatMap((range) => ask(file, toHeader(range))),
    // These mean the whole file, which is not fetched a hundred times.
    ...NONE.flatMap((range) => ask(file, toHeader(range), ["HEAD"])),
  ];
  expect(await attack(target, conversations)).toEqual([]);
});

test("conditions that are odd, with and without a range", async () => {
  const { version, url } = target.facts;
  const file = `/snapshots/${version}.sqlite`;
  const paths = [file, `/snapshots/${version}.json`, "/snapshots/latest.json", "/snapshots/", PAGE, "/api/"];
  const conversations = paths.map(async (path) => {
    const { headers } = await fetch(url + path, { method: "HEAD" });
    const conditions = CONDITIONS.map((one) => `${one.replace(/T(?!h)/, headers.get("etag") ?? '"none"')}\r\n`);
    return conditions.flatMap((condition) => [
      ...ask(path, condition, path === file ? ["HEAD"] : METHODS),
      ...ask(path, `${condition}range: bytes=0-9\r\n`),
    ]);
  });
  expect(await attack(target, (await Promise.all(conversations)).flat())).toEqual([]);
});

const PAGE = "/api/heroes?size=2";

/** `E` is the length of the file, `S` a little less. */
const RANGES: readonly string[] = [
  ...["bytes=0-0", "bytes=0-99", "bytes=-1", "bytes=-0", "bytes=-100", "bytes=E-", "bytes=S-", "bytes=S-E"],
  ...["bytes=E-99999999999999999999", "bytes=S-99999999999999999999", "bytes=99999999999999999999-"],
  ...[`bytes=${many(5000, "9")}-`, `bytes=${many(5000, "0")}-9`, "bytes = 0 - 9", "BYTES=0-9"],
  `bytes=0-9${many(4000, " ")}`,
];

/** Not ranges, or several. */
const NONE: readonly string[] = [
  ...["bytes=", "bytes=-", "bytes=--1", "bytes=a-b", "bytes=0-9,20-29", `bytes=${many(3000, "0-0,")}0-0`],
  ...["bytes=100-99", "bytes=E-S", "bytes=0x0-0x9", "bytes=1e1-2e1", "bytes=+0-9", "bytes 0-9", "bytes=0-9;x"],
  ...["items=0-9", "\u00ff", ""],
];

/** `T` is the entity tag that the file or the page really has. */
const CONDITIONS: readonly string[] = [
  ...["if-none-match: *", "if-none-match: T", "if-none-match: W/T", 'if-none-match: "a", T', 'if-none-match: "'],
  ...[`if-none-match: ${many(3000, '"",')}T`, "if-none-match: T T", `if-none-match: ${many(14_000, '"')}`],
  ...[`if-none-match: ${many(2000, "W/")}T`, "if-none-match:", "if-match: *", "if-match: T", 'if-match: "other"'],
  ...["if-match: W/T", `if-match: ${many(5000, ", ")}`, "if-modified-since: Thu, 01 Jan 1970 00:00:00 GMT"],
  ...["if-modified-since: Fri, 31 Dec 9999 23:59:59 GMT", "if-modified-since: never", "if-modified-since: -1"],
  ...[`if-modified-since: ${many(5000, "Thu, ")}`, "if-unmodified-since: Thu, 01 Jan 1970 00:00:00 GMT"],
  ...["if-range: T", 'if-range: "other"', "if-range: W/T", "if-range: Thu, 01 Jan 1970 00:00:00 GMT"],
];

const METHODS = ["GET", "HEAD"];

const ask = (path: string, header: string, methods: readonly string[] = METHODS): Conversation[] =>
  methods.map((method) =>
    odd(`${method} ${path} ${header.slice(0, 60)}`, write(method, path, header), {
      method,
      path,
      status: [200, 206, 304, 400, 404, 412, 416, 431],
      check: isPart,
    }),
  );

/** The bytes of a part are those of the file. */
function isPart({ status, headers, body }: Answer): string | undefined {
  if (status !== 206) return undefined;
  const { file, size } = target.facts;
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
  if (Number(total) !== size) return `the content-range ${headers["content-range"]}`;
  const wanted = Buffer.alloc(Number(end) - Number(start) + 1);
  const opened = openSync(file, "r");
  readSync(opened, wanted, 0, wanted.length, Number(start));
  closeSync(opened);
  return wanted.equals(body) ? undefined : "a part with other bytes than the file";
}
