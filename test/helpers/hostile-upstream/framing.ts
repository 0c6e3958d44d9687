import { borne, type Exchange, failing, JSON_TYPE, type Mode, OK, raw, taken } from "./mode.ts";

/** Writes pieces as long as they are taken. */
function pour({ socket }: Exchange, head: string, piece: string | Buffer) {
  const bytes = Buffer.from(piece);
  socket.write(Buffer.from(head, "latin1"));
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
    if (!socket.destroyed) socket.once("drain", more);
  };
  more();
}

function trickle({ socket }: Exchange, head: string, piece: string) {
  socket.write(head);
  const timer = setInterval(() => socket.write(piece), 50);
  socket.once("close", () => clearInterval(timer));
}

const chunk = (body: Buffer | string) => `${Buffer.byteLength(body).toString(16)}\r\n${body.toString()}\r\n`;
const whole = (body: Buffer, headers = "") =>
  Buffer.concat([Buffer.from(`${OK}content-length: ${body.length}\r\n${headers}\r\n`, "latin1"), body]);
const forged = Buffer.from('{"code":0,"message":"OK","data":{"records":[],"total":0}}');

/** How an answer is wrapped into HTTP. */
export const FRAMING: Mode[] = [
  failing("endless-body", "oversized", (exchange) =>
    pour(exchange, `${OK}transfer-encoding: chunked\r\n\r\n`, `10000\r\n${"x".repeat(0x10000)}\r\n`),
  ),
  failing("endless-headers", "not-http", (exchange) => pour(exchange, OK, `x-more: ${"y".repeat(1000)}\r\n`)),
  failing("endless-chunk-extension", "timeout", (exchange) =>
    pour(exchange, `${OK}transfer-encoding: chunked\r\n\r\n1;`, "e=f;".repeat(4096)),
  ),
  failing("line-of-100-mb", "oversized", (exchange) =>
    pour(exchange, `${OK}content-length: 104857600\r\n\r\n{"x":"`, "z".repeat(2 ** 20)),
  ),
  failing(
    "chunks-tiny",
    "oversized",
    (exchange) => pour(exchange, `${OK}transfer-encoding: chunked\r\n\r\n`, "1\r\nx\r\n".repeat(8192)),
    { seconds: 60, args: ["--timeout", "30"] },
  ),
  failing("drip", "timeout", (exchange) => trickle(exchange, `${OK}content-length: 100000\r\n\r\n`, "x"), {
    seconds: 12,
  }),
  failing("drip-headers", "timeout", (exchange) => trickle(exchange, OK, "x-a: b\r\n"), { seconds: 12 }),
  failing("never-answers", "timeout", () => undefined, { seconds: 12 }),
  failing(
    "half-open",
    "unreachable",
    raw(() => `${OK}content-length: 100\r\n\r\n{"code"`),
  ),
  failing(
    "empty-reply",
    "unreachable",
    raw(() => ""),
  ),
  failing("reset", "unreachable", ({ socket }) => void socket.resetAndDestroy()),
  failing(
    "reset-in-the-body",
    "unreachable",
    ({ socket }) => void socket.write(`${OK}content-length: 100\r\n\r\n{`, () => socket.resetAndDestroy()),
  ),
  failing(
    "length-too-long",
    "timeout",
    raw((body) => Buffer.concat([Buffer.from(`${OK}content-length: ${body.length + 10}\r\n\r\n`), body]), "stay"),
    { seconds: 12 },
  ),
  failing(
    "length-too-short",
    "not-json",
    raw((body) => Buffer.concat([Buffer.from(`${OK}content-length: ${body.length - 10}\r\n\r\n`), body])),
  ),
  failing(
    "length-twice",
    "not-http",
    raw((body) => `${OK}content-length: 5\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
  ),
  failing(
    "length-negative",
    "unreachable",
    raw((body) => `${OK}content-length: -1\r\n\r\n${body}`),
  ),
  failing(
    "length-of-20-digits",
    "not-http",
    raw((body) => `${OK}content-length: 99999999999999999999\r\n\r\n${body}`),
  ),
  failing(
    "length-and-chunked",
    "not-http",
    raw((body) => `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n${chunk(body)}0\r\n\r\n`),
  ),
  failing(
    "chunk-size-huge",
    "unreachable",
    raw(() => `${OK}transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\nx`),
  ),
  failing(
    "chunk-size-no-number",
    "unreachable",
    raw(() => `${OK}transfer-encoding: chunked\r\n\r\nzz\r\nx`),
  ),
  failing(
    "no-http-at-all",
    "unreachable",
    raw(() => "SSH-2.0-OpenSSH_9.6\r\n"),
  ),
  failing(
    "http-0.9",
    "unreachable",
    raw((body) => body),
  ),
  failing(
    "status-line-garbled",
    "unreachable",
    raw(() => "HTTP/1.1 2OO OK\r\n\r\n"),
  ),
  failing("status-999", "server-error", ({ send }) => send("{}", {}, "999 Odd")),
  failing(
    "status-100-and-no-more",
    "unreachable",
    raw(() => "HTTP/1.1 100 Continue\r\n\r\n"),
  ),
  failing(
    "status-101",
    "unreachable",
    raw(() => "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
  ),
  failing("status-204", "rejected", ({ socket }) => void socket.write("HTTP/1.1 204 No Content\r\n\r\n")),
  failing("status-205", "rejected", ({ send }) => send("", {}, "205 Reset Content")),
  failing("status-206", "rejected", ({ send, honest }) =>
    send(honest.subarray(0, 20), { "content-range": "bytes 0-19/9999" }, "206 Partial Content"),
  ),
  failing(
    "status-304",
    "redirected",
    ({ socket }) => void socket.write('HTTP/1.1 304 Not Modified\r\netag: "x"\r\n\r\n'),
  ),
  failing(
    "headers-10000-cookies",
    "not-http",
    ({ socket }) => void socket.write(`${OK}${"set-cookie: a=b\r\n".repeat(10_000)}\r\n`),
  ),
  failing(
    "header-with-nul",
    "unreachable",
    raw((body) => `${OK}x: a\0b\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
  ),
  borne("storm-of-103", ({ socket, pass }) => {
    socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n".repeat(2000));
    pass();
  }),
  borne("cookies", ({ send, honest }) => send(honest, { "set-cookie": "session=steal; Path=/" })),
  borne(
    "http-1.0",
    raw((body) => Buffer.concat([Buffer.from(`HTTP/1.0 200 OK\r\n${JSON_TYPE}\r\n`), body])),
  ),
  borne(
    "ends-with-the-connection",
    raw((body) => Buffer.concat([Buffer.from(`${OK}connection: close\r\n\r\n`), body])),
  ),
  borne(
    "second-answer-unasked",
    raw((body) => Buffer.concat([whole(body), whole(forged)]), "stay"),
  ),
  // Where it comes after the next request is on its way, nothing in HTTP/1.1 says whose answer it is (RFC 9112, 9.2).
  taken("second-answer-late", ({ socket, pass }) => {
    pass();
    setTimeout(() => socket.write(whole(forged)), 2);
  }),
  borne("closed-after-each", ({ socket, honest }) => void socket.end(whole(honest, "connection: close\r\n"))),
];
