import { createServer, IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiError } from "../../api/errors.ts";
import { explainAddress } from "../../network/listening.ts";
import type { MirrorResponse } from "../response/http-response.ts";
import { overloaded } from "./admission.ts";
import {
  badRequest,
  cutOff,
  headersTooLarge,
  isHeadRequest,
  type ParserError,
  SEND_HINT,
  toApiError,
  writeRawResponse,
} from "./client-error.ts";
import { type ConnectionLimits, type Connections, createConnections } from "./connections.ts";
import { Exchange } from "./exchange.ts";
import { LIMITS } from "./limits.ts";

export interface HttpServerOptions {
  port: number;
  host: string;
  /** The time for a complete request to arrive. */
  requestTimeoutMs?: number;
  /** The time for which a connection may carry no byte in the middle of a response. */
  stallTimeoutMs?: number;
  limits?: Partial<ConnectionLimits>;
  /** Makes the response to a request that is refused before it reaches the handler. */
  toResponse: (error: ApiError) => MirrorResponse;
  /** Makes the error for a method that Node does not hand to the handler. */
  refuse: (method: string, pathname: string) => ApiError;
  /** Called for each request before it is answered. */
  onRequest?: (exchange: Exchange) => void;
  /** Called with the status when bytes are refused that never became a request. */
  onRefused?: (status: number) => void;
}

export interface HttpServer {
  url: string;
  /** Resolves when the requests in flight have ended. */
  close(): Promise<void>;
  /** Shuts down without failing a request. */
  drain(graceMs: number): Promise<void>;
}

export type RequestHandler = (request: IncomingMessage, exchange: Exchange) => void;

/**
 * Serves on a socket, within the limits of size and time. Resolves when it accepts connections; rejects with a Failure if the port cannot
 * be used.
 */
export async function listen(handler: RequestHandler, options: HttpServerOptions): Promise<HttpServer> {
  const { port, host, requestTimeoutMs = LIMITS.requestTimeoutMs, stallTimeoutMs = LIMITS.stallTimeoutMs } = options;
  const { toResponse, refuse, onRequest, onRefused } = options;
  const connections = createConnections({ ...LIMITS, ...options.limits });
  const shutdown = new AbortController();

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const exchange = response as Exchange;
    exchange.shutdown = shutdown.signal;
    const answer = (error: ApiError | undefined) => {
      onRequest?.(exchange);
      if (!error) return handler(request, exchange);
      exchange.shouldKeepAlive = false;
      exchange.writeResponse(toResponse(error));
    };
    connections.take(
      request,
      exchange,
      () => answer(checkRequest(request)),
      () => answer(tooManyHeads()),
    );
  };
  const server = createServer(
    {
      IncomingMessage: requestsWithin(connections),
      ServerResponse: Exchange as typeof ServerResponse<IncomingMessage>,
      maxHeaderSize: LIMITS.headBytes,
      headersTimeout: Math.min(LIMITS.headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
      keepAliveTimeout: LIMITS.keepAliveTimeoutMs,
      // Node's own answer to a missing Host has no body.
      requireHostHeader: false,
    },
    handle,
  );
  server.setTimeout(stallTimeoutMs, cutOff);
  // One more than is allowed: Node drops the others.
  server.maxHeadersCount = LIMITS.headers + 1;
  server.on("connection", connections.add);
  server.on("checkExpectation", handle);
  server.on("checkContinue", (request, response) => {
    // A client that waits for `100 Continue` is told of a body that is too large before it sends it.
    if (Number(request.headers["content-length"] ?? 0) > LIMITS.bodyBytes) response.shouldKeepAlive = false;
    else response.writeContinue();
    handle(request, response);
  });
  server.on("connect", ({ url = "" }, stream) => {
    const socket = stream as Socket;
    connections.finish(socket, () => writeRawResponse(socket, toResponse(refuse("CONNECT", url)), false));
  });
  server.on("upgrade", (_, socket) => connections.finish(socket as Socket, () => socket.destroy()));
  server.on("clientError", (problem: ParserError, stream) => {
    const socket = stream as Socket;
    if (problem.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const refusal = toResponse(toApiError(problem, refuse));
    onRefused?.(refusal.status);
    return connections.afterResponses(socket, (request) =>
      writeRawResponse(socket, refusal, request ? request.method === "HEAD" : isHeadRequest(problem)),
    );
  });

  await start(server, port, host);
  return {
    url: toUrl(server.address() as AddressInfo),
    close: () => new Promise((resolve) => server.close(() => resolve())),
    drain: (graceMs) => {
      shutdown.abort();
      return drain(server, graceMs);
    },
  };
}

/**
 * Makes the class of requests, which ends HTTP on a connection that may have no further one, as `CONNECT` does: nothing else keeps Node's
 * parser from making the thousands of requests that it has read with the first. No other request ends it, whatever its headers say.
 */
const requestsWithin = ({ isSpent }: Connections): typeof IncomingMessage =>
  class extends IncomingMessage {
    #endsHttp: boolean | undefined;
    get upgrade() {
      this.#endsHttp ??= this.method === "CONNECT" || isSpent(this.socket);
      return this.#endsHttp;
    }
    set upgrade(_) {}
  };

async function start(server: Server, port: number, host: string) {
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  } catch (error) {
    throw explainAddress(error, port, host);
  }
}

