import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createAnswers, findRoute } from "./answers.ts";
import { type Auth, createAuth } from "./auth.ts";
import { internalError, notFound, type Reply, wrongMethod } from "./failures.ts";
import { checkState, FIRST_STATE, type State } from "./state.ts";

export interface SampleOptions extends Partial<State> {
  port?: number;
  host?: string;
  now?: () => number;
  log?: (line: string) => void;
}

export interface Sample {
  url: string;
  port: number;
  /** Requests so far, as "GET /api/heroes?size=1"; those of `/api/user/` are left out. */
  requests: readonly string[];
  /** Changes it while it runs: a roll-over of the day, a new hero. Throws `RangeError` for an impossible state. */
  set(change: Partial<Omit<State, "seed">>): void;
  /** The verification code last sent to this player by in-game mail. */
  mail(roleId: number, zoneId: number): string | undefined;
  close(): Promise<void>;
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

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers }: Reply,
  { pictures }: State,
): void {
  const text = body === undefined ? "" : JSON.stringify(body, pictures === "wsrv" ? wrapPictures : undefined);
  const bytes = Buffer.from(text);
  const type = { "content-type": "application/json", "content-length": bytes.length };
  response.writeHead(status, { ...SAMPLE_HEADERS, ...type, ...corsHeaders(request), ...headers }).end(bytes);
}

/** A redirect to the path without trailing slashes, where that is a route. */
function redirectOf(path: string, search: string): Reply | undefined {
  const bare = path.replace(/\/+$/, "");
  if (bare === path || !(PLAYER_ROUTES.has(bare) || findRoute(bare))) return undefined;
  return { status: 307, body: undefined, headers: { location: search === "" ? bare : `${bare}?${search}` } };
}

export async function startSample(options: SampleOptions = {}): Promise<Sample> {
  const { port = 0, host = "127.0.0.1", now = Date.now, log = () => {} } = options;
  const { seed, day, heroes, unresolved, withdraw, pictures } = { ...FIRST_STATE, ...options };
  let state = checkState({ seed, day, heroes, unresolved, withdraw, pictures });
  let answer = createAnswers(state);
  const auth = createAuth({ seed, now, log });
  const requests: string[] = [];

  function replyTo(request: IncomingMessage, path: string, search: string): Reply | Promise<Reply> {
    const { method = "GET", headers } = request;
    const player = PLAYER_ROUTES.get(path);
    const route = player ? undefined : findRoute(path);
    if (!player && !route) return redirectOf(path, search) ?? notFound(path);
    const allowed = player ? player[0] : "GET";
    if (method === "OPTIONS" && headers["access-control-request-method"]) return { status: 200, body: undefined };
    if (method !== allowed) return wrongMethod(method, allowed);
    if (route) return answer(route, path, search);
    return readBody(request).then((body) => player?.[1](auth, body, headers.authorization) ?? notFound(path));
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? "/";
    const mark = url.indexOf("?");
    const [path, search] = mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
    if (!path.startsWith("/api/user/")) requests.push(`${request.method} ${url}`);
    try {
      send(request, response, await replyTo(request, path, search), state);
    } catch (error) {
      log(`${request.method} ${path}: ${error}`);
      send(request, response, internalError(), state);
    }
  }

  const server = createServer(respond);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address() as AddressInfo;

  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    requests,
    set(change) {
      state = checkState({ ...state, ...change });
      answer = createAnswers(state);
    },
    mail: auth.mail,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The address of a picture that is not wrapped yet: a wrapped one has it in its query, and so ends its path before it. */
const PICTURE = /^https?:\/\/[^\s?#]+\.(?:png|jpe?g|webp|gif|avif|bmp|svg)(?:[?#]\S*)?$/i;

/** For `JSON.stringify`: writes the address of each picture as the public upstream does since October 2026. */
export const wrapPictures = (_key: string, value: unknown) =>
  typeof value === "string" && PICTURE.test(value) ? `https://wsrv.nl/?url=${encodeURIComponent(value)}` : value;
