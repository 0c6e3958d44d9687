import { pipeline, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { type Exchange, type Injector, send, withBody, withHeaders } from "./exchange.ts";
import { type Knobs, numberKnob, textKnob } from "./faults.ts";
import type { Answer } from "./target.ts";

/** A fault in how the target's answer is sent. Nothing can be done to one without a body. */
const resend =
  (act: (exchange: Exchange, answer: Answer, knobs: Knobs) => void): Injector =>
  async (exchange, knobs) => {
    const answer = await exchange.fetch();
    return answer.body.length === 0 ? undefined : () => act(exchange, withBody(answer, answer.body), knobs);
  };

const half = (body: Buffer) => body.subarray(0, body.length >> 1);

/** Ends the connection when what was written is sent. */
function close({ request, leave }: Exchange): void {
  leave();
  request.socket.destroySoon();
}

/** Sends the body under another header of that name. */
const relabel = (exchange: Exchange, answer: Answer, name: string, value: string) =>
  send(exchange, withHeaders(answer, { [name]: value }));

function damage(body: Buffer): Buffer {
  const bytes = gzipSync(body);
  // In the middle the data, at the end the checksum and the length: one of them is noticed whatever the reader checks.
  for (const at of [bytes.length >> 1, bytes.length - 8, bytes.length - 1]) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}

function drip({ response, leave }: Exchange, { status, text, headers, body }: Answer, delay: number): void {
  let sent = 0;
  response.writeHead(status, text, headers).flushHeaders();
  const timer = setInterval(() => {
    sent += 1;
    if (sent < body.length) return response.write(body.subarray(sent - 1, sent));
    leave();
    response.end(body.subarray(sent - 1));
  }, delay);
  response.once("close", () => clearInterval(timer));
}

function* flood(megabytes: number, end: () => void): Generator<Buffer> {
  const filler = Buffer.from(`{"data":{"name":"${"x".repeat(2 ** 16)}"}},\n`);
  yield Buffer.from('{"code":0,"message":"OK","data":{"records":[\n');
  for (let sent = 0; sent < megabytes * 2 ** 20; sent += filler.length) yield filler;
  end();
  yield Buffer.from('{}],"total":1}}');
}

export const WIRE = {
  truncated: resend((exchange, { status, text, headers, body }) => {
    exchange.response.writeHead(status, text, headers).write(half(body), () => close(exchange));
  }),
  "truncated-json": resend((exchange, answer) => send(exchange, withBody(answer, half(answer.body)))),
  oversized: ({ response, leave }, knobs) => {
    const chunks = flood(numberKnob(knobs, "megabytes", 64), leave);
    return () => {
      response.writeHead(200, { "content-type": "application/json" });
      // A client that has enough is no error.
      pipeline(Readable.from(chunks), response, () => {});
    };
  },
  reset: (exchange, knobs) => {
    const { socket } = exchange.request;
    if (textKnob(knobs, "at", "start") === "start") {
      return () => {
        exchange.leave();
        socket.resetAndDestroy();
      };
    }
    // Closed and not reset: a reset may overtake the bytes before it.
    return () => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-le");
      close(exchange);
    };
  },
  hang: () => () => {},
  "slow-drip": resend((exchange, answer, knobs) => drip(exchange, answer, numberKnob(knobs, "delay", 20))),
  gzip: resend((exchange, answer) =>
    relabel(exchange, withBody(answer, gzipSync(answer.body)), "content-encoding", "gzip"),
  ),
  "gzip-broken": resend((exchange, answer) =>
    relabel(exchange, withBody(answer, damage(answer.body)), "content-encoding", "gzip"),
  ),
  "wrong-type": resend((exchange, answer) => relabel(exchange, answer, "content-type", "text/plain")),
  "huge-headers": resend((exchange, answer, knobs) => {
    const lines = Math.ceil(numberKnob(knobs, "bytes", 2 ** 16) / 1024);
    const padding = Array.from({ length: lines }, (_, i) => [`x-padding-${i}`, "x".repeat(1024)]).flat();
    send(exchange, { ...answer, headers: [...answer.headers, ...padding] });
  }),
  "chunked-garbage": resend((exchange, { body }) => {
    const { socket } = exchange.request;
    const first = half(body);
    socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n");
    socket.write(Buffer.concat([Buffer.from(`${first.length.toString(16)}\r\n`), first]));
    socket.write("\r\nno-size\r\n}}}}\r\n0\r\n\r\n");
    close(exchange);
  }),
} satisfies Record<string, Injector>;
