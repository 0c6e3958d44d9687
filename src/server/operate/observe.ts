import { createClientIp, type TrustedProxies } from "../http/client-ip.ts";
import { type Exchange, UNMATCHED_ROUTE } from "../http/exchange.ts";
import { AUTH_ROUTES } from "../routes/routes.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** Counts each request when its answer has ended, and writes its line where lines of requests are wanted; debug says more. */
export function createObserver(metrics: Metrics, log: Log, trust?: TrustedProxies) {
  const clientIp = createClientIp(trust);

  function ended(exchange: Exchange, peer: string | undefined) {
    const { req, route, statusCode, writableFinished } = exchange;
    const milliseconds = performance.now() - exchange.startedAt;
    metrics.end(route, req.method ?? "", writableFinished ? statusCode : 0, milliseconds / 1000);
    if (!log.info) return;
    const client = log.debug && clientIp(peer, String(req.headers["x-forwarded-for"] ?? ""));
    log.info("request", describe(exchange, milliseconds, client));
  }

  return (exchange: Exchange): void => {
    metrics.begin();
    // A connection that is gone does not tell any more whose it was.
    const peer = log.debug && exchange.req.socket.remoteAddress;
    exchange.on("close", () => ended(exchange, peer));
  };
}

/** Nothing but plain words: what is escaped may be anything. */
const PLAIN = /^[\w./-]{1,200}$/;

/**
 * The line of a request. Of a login call it has nothing but the route, and of what no route takes only a plain path that does
 * not look like one: a code typed at the wrong place is still a code.
 */
function describe(exchange: Exchange, milliseconds: number, client: string | undefined) {
  const { req, requestId, route, statusCode, writableFinished } = exchange;
  const [path = "", query] = (req.url ?? "").split("?", 2);
  const isLogin = (AUTH_ROUTES as readonly string[]).includes(route);
  const isKnown = route !== UNMATCHED_ROUTE && !isLogin;
  const isTold = isKnown || (!isLogin && PLAIN.test(path) && !/user|auth|log|code/i.test(path));
  return {
    id: requestId,
    method: req.method,
    route,
    ...(isTold && { path: path.slice(0, 200) }),
    status: statusCode,
    ms: Math.round(milliseconds * 100) / 100,
    ...(!writableFinished && { gone: true }),
    ...(client && isKnown && query !== undefined && { query: query.slice(0, 500) }),
    ...(client && { client, agent: req.headers["user-agent"]?.slice(0, 200) }),
  };
}