/**
 * Ends a server without failing a request: no new connections; requests in flight end, and one more request on an open
 * connection is answered with `Connection: close`. Resolves when all connections are closed, cut after `graceMs` at the latest.
 */
async function drain(server: Server, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  // Lets this turn of the event loop accept the connections that wait in the backlog: closing would reset them.
  await new Promise(setImmediate);
  const closed = closeListener(server);
  if (await settlesWithin(closed, Math.min(LIMITS.arrivalMs, graceMs))) return;
  while (performance.now() < deadline) {
    server.closeIdleConnections();
    if (await settlesWithin(closed, Math.min(100, Math.max(1, deadline - performance.now())))) return;
  }
  server.closeAllConnections();
  await closed;
}

/** Closes only the listener: `close` of `http.Server` would cut idle connections at once, and with them a request that is just arriving. */
const closeListener = (server: Server) =>
  new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));

const settlesWithin = (closed: Promise<void>, milliseconds: number): Promise<boolean> =>
  Promise.race([closed.then(() => true), sleep(milliseconds, false)]);

const toUrl = ({ address, port, family }: AddressInfo) =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;

const tooManyHeads = () =>
  overloaded("Too many requests are open.", `their heads take more than ${LIMITS.openHeadBytes} bytes`);

/**
 * Returns the fault of a request that the parser lets pass although it is too large or RFC 9112 forbids it; undefined for a valid request.
 */
function checkRequest({
  url = "",
  httpVersion,
  headers: { host = "" },
  rawHeaders,
}: IncomingMessage): ApiError | undefined {
  if (rawHeaders.length > 2 * LIMITS.headers)
    return headersTooLarge("The request has too many headers.", `more than ${LIMITS.headers}`);
  const hosts = countHosts(rawHeaders);
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    return badRequest(
      "The request does not have one Host header.",
      "Send one: HTTP/1.1 requires it.",
      `${hosts} of them`,
    );
  // An empty one is of a target without a host (RFC 9112, 3.2).
  if (host !== "" && !URL.canParse(`http://${host}`))
    return badRequest("The Host header is no name of a host.", "Send the host and port of the address.", host);
  const target = url.startsWith("/") || url === "*" || (/^https?:\/\/./i.test(url) && URL.canParse(url));
  return target
    ? undefined
    : badRequest("The request target is neither a path nor an http URL.", SEND_HINT, url || "no target");
}

/** Counts `Host` headers. It runs for every request, so it allocates nothing. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}
