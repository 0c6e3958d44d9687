import { createClientIp, type TrustedProxies } from "../http/client-ip.ts";
import { type Exchange, UNMATCHED_ROUTE } from "../http/exchange.ts";
import { isAuthRoute } from "../routes/documents.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** Counts each request when its response is closed, and logs it where the level is `info` or `debug`. */
export function createRequestObserver(metrics: Metrics, log: Log, trust?: TrustedProxies) {
  const clientIp = createClientIp(trust);

  function onClose(exchange: Exchange, peer: string | undefined) {
    const { req, route, statusCode, writableFinished } = exchange;
    const milliseconds = performance.now() - exchange.startedAt;
    metrics.end(route, req.method ?? "", writableFinished ? statusCode : 0, milliseconds / 1000);
    if (!log.info) return;
    const client = log.debug && clientIp(peer, String(req.headers["x-forwarded-for"] ?? ""));
    log.info("request", describe(exchange, milliseconds, client));
  }

  return (exchange: Exchange): void => {
    metrics.begin();
    // Read now: a closed socket has no address any more.
    const peer = log.debug && exchange.req.socket.remoteAddress;
    exchange.on("close", () => onClose(exchange, peer));
  };
}

/** Without escapes, which may hide anything. */
const PLAIN_PATH = /^[\w./-]{1,200}$/;

/**
 * The fields of a request's log line. Of a login call only the route. Of an unmatched request the path only where it is plain
 * and does not look like a login call: a code sent to the wrong path is still a secret.
 */
function describe(exchange: Exchange, milliseconds: number, client: string | undefined) {
  const { req, requestId, route, statusCode, writableFinished } = exchange;
  const [path = "", query] = (req.url ?? "").split("?", 2);
  const isLogin = isAuthRoute(route);
  const isKnown = route !== UNMATCHED_ROUTE && !isLogin;
  const isTold = isKnown || (!isLogin && PLAIN_PATH.test(path) && !/user|auth|log|code/i.test(path));
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
