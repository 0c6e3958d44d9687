import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { EXIT, Failure } from "../api/failure.ts";
import { drain } from "./drain.ts";
import { keepTick } from "./engine.ts";
import { LIMITS } from "./limits.ts";
import { malformed, refuse, refuseTunnel, send } from "./refuse.ts";
import { createReplies } from "./traced.ts";

export interface ListenOptions {
  port: number;
  host: string;
  /** Milliseconds for a whole request to arrive. */
  requestTime?: number;
  /** Milliseconds that a connection may stand still in the middle of an answer. */
  stallTime?: number;
  /** Sees each request before it is answered. */
  onRequest?: (request: IncomingMessage, response: ServerResponse) => void;
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

/** Serves on a socket, behind limits of size and time. Resolves when it accepts connections. */
export async function listen(answer: RequestListener, options: ListenOptions): Promise<Listening> {
  const { port, host, requestTime = LIMITS.requestTime, stallTime = LIMITS.stallTime, onRequest, onRefused } = options;
  const replies = createReplies();

  const handle: RequestListener = (request, response) => {
    onRequest?.(request, response);
    const error = malformed(request);
    if (error) send(response, error);
    else if (hasIdleBody(request)) request.resume().once("end", () => answer(request, response));
    else answer(request, response);
  };
  const server = createServer(
    {
      ServerResponse: replies.Reply,
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
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    // Whoever asks first is told before the body is sent.
    if (Number(request.headers["content-length"] ?? 0) > LIMITS.body) response.shouldKeepAlive = false;
    else response.writeContinue();
    handle(request, response);
  });
  server.on("connect", (request, socket) => refuseTunnel(request, socket as Socket));
  server.on("clientError", (error, socket) => {
    const status = refuse(error, socket as Socket);
    if (status !== undefined) onRefused?.(status);
  });

  keepTick();
  await start(server, port, host);
  return {
    url: toUrl(server.address() as AddressInfo),
    close: () => new Promise((resolve) => server.close(() => resolve())),
    drain: (grace) => {
      replies.last();
      return drain(server, grace);
    },
  };
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
