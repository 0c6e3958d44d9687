import { closeSync, openSync, readSync } from "node:fs";
import { request } from "undici";
import type { Answer } from "./answers.ts";
import type { Attack } from "./attack.ts";
import type { Asked } from "./conversation.ts";
import { odd, write } from "./requests.ts";
import type { Facts } from "./target.ts";

const many = (count: number, text: string) => text.repeat(count);

/** The last bytes only: a range that is not understood may be answered with the whole file. */
const RANGES: readonly string[] = [
  "bytes=0-0",
  "bytes=0-99",
  "bytes=-1",
  "bytes=-0",
  "bytes=-100",
  "bytes=100-99",
  "bytes=E-",
  "bytes=S-",
  "bytes=S-E",
  "bytes=E-S",
  "bytes=E-99999999999999999999",
  "bytes=S-99999999999999999999",
  "bytes=99999999999999999999-",
  `bytes=${many(5000, "9")}-`,
  `bytes=${many(5000, "0")}-9`,
  "bytes=0x0-0x9",
  "bytes=1e1-2e1",
  "bytes=+0-9",
  "bytes = 0 - 9",
  "BYTES=0-9",
  `bytes=0-9${many(4000, " ")}`,
];
/** Not ranges, or more than one: asked with HEAD, which may answer as if there was none. */
const NONE: readonly string[] = [
  "bytes=",
  "bytes=-",
  "bytes=--1",
  "bytes=a-b",
  "bytes=0-9,20-29",
  `bytes=${many(3000, "0-0,")}0-0`,
  "bytes 0-9",
  "bytes=0-9;x",
  "items=0-9",
  "\u00ff",
  "",
];
/** `T` is the entity tag that the file or the page really has. */
const CONDITIONS: readonly string[] = [
  "if-none-match: *",
  "if-none-match: T",
  "if-none-match: W/T",
  'if-none-match: "a", T',
  `if-none-match: ${many(3000, '"",')}T`,
  'if-none-match: "',
  "if-none-match: T T",
  `if-none-match: ${many(14_000, '"')}`,
  `if-none-match: ${many(2000, "W/")}T`,
  "if-none-match:",
  "if-match: *",
  "if-match: T",
  'if-match: "other"',
  "if-match: W/T",
  `if-match: ${many(5000, ", ")}`,
  "if-modified-since: Thu, 01 Jan 1970 00:00:00 GMT",
  "if-modified-since: Fri, 31 Dec 9999 23:59:59 GMT",
  "if-modified-since: never",
  `if-modified-since: ${many(5000, "Thu, ")}`,
  "if-modified-since: -1",
  "if-unmodified-since: Thu, 01 Jan 1970 00:00:00 GMT",
  "if-range: T",
  'if-range: "other"',
  "if-range: W/T",
  "if-range: Thu, 01 Jan 1970 00:00:00 GMT",
];

/** The bytes of a part are those of the file. */
function partOf({ file, size }: Facts) {
  return ({ status, headers, body }: Answer): string | undefined => {
    if (status !== 206) return undefined;
    const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
    if (Number(total) !== size) return `the content-range ${headers["content-range"]}`;
    const wanted = Buffer.alloc(Number(end) - Number(start) + 1);
    const opened = openSync(file, "r");
    readSync(opened, wanted, 0, wanted.length, Number(start));
    closeSync(opened);
    return wanted.equals(body) ? undefined : "a part with other bytes than the file";
  };
}

async function cases(facts: Facts) {
  const { version, size, url } = facts;
  const file = `/snapshots/${version}.sqlite`;
  const name = (text: string) => text.replaceAll("E", String(size)).replaceAll("S", String(size - 50));
  const check = partOf(facts);
  const status = [200, 206, 304, 400, 404, 412, 416, 431];
  const ask = (method: string, path: string, headers: string) => {
    const asked: Asked = { method, path, status, check };
    return odd(`${method} ${path} ${headers.slice(0, 60)}`, write(method, path, headers), asked);
  };
  const ranged = RANGES.flatMap((range) => {
    const header = `range: ${name(range)}\r\n`;
    const small = ["/snapshots/latest.json", "/api/heroes?size=1"].map((path) => ask("GET", path, header));
    // What means the whole file is not fetched a hundred times.
    const whole = /0x|1e1|\+0|100-99|E-S|^bytes=-0/.test(range);
    return [...small, ask("HEAD", file, header), ...(whole ? [] : [ask("GET", file, header)])];
  });
  const none = NONE.flatMap((range) => {
    const header = `range: ${range}\r\n`;
    return [ask("HEAD", file, header), ask("GET", `/snapshots/${version}.json`, header)];
  });
  const paths = [
    file,
    `/snapshots/${version}.json`,
    "/snapshots/latest.json",
    "/snapshots/",
    "/api/heroes?size=2",
    "/api/",
  ];
  const conditional = await Promise.all(
    paths.map(async (path) => {
      const { headers, body } = await request(url + path, { method: "HEAD" });
      await body.dump();
      const tag = String(headers.etag ?? '"none"');
      return CONDITIONS.flatMap((condition) => {
        const header = `${condition.replace(/T(?!h)/, tag)}\r\n`;
        // A range under a condition that does not hold means the whole file: once is enough.
        const whole = /^if-range: (W|Thu)/.test(condition);
        const part = ask(path === file && !whole ? "GET" : "HEAD", path, `${header}range: bytes=0-9\r\n`);
        return [ask("HEAD", path, header), ...(path === file ? [] : [ask("GET", path, header)]), part];
      });
    }),
  );
  return [...ranged, ...none, ...conditional.flat()];
}

export const RANGES_ASKED: readonly Attack[] = [
  { name: "ranges and conditions", together: 8, cases: async (draw, facts) => draw.some(await cases(facts), 200) },
];
