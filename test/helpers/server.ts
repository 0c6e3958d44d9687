import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Socket } from "node:net";
import { join } from "node:path";
import { Agent, type Dispatcher, request } from "undici";

/** A request, whole. */
export interface Seen {
  /** Arrival, as `performance.now()` of this process tells it. */
  at: number;
  /** Requests in flight at that moment, this one included. */
  inFlight: number;
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

/** Answers a request, or does with it whatever else can be done with its socket. */
export type Answering = (req: IncomingMessage, res: ServerResponse, seen: Seen) => unknown;

interface ServerOptions {
  /** Speaks TLS, with a certificate that only `AUTHORITY` makes trusted. */
  tls?: boolean;
  /** Takes what asks with `CONNECT`. */
  tunnel?: (req: IncomingMessage, socket: Socket) => void;
}

const inFolder = (name: string) => join(import.meta.dirname, "tls", name);

const readCertificate = () => ({
  key: readFileSync(inFolder("localhost.key")),
  cert: readFileSync(inFolder("localhost.pem")),
});

/** The environment of a process that trusts the tests' own authority. */
export const AUTHORITY = { NODE_EXTRA_CA_CERTS: inFolder("authority.pem") };

/** A server that remembers what it was asked, whole, before it answers. With `raw` it takes sockets and reads no requests. */
export async function startServer(answer: Answering, options?: ServerOptions): Promise<RunningServer>;
export async function startServer(answer: (socket: Socket) => void, options: { raw: true }): Promise<RunningServer>;
export async function startServer(
  answer: Answering | ((socket: Socket) => void),
  { tls = false, raw = false, tunnel }: ServerOptions & { raw?: boolean } = {},
): Promise<RunningServer> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const inFlight = new Map<ServerResponse, Socket>();

  /** The number of requests that have no whole answer yet, with this one. */
  function countInFlight(req: IncomingMessage, res: ServerResponse): number {
    inFlight.set(res, req.socket);
    for (const [one, socket] of inFlight)
      if (one.writableEnded || socket.destroyed || socket.writableEnded) inFlight.delete(one);
    return inFlight.size;
  }

  async function read(req: IncomingMessage, res: ServerResponse) {
    const { method = "", url = "", headers } = req;
    const arrival = { at: performance.now(), inFlight: countInFlight(req, res), method, url, headers };
    const body = await bodyOf(req);
    if (!body) return;
    const one = { ...arrival, body };
    seen.push(one);
    try {
      await (answer as Answering)(req, res, one);
    } catch (error) {
      res.destroy();
      // A dead target looks like one; a mistake of a test must not pass for a fault of the other side.
      if (!(error instanceof TargetError)) throw error;
    }
  }

  // Idle connections stay open: one that closes under a request would be a fault that nobody asked for.
  const options = { keepAliveTimeout: 0 };
  const open = () => (tls ? createHttps({ ...options, ...readCertificate() }, read) : createHttp(options, read));
  const server = raw ? createTcp(answer as (socket: Socket) => void) : open();
  if (tunnel) server.on("connect", tunnel);
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on("error", () => {}).once("close", () => sockets.delete(socket)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    seen,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

interface RunningServer extends AsyncDisposable {
  url: string;
  port: number;
  /** The requests in the order of arrival. */
  seen: Seen[];
  connections(): number;
}

/** Reads the body; undefined if the client went away before its end. */
async function bodyOf(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of req) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

/** An answer, whole. */
export interface Told {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

/** The target gave no answer. */
class TargetError extends Error {}

/** Others close idle connections after a few seconds: ours are closed first, or a request would meet a closed one. */
const AGENT = new Agent({ keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 });
const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length)$/;

const endToEnd = <T>(headers: Record<string, T | undefined>) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, T] => entry[1] !== undefined && !HOP_BY_HOP.test(entry[0]),
    ),
  );

/** Asks the server at `base` the same, or for another path. */
export async function askTarget(base: string, { method, headers, body, url }: Seen, path = url): Promise<Told> {
  const options = { dispatcher: AGENT, method: method as Dispatcher.HttpMethod, headers: endToEnd(headers) };
  try {
    const reply = await request(base + path, { ...options, ...(body.length > 0 && { body }) });
    const got = Buffer.from(await reply.body.arrayBuffer());
    return { status: reply.statusCode, headers: endToEnd(reply.headers), body: got };
  } catch (error) {
    throw new TargetError(`${base} gave no answer to ${path}`, { cause: error });
  }
}

/** Answers as the server at `base` does. */
export const passOn =
  (base: string): Answering =>
  async (_, res, seen) => {
    const { status, headers, body } = await askTarget(base, seen);
    res.writeHead(status, headers).end(body);
  };
