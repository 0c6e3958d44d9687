import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import type { Dispatcher } from "undici";
import { ApiError } from "../../api/errors.ts";
import { findProxy } from "../../network/proxy.ts";
import { readUpTo } from "../../network/read-up-to.ts";
import { createClientIp, type TrustedProxies } from "../http/client-ip.ts";
import type { MirrorRequest } from "../http/exchange.ts";
import { LIMITS } from "../http/limits.ts";

interface AuthResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

export type AuthProxy = (request: MirrorRequest) => Promise<AuthResponse>;

export interface AuthOptions {
  /** Base URL of the upstream; without one login calls are refused. */
  upstream?: string | undefined;
  /** Time for a whole exchange with the upstream. */
  authTimeoutMs?: number;
  /** Calls a minute that one client may make. */
  authRate?: number;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustProxy?: TrustedProxies | undefined;
  /** Told of a proxy that lets nothing through, which clients are not. */
  onProxyError?: (problem: string) => void;
}

const REQUEST_HEADERS = ["content-type", "authorization", "accept", "accept-language"];
const RESPONSE_HEADERS = ["content-type", "content-encoding", "www-authenticate", "retry-after"];

/** Types that no browser shows as a document. */
const DATA_TYPE = /^(?:application\/(?:[\w.-]+\+)?json|text\/plain)[\t ]*(?:;[^,]*)?$/i;

/**
 * A form on a foreign page can post to a login route, and the browser then shows the answer as a page of this origin. So nothing in it
 * may run, and what is neither JSON nor plain text is saved and not shown.
 */
function harmless(headers: Record<string, string>): Record<string, string> {
  const shown = DATA_TYPE.test(headers["content-type"]?.trim() ?? "")
    ? headers
    : { ...headers, "content-type": "application/octet-stream", "content-disposition": "attachment" };
  return { ...shown, "content-security-policy": "default-src 'none'; sandbox" };
}

/**
 * Passes login calls to the upstream, byte for byte in both directions. Never retried (a code works once), never redirected
 * (the credentials would follow), never stored, never logged. Rejects with an ApiError.
 */
export function createAuthProxy(options: AuthOptions): AuthProxy {
  const { upstream, authTimeoutMs = LIMITS.loginTimeoutMs, authRate = 60, trustProxy, onProxyError } = options;
  const limit = createCallLimiter(authRate);
  const clientIp = createClientIp(trustProxy);
  const base = upstream?.replace(/\/+$/, "");
  const proxy = base === undefined ? undefined : findProxy(new URL(base));
  let way: Dispatcher | undefined;

  /** The one long import of this program; most mirrors are up for days before the first login. */
  async function ask(target: string, init: { headers: Record<string, string>; body: Uint8Array | null }) {
    const [{ request }, { openDispatcher }] = await Promise.all([
      import("undici"),
      import("../../network/dispatcher.ts"),
    ]);
    // No connection is used twice: one that the upstream is about to close would lose a call that is never repeated.
    way ??= openDispatcher(proxy, { timeoutMs: authTimeoutMs, connections: LIMITS.concurrentLogins, pipelining: 0 });
    return request(target, {
      ...init,
      dispatcher: way,
      method: "POST",
      signal: AbortSignal.timeout(authTimeoutMs),
    });
  }

  return async ({ headers, pathname, search, exchange }) => {
    if (base === undefined) throw notConfigured();
    const seconds = limit(clientIp(exchange?.req.socket.remoteAddress, headers["x-forwarded-for"]));
    if (seconds > 0) throw tooMany(seconds);
    rejectRepeatedHeaders(exchange?.req);
    const body = await readBody(exchange?.req);
    try {
      const answer = await ask(base + pathname.replace(/\/$/, "") + search, {
        headers: pick(headers, REQUEST_HEADERS),
        body: body.length > 0 ? body : null,
      });
      const { statusCode } = answer;
      if (statusCode >= 300 && (statusCode < 400 || statusCode > 599)) {
        answer.body.on("error", () => {}).destroy();
        throw statusCode < 400 ? redirected() : new Error("no status of HTTP");
      }
      const bytes = await readUpTo(LIMITS.upstreamBodyBytes, answer.body);
      return {
        status: answer.statusCode,
        headers: harmless(pick(answer.headers, RESPONSE_HEADERS)),
        body: bytes,
      };
    } catch (error) {
      if (error instanceof Error && error.name === "ProxyError") onProxyError?.(error.message);
      throw error instanceof ApiError ? error : toApiError(error);
    }
  };
}

