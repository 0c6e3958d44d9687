/**
 * The sample: an upstream with made-up numbers for real heroes, for the demo and the tests.
 *
 * `service.ts` answers in a state: the day, the number of heroes, the troubles. `records/` makes records, `numbers/` their numbers from a
 * seed, and `troubles/` says what goes wrong with which questions.
 *
 * The traps: it imports nothing of ours but the enumerations, so that it can disagree with us; shared code would hide its own mistakes. The
 * right answer to a question depends on the state alone, so that a crawl that was killed and one that was not end with the same bytes.
 */

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Silence } from "../troubles/forms.ts";
import { findRoute } from "./answers.ts";
import { type Auth, createAuth } from "./auth.ts";
import { internalError, notFound, type Reply, wrongMethod } from "./failures.ts";
import type { Logged } from "./log.ts";
import { createService, type OnRequest, splitTarget } from "./service.ts";
import type { Slices } from "./slice.ts";
import { FIRST_STATE, type State } from "./state.ts";

export interface SampleOptions extends Partial<State> {
  port?: number;
  host?: string;
  now?: () => number;
  log?: (line: string) => void;
  onRequest?: OnRequest;
}

export interface Sample {
  url: string;
  port: number;
  /** All requests, the oldest first. */
  log: readonly Logged[];
  /** The requests for such slices since `set` last named a day. */
  asked(slices: Slices): Logged[];
  /** The records that a path last got, on all pages, until the end of a day. Undefined if it got no answer. */
  lastAnswer(target: string, until?: number): { day: number; records: unknown[] } | undefined;
  /** Changes it while it runs: a roll-over of the day, a new hero, a trouble. Throws `RangeError` for an impossible state. */
  set(change: Partial<Omit<State, "seed">>): void;
  /** The verification code last sent to this player by in-game mail. */
  mail(roleId: number, zoneId: number): string | undefined;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type PlayerRoute = (auth: Auth, body: string, authorization: string | undefined) => Reply;

/** Nobody must take these numbers for real ones. */
const SAMPLE_HEADERS = { "x-sample-data": "made-up" };

const PLAYER_ROUTES = new Map<string, readonly ["GET" | "POST", PlayerRoute]>([
  ["/api/user/auth/send-vc", ["POST", (auth, body) => auth.sendCode(body)]],
  ["/api/user/auth/login", ["POST", (auth, body) => auth.login(body)]],
  ["/api/user/auth/logout", ["POST", (auth, _, authorization) => auth.logout(authorization)]],
  ["/api/user/info", ["GET", (auth, _, authorization) => auth.info(authorization)]],
]);

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

// Any origin may read, as at the upstream.
function corsHeaders({ headers, method }: IncomingMessage): Record<string, string> {
  const { origin } = headers;
  if (origin === undefined) return {};
  const cors = { "access-control-allow-origin": origin, "access-control-allow-credentials": "true", vary: "Origin" };
  if (method !== "OPTIONS") return cors;
  const asked = headers["access-control-request-headers"];
  const allowed = { "access-control-allow-methods": "GET, POST", "access-control-max-age": "600" };
  return { ...cors, ...allowed, ...(asked !== undefined && { "access-control-allow-headers": asked }) };
}

function send(request: IncomingMessage, response: ServerResponse, reply: Reply | Silence): void {
  if (reply === "reset") return void response.destroy();
  if (reply === "silence") return;
  const { status, body = "", headers } = reply;
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const type = { "content-type": "application/json", "content-length": bytes.length };
  response.writeHead(status, { ...SAMPLE_HEADERS, ...type, ...corsHeaders(request), ...headers }).end(bytes);
}

/** Makes a redirect to the path without trailing slashes, if that is a route. */
function redirectOf(path: string, search: string): Reply | undefined {
  const bare = path.replace(/\/+$/, "");
  if (bare === path || !(PLAYER_ROUTES.has(bare) || findRoute(bare))) return undefined;
  return { status: 307, body: undefined, headers: { location: search === "" ? bare : `${bare}?${search}` } };
}

export async function startSample(options: SampleOptions = {}): Promise<Sample> {
  const { port = 0, host = "127.0.0.1", now = Date.now, log = () => {}, onRequest } = options;
  const { seed, day, heroes, unresolved, troubles } = { ...FIRST_STATE, ...options };
  const service = createService({ seed, day, heroes, unresolved, troubles }, now, onRequest);
  const auth = createAuth({ seed, now, log });

  function replyTo(request: IncomingMessage, target: string, logged: Logged): Reply | Silence | Promise<Reply> {
    const { method = "GET", headers } = request;
    const [path, search] = splitTarget(target);
    const player = PLAYER_ROUTES.get(path);
    const route = player ? undefined : findRoute(path);
    if (!player && !route) return redirectOf(path, search) ?? notFound(path);
    const allowed = player ? player[0] : "GET";
    if (method === "OPTIONS" && headers["access-control-request-method"]) return { status: 200, body: undefined };
    if (method !== allowed) return wrongMethod(method, allowed);
    if (route) return service.reply(logged, route, target);
    return readBody(request).then((body) => player?.[1](auth, body, headers.authorization) ?? notFound(path));
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "/" } = request;
    const logged = service.note(`${method} ${url}`);
    try {
      send(request, response, await replyTo(request, url, logged));
    } catch (error) {
      log(`${method} ${splitTarget(url)[0]}: ${error}`);
      send(request, response, internalError());
    }
  }

  // Idle connections stay open: one that closes under a request would be a trouble that nobody asked for.
  const server = createServer({ keepAliveTimeout: 0 }, respond);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address() as AddressInfo;

  async function close(): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    log: service.log.entries,
    asked: service.log.asked,
    lastAnswer: service.lastAnswer,
    set: service.set,
    mail: auth.mail,
    close,
    [Symbol.asyncDispose]: close,
  };
}
