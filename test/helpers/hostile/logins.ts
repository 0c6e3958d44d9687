import type { Draw } from "../draw.ts";
import type { Attack } from "./attack.ts";
import type { Asked, Conversation } from "./conversation.ts";
import { write } from "./requests.ts";
import { SECRET } from "./secrets.ts";

const LOGIN = "/api/user/auth/login";
const CHUNKED = "transfer-encoding: chunked\r\n";
const JSON_TYPE = "content-type: application/json\r\n";

const body = `{"role_id":1,"zone_id":2,"vc":"${SECRET}"}`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const asked = (path = LOGIN, ...status: number[]): Asked => ({
  method: "POST",
  path,
  ...(status.length > 0 && { status }),
});

const LIMIT = 16_384;
const KILO = "k".repeat(1000);

interface Large {
  name: string;
  headers: string;
  pieces: (string | Buffer)[];
  pause?: number;
  status: number[];
}

const large = (name: string, headers: string, pieces: (string | Buffer)[], pause?: number, status = [413]): Large => ({
  name,
  headers,
  pieces,
  ...(pause !== undefined && { pause }),
  status,
});
const inPieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

/** Bodies above the limit, and next to it. */
const LARGE: readonly Large[] = [
  large("one chunk of 100,000 bytes", CHUNKED, [chunk("x".repeat(100_000))]),
  large("one chunk of 100,000 bytes and the last one", CHUNKED, [`${chunk("x".repeat(100_000))}0\r\n\r\n`]),
  large("one chunk of 17,000 bytes", CHUNKED, [chunk("x".repeat(17_000))]),
  large("one chunk of 17,000 bytes and the last one", CHUNKED, [`${chunk("x".repeat(17_000))}0\r\n\r\n`]),
  large("a chunk a byte too long", CHUNKED, [`${chunk("x".repeat(LIMIT + 1))}0\r\n\r\n`]),
  large("a chunk that just fits", CHUNKED, [`${chunk("x".repeat(LIMIT))}0\r\n\r\n`], undefined, [200]),
  large("20 chunks of 1000 bytes, a millisecond apart", CHUNKED, Array(20).fill(chunk(KILO)), 1),
  large("20,000 bytes in chunks of 1", CHUNKED, inPieces(chunk("x").repeat(20_000), 4000), 0),
  large("5 MB in chunks of 64 KB", CHUNKED, Array(80).fill(chunk("x".repeat(65_536))), 0),
  large("a chunk that says it is 4 GB", CHUNKED, [`ffffffff\r\n${"x".repeat(50_000)}`]),
  large("100,000 bytes that are announced", "content-length: 100000\r\n", ["x".repeat(100_000)]),
  large("5 MB that are announced", "content-length: 5000000\r\n", Array(50).fill("x".repeat(100_000)), 0),
  large("a byte too many", `content-length: ${LIMIT + 1}\r\n`, ["x".repeat(LIMIT + 1)]),
  large("just as many as fit", `content-length: ${LIMIT}\r\n`, ["x".repeat(LIMIT)], undefined, [200]),
  large("too many that are announced and do not come", "content-length: 999999999\r\n", []),
  large("too many, asked for first", "expect: 100-continue\r\ncontent-length: 100000\r\n", ["x".repeat(100_000)], 5),
  large("too many in chunks, asked for first", `expect: 100-continue\r\n${CHUNKED}`, [chunk("x".repeat(20_000))], 5),
];

/** Sent in one with its head, and after it. */
const tooLarge = LARGE.flatMap(({ name, headers, pieces, pause, status }): Conversation[] => {
  const head = write("POST", LOGIN, JSON_TYPE + headers);
  const rest = { asked: [asked(LOGIN, ...status)], answers: "closing" as const, ...(pause !== undefined && { pause }) };
  return [
    { name, pieces: [head + (pieces[0] ?? ""), ...pieces.slice(1)], ...rest },
    { name: `${name}, after the head`, pieces: [head, ...pieces], ...rest, pause: pause ?? 2 },
  ];
});

/** Bodies that come slowly, or not whole. */
function cut(draw: Draw): Conversation {
  const chunked = draw.below(2) === 0;
  const text = chunked ? `${chunk(body)}0\r\n\r\n` : body;
  const bytes = write("POST", LOGIN, chunked ? CHUNKED : `content-length: ${body.length}\r\n`, text);
  const whole = draw.below(3) === 0;
  const sent = bytes.slice(0, whole ? bytes.length : bytes.length - 1 - draw.below(text.length));
  const pieces = draw.below(2) === 0 ? [...sent] : inPieces(sent, 1 + draw.below(60));
  const name = `${whole ? "a whole" : "a cut"} body in ${pieces.length} pieces`;
  if (whole) return { name, pieces, pause: 0, asked: [asked(LOGIN, 200)], answers: "all" };
  const end = draw.below(2) === 0 ? { half: true } : { leaves: 1 + draw.below(200) };
  return { name, pieces, pause: 0, asked: [asked(LOGIN)], answers: "any", ...end };
}

export const KILLER: Attack = {
  name: "killer: one chunked login body above the limit",
  together: 4,
  cases: () => tooLarge,
};

export const LOGINS: readonly Attack[] = [
  {
    name: "logins: bodies above the limit, many at once",
    level: "debug",
    together: 40,
    cases: () => [...tooLarge, ...tooLarge, ...tooLarge],
  },
  {
    name: "logins: bodies that drip or are cut",
    level: "debug",
    together: 16,
    cases: (draw) => Array.from({ length: draw.many(300, 60) }, () => cut(draw)),
  },
];
