import { EXIT, type ExitCode } from "../api/failure.ts";
import { findProxy } from "../network/proxy.ts";
import type { Pages } from "../pages/pages.ts";
import type { ProvedNights } from "../snapshot/verify/signed-nights.ts";
import { createMirror } from "./compose.ts";
import type { TrustedProxies } from "./http/client-ip.ts";
import type { Exchange } from "./http/exchange.ts";
import { listen } from "./http/http.ts";
import { createAdminRoutes } from "./operate/admin.ts";
import { crawlMetrics } from "./operate/crawl-metrics.ts";
import type { ServerLog } from "./operate/log.ts";
import { createMetrics, createRequestObserver, type Metrics } from "./operate/requests.ts";
import { snapshotMetrics } from "./operate/snapshot-metrics.ts";
import type { ActiveSnapshot } from "./reload/active-snapshot.ts";
import type { SnapshotUpdates } from "./reload/reload.ts";
import { errorResponse } from "./response/http-response.ts";
import type { AuthProxy } from "./routes/auth.ts";

export interface ServeOptions {
  data: string;
  host: string;
  port: number;
  upstream: string | undefined;
  /** Login calls of one client. */
  authRate: number;
  authTimeoutMs: number;
  trustProxy: TrustedProxies | undefined;
  /** An older snapshot makes `/ready` fail. */
  maxAgeMs: number | undefined;
  /** In milliseconds by dataset; older answers make `/ready` fail too. */
  maxAgeOf: ReadonlyMap<string, number> | undefined;
  /** Time for a whole request to arrive. */
  requestTimeoutMs: number;
  /** Time to finish requests after the signal to stop. */
  graceMs: number;
  /** Where people find the mirror, without a slash at the end. */
  publicUrl: string | undefined;
  /** Pages for people, by `createPages`. */
  pages: Pages | undefined;
}

export interface ServeDeps {
  active: ActiveSnapshot;
  /** The only nights that clients get; all of the folder if it is left out. */
  proved?: ProvedNights | undefined;
  log: ServerLog;
  /** Looks at the source now, if one is followed. */
  hurry?: (() => void) | undefined;
  /** Begins to follow what is published, once the socket listens. */
  follow: () => SnapshotUpdates | undefined;
  onListening: (url: string) => void;
}

/**
 * Serves in this process until a signal stops it, and ends without failing a request. Resolves to the exit code; rejects with
 * a Failure when the port cannot be used, or when the served file is corrupt.
 */
export async function serveUntilStopped(options: ServeOptions, deps: ServeDeps): Promise<ExitCode> {
  const { active, log, follow, hurry, onListening } = deps;
  const stop = new AbortController();
  const metrics = createMetrics();
  const mirror = composeMirror(options, deps, metrics, stop.signal);
  const server = await listen(mirror.handleRequest, {
    port: options.port,
    host: options.host,
    requestTimeoutMs: options.requestTimeoutMs,
    toResponse: (error) => errorResponse(error, active.current),
    refuse: mirror.refuse,
    onRequest: createRequestObserver(metrics, log, options.trustProxy),
    onRefused(status) {
      metrics.refuse(status);
      log.info?.("refused", { status });
    },
  });
  const stopped = nextSignal();
  onListening(server.url);
  const updates = follow();
  const look = () => {
    log.info?.("looking", {});
    hurry?.();
    void updates?.look();
  };
  process.on("SIGHUP", look);
  try {
    const signal = await Promise.race([stopped, ...(updates ? [updates.corrupt] : [])]);
    log.info?.("ending", { signal });
    return EXIT.done;
  } finally {
    stop.abort();
    process.off("SIGHUP", look);
    // A second signal ends at once.
    void nextSignal().then(() => process.exit(EXIT.interrupted));
    await server.drain(options.graceMs);
    await updates?.stop();
    mirror.close();
    log.flush();
  }
}

function composeMirror(
  options: ServeOptions,
  { active, proved, log }: ServeDeps,
  metrics: Metrics,
  ending: AbortSignal,
) {
  const { data, maxAgeMs, maxAgeOf, publicUrl, pages } = options;
  return createMirror({
    data,
    publicUrl,
    pages,
    active,
    proved,
    auth: createAuth(options, log),
    admin: createAdminRoutes({
      status: active,
      maxAgeMs,
      maxAgeOf,
      startedAtMs: Date.now(),
      isStopping: () => ending.aborted,
      requests: metrics,
      readings: [...snapshotMetrics(active), ...crawlMetrics(data)],
    }),
    onInternalError: (error, exchange) => logInternalError(log, error, exchange),
  });
}

/**
 * Passes login calls to the upstream; its code is loaded with the first one, which many mirrors never see. Throws a Failure
 * for a proxy that the environment names wrongly.
 */
export function createAuth({ upstream, authTimeoutMs, authRate, trustProxy }: ServeOptions, log: ServerLog): AuthProxy {
  if (upstream !== undefined) findProxy(new URL(upstream));
  const options = { upstream, authTimeoutMs, authRate, trustProxy };
  const onProxyError = (problem: string) => log.error?.("login-proxy", { problem });
  let loading: Promise<AuthProxy> | undefined;
  return async (request) => {
    loading ??= import("./routes/auth.ts").then(({ createAuthProxy }) => createAuthProxy({ ...options, onProxyError }));
    return (await loading)(request);
  };
}

export function logInternalError(log: ServerLog, error: unknown, exchange: Exchange | undefined) {
  const stack = error instanceof Error ? error.stack : String(error);
  log.error?.("fault", { id: exchange?.requestId, method: exchange?.req.method, route: exchange?.route, error: stack });
}

function nextSignal() {
  return new Promise<string>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve(signal));
  });
}
