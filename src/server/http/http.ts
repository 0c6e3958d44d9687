import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ApiError } from "../../api/errors.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { named, type Reply } from "../response/reply.ts";
import { unmatched } from "../routes/routes.ts";
import { explain, isHeadRequest, type Malformed, malformed, sendRaw } from "./client-error.ts";
import { drain } from "./drain.ts";
import { Exchange } from "./exchange.ts";
import { LIMITS } from "./limits.ts";
import { createTurns } from "./pipeline.ts";

export interface ListenOptions {
  port: number;
  host: string;
  /** Milliseconds for a whole request to arrive. */
  requestTime?: number;
  /** Milliseconds that a connection may stand still in the middle of an answer. */
  stallTime?: number;
  /** The answer to what never becomes a request that anybody could answer. */
  toReply: (error: ApiError) => Reply;
  /** Sees each request before it is answered. */
  onRequest?: (exchange: Exchange) => void;
  /** Told the status of what was refused before it became a request. */
  onRefused?: (status: number) => void;
}

export interface Listening {
  url: string;
  /** Ends when what is in flight has ended. */
  close(): Promise<void>;
  /** As `close`, and fails no request that is under way; cuts what is left after so many milliseconds. */
  drain(grace: number): Promise<void>;
}

export type Answer = (request: IncomingMessage, exchange: Exchange) => void;

/** Serves on a socket, behind limits of size and time. Resolves when it accepts connections. */
export async function listen(answer: Answer, options: ListenOptions): Promise<Listening> {
  const { port, host, requestTime = LIMITS.requestTime, stallTime = LIMITS.stallTime } = options;
  const { toReply, onRequest, onRefused } = options;
  const turns = createTurns(LIMITS.waiting, LIMITS.dropped);
  const ending = new AbortController();

  const handle = turns.inTurn((request, response) => {
    const exchange = response as Exchange;
    exchange.ending = ending.signal;
    onRequest?.(exchange);
    const error = malformed(request);
    if (error) {
      exchange.shouldKeepAlive = false;
      write(exchange, toReply(error));
    } else if (hasIdleBody(request)) request.resume().once("end", () => answer(request, exchange));
    else answer(request, exchange);
  });
  const server = createServer(
    {
      ServerResponse: Exchange as typeof ServerResponse<IncomingMessage>,
      maxHeaderSize: LIMITS.head,
      headersTimeout: Math.min(LIMITS.headTime, requestTime),
      requestTimeout: requestTime,
      connectionsCheckingInterval: Math.min(1000, requestTime),
      keepAliveTimeout: LIMITS.idleTime,
      // Node's own answer to a missing Host has no body.
      requireHostHeader: false,
    },
    handle,
  );
  server.setTimeout(stallTime);
  server.on("checkExpectation", handle);
  server.on("checkContinue", (request, response) => {
    // Whoever asks first is told before the body is sent.
    if (Number(request.headers["content-length"] ?? 0) > LIMITS.body) response.shouldKeepAlive = false;
    else response.writeContinue();
    handle(request, response);
  });
  server.on("connect", ({ url = "" }, socket) => {
    socket.on("error", () => socket.destroy());
    sendRaw(socket as Socket, toReply(unmatched("CONNECT", url).error), false);
  });
  server.on("clientError", (problem: Malformed, stream) => {
    const socket = stream as Socket;
    if (problem.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const reply = toReply(explain(problem));
    onRefused?.(reply.status);
    return turns.afterAnswers(socket, (request) =>
      sendRaw(socket, reply, request ? request.method === "HEAD" : isHeadRequest(problem)),
    );
  });

  await start(server, port, host);
  return {
    url: toUrl(server.address() as AddressInfo),
    close: () => new Promise((resolve) => server.close(() => resolve())),
    drain: (grace) => {
      ending.abort();
      return drain(server, grace);
    },
  };
}

/** Writes a whole answer that is at hand. */
export function write(exchange: Exchange, { status, headers, body }: Reply): void {
  exchange.writeHead(status, named(headers, exchange));
  exchange.end(exchange.req.method === "HEAD" ? undefined : body);
}

/**
 * A body that nobody reads comes first: closed while it is still under way to us, the connection would lose what of a
 * long answer is still under way to the client.
 */
const hasIdleBody = ({ method, headers }: IncomingMessage) =>
  method !== "POST" && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0);

async function start(server: Server, port: number, host: string) {
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = code === "EADDRINUSE" ? "is taken" : `cannot be used (${message})`;
    throw new Failure(EXIT.usage, `${host}:${port}: ${what}`, "choose another with --port and --host", error);
  }
}

const toUrl = ({ address, port, family }: AddressInfo) =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
