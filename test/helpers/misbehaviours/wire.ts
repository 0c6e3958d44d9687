import type { Socket } from "node:net";
import { type Act, CHUNKED, half, OK, pour, type Remake, raw, resend, same, trickle } from "./encounter.ts";
import { AT_ALL, borne, failing, meeting, taken } from "./row.ts";

const whole = (body: Buffer, headers = "") =>
  Buffer.concat([Buffer.from(`${OK}content-length: ${body.length}\r\n${headers}\r\n`), body]);
const EMPTY = whole(Buffer.from('{"code":0,"message":"OK","data":{"records":[],"total":0}}'));

/** The body under such headers. */
const under = (headers: string, version = "1.1") =>
  raw((body) => Buffer.concat([Buffer.from(`${OK.replace("1.1", version)}${headers}\r\n`, "latin1"), body]));
const lengths = (...sizes: (number | string)[]) => under(sizes.map((size) => `content-length: ${size}\r\n`).join(""));
const tooLong: Act = ({ send, honest: { body } }) => send(body, { "content-length": `${body.length + 10}` });
const tooShort = raw((body) => `${OK}content-length: ${body.length - 10}\r\n\r\n${body.toString("latin1")}`);
const resetInTheBody: Act = ({ socket }) =>
  void socket.write(`${OK}content-length: 100\r\n\r\n{`, () => socket.resetAndDestroy());
const cut: Remake = (body) => whole(body).subarray(0, -body.length >> 1);
const last: Remake = (body) => whole(body, "connection: close\r\n");
const halved: Remake = (body) =>
  `${CHUNKED}${half(body).length.toString(16)}\r\n${half(body).toString("latin1")}\r\nno-size\r\n}}\r\n0\r\n\r\n`;

const storm: Act = ({ socket, honest, send }) => {
  socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(2000));
  send(honest.body);
};
const twice: Act = ({ socket, honest, send }) => {
  socket.cork();
  send(honest.body);
  socket.write(EMPTY);
  socket.uncork();
};
// If it comes after the next request is on its way, nothing in HTTP/1.1 says whose answer it is (RFC 9112, 9.2).
const twiceSlowly: Act = ({ socket, honest, send }) => {
  send(honest.body);
  setTimeout(() => socket.write(EMPTY), 2);
};
const before: Act = ({ socket, honest, send }) => {
  if (socket.bytesWritten > 0) socket.write(EMPTY);
  send(honest.body);
};
const bodies = new WeakMap<Socket, Buffer>();
const shift: Act = ({ socket, honest: { body }, send }) => {
  send(bodies.get(socket) ?? body);
  bodies.set(socket, body);
};

const LONG = `${OK}content-length: 104857600\r\n\r\n`;
const BOTH = "content-length: 5\r\ntransfer-encoding: chunked\r\n";
const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n";
const [BYTES, WORDS] = ["1\r\nx\r\n".repeat(8192), "e=f;".repeat(4096)];
const CHUNK = `10000\r\n${"x".repeat(0x10000)}\r\n`;
const slow = { slow: true } as const;
const patient = { ...slow, args: ["--timeout", "30"], seconds: 60 };

/** How an answer is wrapped into HTTP, and what becomes of its connection. */
export const WIRE = {
  reset: failing("unreachable", "a reset", ({ socket }) => void socket.resetAndDestroy()),
  "reset-in-the-body": failing("unreachable", "a reset after the first byte of the body", resetInTheBody),
  closed: failing("unreachable", "the end of the connection", raw("")),
  "closed-in-the-headers": failing("unreachable", "half a header, and the end", raw(`${OK}conte`)),
  truncated: failing("unreachable", "half of the body, and the end", raw(cut)),
  "closed-after-each": borne("the right answer, and the end", raw(last)),
  drip: failing("timeout", "a body without end, byte by byte", trickle(LONG, "x"), { seconds: 12 }),
  "drip-headers": failing("timeout", "headers without end, one by one", trickle(OK, "x-a: b\r\n"), { seconds: 12 }),
  "endless-body": failing("oversized", "a body without end", pour(CHUNKED, CHUNK)),
  "endless-refusal": failing("oversized", "500 with a body without end", pour(CHUNKED.replace("200", "500"), CHUNK)),
  "endless-line": failing("oversized", "100 MiB in one line", pour(`${LONG}{"x":"`, CHUNK)),
  "endless-headers": failing("not-http", "headers without end", pour(OK, `x-more: ${"y".repeat(1000)}\r\n`)),
  "endless-chunks": failing("oversized", "chunks of a byte, without end", pour(CHUNKED, BYTES), patient),
  "endless-chunk-extension": failing("timeout", "a word on a chunk, without end", pour(`${CHUNKED}1;`, WORDS), slow),
  "length-too-long": failing("timeout", "a length of ten bytes more than there are", tooLong),
  "length-too-short": failing("not-json", "a length of ten bytes less than there are", tooShort),
  "length-twice": failing("not-http", "two lengths", lengths(5, 1000)),
  "length-negative": failing("unreachable", "a length of -1", lengths(-1)),
  "length-of-20-digits": failing("not-http", "a length of 20 digits", lengths("9".repeat(20))),
  "length-and-chunks": failing("not-http", "a length and chunks", under(BOTH)),
  "chunk-of-18-digits": failing("unreachable", "a chunk of 18 digits", raw(`${CHUNKED}${"f".repeat(18)}\r\nx`)),
  "chunk-without-a-size": failing("unreachable", "half of the body in a chunk, and no size of the next", raw(halved)),
  "no-http": failing("unreachable", "another protocol", raw("SSH-2.0-OpenSSH_9.6\r\n")),
  "http-0.9": failing("unreachable", "the body alone", raw(same)),
  "http-1.0": borne("the right answer in HTTP/1.0", under("", "1.0")),
  "status-garbled": failing("unreachable", "200 with letters", raw("HTTP/1.1 2OO OK\r\n\r\n")),
  "status-100": failing("unreachable", "100, and the end", raw("HTTP/1.1 100 Continue\r\n\r\n")),
  "status-101": failing("unreachable", "another protocol from now on", raw(UPGRADE)),
  "storm-of-103": borne("the right answer after 2,000 hints", storm),
  "header-with-nul": failing("unreachable", "a header with a NUL", under("x: a\0b\r\n")),
  "headers-10000": failing("not-http", "10,000 cookies", under("set-cookie: a=b\r\n".repeat(10_000))),
  cookie: borne("the right answer with a cookie", resend(same, { "set-cookie": "session=steal; Path=/" })),
  "ends-with-the-connection": borne("the right answer without a length", under("connection: close\r\n")),
  "second-answer": borne("the right answer and an empty one at once", twice),
  "second-answer-late": taken("the right answer, and an empty one soon", twiceSlowly),
  ...meeting(AT_ALL, {
    "second-answer-before-the-next": taken("an empty answer before each but the first of a connection", before),
    "answer-of-the-one-before": taken("the answer to the request before it on its connection", shift),
  }),
};
