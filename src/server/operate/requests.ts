import { createClientIp, type TrustedProxies } from "../http/client-ip.ts";
import { type Exchange, UNMATCHED_ROUTE } from "../http/exchange.ts";
import { isAuthRoute } from "../routes/documents.ts";
import type { ServerLog } from "./log.ts";

/** Upper bounds of the duration histogram. */
export const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];
const OTHER = "other";
/** The classes by the first digit of the status; `gone` is a client that did not wait. */
const STATUS_CLASSES = ["gone", "1xx", "2xx", "3xx", "4xx", "5xx"];

interface Series {
  route: string;
  method: string;
  status: string;
  count: number;
  /** Seconds. */
  sumSeconds: number;
  /** Counts by bucket, not cumulative; the last has no upper bound. */
  buckets: Float64Array;
}

export interface Metrics {
  readonly inFlight: number;
  readonly refused: ReadonlyMap<number, number>;
  begin(): void;
  /** `status` 0: the client did not wait for the answer. */
  end(route: string, method: string, status: number, seconds: number): void;
  refuse(status: number): void;
  series(): Series[];
}

/**
 * Counts requests in plain numbers: two look-ups and three additions each. Routes are labelled by their templates: clients must not be able to create series.
 */
export function createMetrics(): Metrics {
  const routes = new Map<string, (Series | undefined)[]>();
  const refused = new Map<number, number>();
  let inFlight = 0;

  /** The series of a route, by method and status. */
  function seriesOf(route: string): (Series | undefined)[] {
    const series = routes.get(route) ?? [];
    routes.set(route, series);
    return series;
  }

  function add(all: (Series | undefined)[], route: string, method: number, status: number): Series {
    const made = {
      route,
      method: METHODS[method] ?? OTHER,
      status: STATUS_CLASSES[status] ?? OTHER,
      count: 0,
      sumSeconds: 0,
      buckets: new Float64Array(BUCKETS_SECONDS.length + 1),
    };
    all[(method + 1) * STATUS_CLASSES.length + status] = made;
    return made;
  }

  return {
    get inFlight() {
      return inFlight;
    },
    refused,
    begin() {
      inFlight += 1;
    },
    end(route, name, code, seconds) {
      inFlight -= 1;
      const method = METHODS.indexOf(name);
      const status = Math.floor(code / 100);
      const all = seriesOf(route);
      const series = all[(method + 1) * STATUS_CLASSES.length + status] ?? add(all, route, method, status);
      series.count += 1;
      series.sumSeconds += seconds;
      let bucket = 0;
      while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] as number)) bucket += 1;
      (series.buckets[bucket] as number) += 1;
    },
    refuse: (status) => void refused.set(status, (refused.get(status) ?? 0) + 1),
    series: () => [...routes.values()].flatMap((all) => all.filter((series) => series !== undefined)),
  };
}

/** Counts each request when its response is closed, and logs it if the level is `info` or `debug`. */
export function createRequestObserver(metrics: Metrics, log: ServerLog, trustProxy?: TrustedProxies) {
  const clientIp = createClientIp(trustProxy);

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

/** Matches a path without escapes, which may hide anything. */
const PLAIN_PATH = /^[\w./-]{1,200}$/;

/**
 * The fields of a request's log line. Of a login call the line has neither path nor query. The path of an unmatched request is logged only if it is plain
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