const WINDOW_MS = 60_000;

/**
 * A fixed-window rate limiter: counts each call, and returns how many seconds the client must wait, 0 when the call is
 * allowed. Remembers a bounded number of clients, the most recent ones.
 */
export function createCallLimiter(authRate: number, now: () => number = Date.now) {
  const windows = new LRUCache<string, { calls: number; ends: number }>({ max: LIMITS.rateLimitedClients });
  return (client: string): number => {
    const time = now();
    let window = windows.get(client);
    if (!window || window.ends <= time) {
      window = { calls: 0, ends: time + WINDOW_MS };
      windows.set(client, window);
    }
    window.calls += 1;
    return window.calls > authRate ? Math.ceil((window.ends - time) / 1000) : 0;
  };
}

/** A request that repeats a header is rejected: programs differ in which of the values they take. */
function rejectRepeatedHeaders(message: IncomingMessage | undefined) {
  const names = (message?.rawHeaders ?? []).filter((_, index) => index % 2 === 0).map(toLower);
  const repeated = REQUEST_HEADERS.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated.length === 0) return;
  throw new ApiError("BAD_REQUEST", {
    message: `The header ${repeated[0]} was sent more than once.`,
    hint: "Send it once.",
    detail: `${repeated[0]}: more than one`,
    fields: repeated.map((name) => ({ name, in: "header", received: "more than one", allowed: "one" })),
  });
}

const toLower = (text: string) => text.toLowerCase();

async function readBody(message: IncomingMessage | undefined): Promise<Uint8Array> {
  if (!message) return new Uint8Array();
  // A client may wait for `100 Continue` before it sends one.
  if (Number(message.headers["content-length"] ?? 0) > LIMITS.bodyBytes) throw tooLarge();
  try {
    // A body that is too large is read and dropped: if the connection were closed before the response is sent, that would be lost.
    return await readUpTo(LIMITS.bodyBytes, message.iterator({ destroyOnReturn: false }));
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge();
    throw new ApiError("BAD_REQUEST", {
      message: "The body did not arrive completely.",
      hint: "Send it again.",
      detail: "the connection ended within the body",
    });
  }
}

/** The headers of these names; of a repeated one the values, as HTTP joins them. */
const pick = (headers: Readonly<Record<string, string | string[] | undefined>>, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, [headers[name]].flat().join(", ")]])),
  );

const tooLarge = () =>
  new ApiError("PAYLOAD_TOO_LARGE", {
    message: "The body is too large.",
    hint: `At most ${LIMITS.bodyBytes} bytes.`,
    detail: `more than ${LIMITS.bodyBytes} bytes`,
  });

const tooMany = (seconds: number) =>
  new ApiError(
    "RATE_LIMITED",
    {
      message: "Too many login calls.",
      hint: `Try again in ${seconds} seconds.`,
      detail: "login calls of this client",
    },
    { "retry-after": String(seconds) },
  );

const notConfigured = () =>
  new ApiError("UPSTREAM_NOT_CONFIGURED", {
    message: "This mirror has no upstream for login calls.",
    hint: "Log in at the upstream itself, or ask the operator of this mirror to start it with --upstream.",
    detail: "no upstream",
  });

const redirected = () =>
  new ApiError("UPSTREAM_UNREACHABLE", {
    message: "The upstream sends login calls elsewhere, and credentials are never sent on.",
    hint: "Ask the operator of this mirror to set --upstream to a host that does not redirect.",
    detail: "a redirect",
  });

/** The cause is not told: a network error may quote what was sent. */
function toApiError(error: unknown): ApiError {
  const { name, code = "" } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError" || code.includes("TIMEOUT"))
    return new ApiError("UPSTREAM_TIMEOUT", {
      message: "The upstream did not answer in time.",
      hint: "Try again later.",
      detail: "no complete answer in time",
    });
  const message =
    error instanceof RangeError
      ? "The upstream's answer is too large."
      : "The upstream could not be reached, or gave no usable answer.";
  return new ApiError("UPSTREAM_UNREACHABLE", { message, hint: "Try again later.", detail: "no usable answer" });
}
