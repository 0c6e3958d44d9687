import type { Socket } from "node:net";
import { type Act, CHUNKED, OK, pour, raw, resend, trickle } from "./exchange.ts";
import { ALL, borne, failing, meeting, taken } from "./row.ts";

const half = (body: Buffer) => body.subarray(0, body.length >> 1);
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
const before = new WeakMap<Socket, Buffer>();
const shift: Act = ({ socket, honest: { body }, send }) => {
  send(before.get(socket) ?? body);
  before.set(socket, body);
};
const CHUNK = `10000\r\n${"x".repeat(0x10000)}\r\n`;
const patient = { args: ["--timeout", "30"], slow: true, seconds: 60 } as const;

/** How an answer is wrapped into HTTP, and what becomes of its connection. */
export const WIRE = {
  reset: failing("unreachable", "a reset", ({ socket }) => void socket.resetAndDestroy()),
  "reset-in-the-body": failing("unreachable", "a reset after the first byte of the body", resetInTheBody),
  closed: failing(
    "unreachable",
    "the end of the connection",
    raw(() => ""),
  ),
  "closed-in-the-headers": failing(
    "unreachable",
    "half a header, and the end",
    raw(() => `${OK}conte`),
  ),
  truncated: failing(
    "unreachable",
    "half of the body, and the end",
    raw((body) => whole(body).subarray(0, -body.length >> 1)),
  ),
  "closed-after-each": borne(
    "the right answer, and the end",
    raw((body) => whole(body, "connection: close\r\n")),
  ),
  drip: failing("timeout", "a body without end, byte by byte", trickle(`${OK}content-length: 100000\r\n\r\n`, "x"), {
    seconds: 12,
  }),
  "drip-headers": failing("timeout", "headers without end, one by one", trickle(OK, "x-a: b\r\n"), { seconds: 12 }),
  "endless-body": failing("oversized", "a body without end", pour(CHUNKED, CHUNK)),
  "endless-refusal": failing("oversized", "500 with a body without end", pour(CHUNKED.replace("200", "500"), CHUNK)),
  "endless-line": failing(
    "oversized",
    "100 MiB in one line",
    pour(`${OK}content-length: 104857600\r\n\r\n{"x":"`, CHUNK),
  ),
  "endless-headers": failing("not-http", "headers without end", pour(OK, `x-more: ${"y".repeat(1000)}\r\n`)),
  "endless-chunks": failing(
    "oversized",
    "chunks of a byte, without end",
    pour(CHUNKED, "1\r\nx\r\n".repeat(8192)),
    patient,
  ),
  "endless-chunk-extension": failing(
    "timeout",
    "an extension of a chunk, without end",
    pour(`${CHUNKED}1;`, "e=f;".repeat(4096)),
    { slow: true },
  ),
  "length-too-long": failing("timeout", "a length of ten bytes more than there are", tooLong),
  "length-too-short": failing("not-json", "a length of ten bytes less than there are", tooShort),
  "length-twice": failing("not-http", "two lengths", lengths(5, 1000)),
  "length-negative": failing("unreachable", "a length of -1", lengths(-1)),
  "length-of-20-digits": failing("not-http", "a length of 20 digits", lengths("9".repeat(20))),
  "length-and-chunks": failing(
    "not-http",
    "a length and chunks",
    under("content-length: 5\r\ntransfer-encoding: chunked\r\n"),
  ),
  "chunk-of-18-digits": failing(
    "unreachable",
    "a chunk of 18 digits",
    raw(() => `${CHUNKED}${"f".repeat(18)}\r\nx`),
  ),
  "chunk-without-a-size": failing(
    "unreachable",
    "half of the body in a chunk, and no size of the next",
    raw(
      (body) =>
        `${CHUNKED}${half(body).length.toString(16)}\r\n${half(body).toString("latin1")}\r\nno-size\r\n}}\r\n0\r\n\r\n`,
    ),
  ),
  "no-http": failing(
    "unreachable",
    "another protocol",
    raw(() => "SSH-2.0-OpenSSH_9.6\r\n"),
  ),
  "http-0.9": failing(
    "unreachable",
    "the body alone",
    raw((body) => body),
  ),
  "http-1.0": borne("the right answer in HTTP/1.0", under("", "1.0")),
  "status-garbled": failing(
    "unreachable",
    "200 with letters",
    raw(() => "HTTP/1.1 2OO OK\r\n\r\n"),
  ),
  "status-100": failing(
    "unreachable",
    "100, and the end",
    raw(() => "HTTP/1.1 100 Continue\r\n\r\n"),
  ),
  "status-101": failing(
    "unreachable",
    "another protocol from now on",
    raw(() => "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
  ),
  "storm-of-103": borne("the right answer after 2,000 hints", ({ socket, honest, send }) => {
    socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(2000));
    send(honest.body);
  }),
  "header-with-nul": failing("unreachable", "a header with a NUL", under("x: a\0b\r\n")),
  "headers-10000": failing("not-http", "10,000 cookies", under("set-cookie: a=b\r\n".repeat(10_000))),
  cookie: borne(
    "the right answer with a cookie",
    resend((body) => body, { "set-cookie": "session=steal; Path=/" }),
  ),
  "ends-with-the-connection": borne("the right answer without a length", under("connection: close\r\n")),
  "second-answer": borne("the right answer and an empty one at once", ({ socket, honest, send }) => {
    socket.cork();
    send(honest.body);
    socket.write(EMPTY);
    socket.uncork();
  }),
  ...meeting(ALL, {
    "second-answer-before-the-next": taken(
      "an empty answer before each but the first of a connection",
      ({ socket, honest, send }) => {
        if (socket.bytesWritten > 0) socket.write(EMPTY);
        send(honest.body);
      },
    ),
    "answer-of-the-one-before": taken("the answer to the request before it on its connection", shift),
  }),
  // If it comes after the next request is on its way, nothing in HTTP/1.1 says whose answer it is (RFC 9112, 9.2).
  "second-answer-late": taken("the right answer, and an empty one soon", ({ socket, honest, send }) => {
    send(honest.body);
    setTimeout(() => socket.write(EMPTY), 2);
  }),
};
