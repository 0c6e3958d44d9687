import { ApiError } from "../api/errors.ts";
import { EXIT, type ExitCode } from "../api/failure.ts";
import { findProxy } from "../network/proxy.ts";
import type { Pages } from "../snapshot/read/shown.ts";
import type { ProvedNights } from "../snapshot/verify/signed-nights.ts";
import { createMirror, type Mirror } from "./compose.ts";
import type { TrustedProxies } from "./http/client-ip.ts";
import type { Exchange } from "./http/exchange.ts";
import { type HttpServer, listen } from "./http/http.ts";
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
  /** The limit of login calls of one client. */
  authRate: number;
  authTimeoutMs: number;
  trustProxy: TrustedProxies | undefined;
  /** The maximum age of the snapshot: with an older one `/ready` fails. */
  maxAgeMs: number | undefined;
  /** The maximum age of answers in milliseconds, by dataset: with older ones `/ready` fails too. */
  maxAgeOf: ReadonlyMap<string, number> | undefined;
  /** Time for a complete request to arrive. */
  requestTimeoutMs: number;
  /** Time to finish requests after the signal to stop. */
  graceMs: number;
  /** The public address of the mirror, without a slash at the end. */
  publicUrl: string | undefined;
  /** Pages for people, by `createPages`. */
  pages: Pages | undefined;
}

/** The open snapshot of a server, and the work that goes on beside it. */
export interface Served extends AsyncDisposable {
  active: ActiveSnapshot;
  /** The only nights that clients get; all of the folder if it is left out. */
  proved?: ProvedNights | undefined;
  /** Polls the source now, if one is followed. */
  hurry?: (() => void) | undefined;
  /** Begins to follow what is published, once the socket listens. */
  follow: () => SnapshotUpdates | undefined;
}

export interface ServeDeps {
  log: ServerLog;
  /** True if there is no snapshot yet: the server listens, and answers 503 until `open` has one. */
  isEmpty: boolean;
  /** Opens the snapshot to serve; gives up when the signal is aborted. */
  open: (signal: AbortSignal) => Promise<Served>;
  /** `active`: the snapshot that is served, if there is one yet. */
  onListening: (url: string, active: ActiveSnapshot | undefined) => void;
  /** Called when the first snapshot is there, if it was waited for. */
  onFirst: (active: ActiveSnapshot) => void;
}

/**
 * Serves in this process until a signal stops it, and ends without failing a request. Resolves to the exit code; rejects with a Failure if
 * the port cannot be used, if there is no snapshot to serve, or if the served file is corrupt.
 */
export async function serveUntilStopped(options: ServeOptions, deps: ServeDeps): Promise<ExitCode> {
  const { log, isEmpty, open, onListening, onFirst } = deps;
  const stop = new AbortController();
  const metrics = createMetrics();
  let mirror: Mirror | undefined;
  let served: Served | undefined;
  let updates: SnapshotUpdates | undefined;
  let server: HttpServer | undefined;
  function take(opened: Served) {
    served = opened;
    mirror = composeMirror(options, opened, log, metrics, stop.signal);
    return opened.active;
  }
  /** Serves. Rejects if there is no snapshot to serve, or if it is corrupt. */
  async function serveOn(): Promise<never> {
    if (!served) onFirst(take(await open(stop.signal)));
    updates = served?.follow();
    return updates?.corrupt ?? new Promise<never>(() => {});
  }
  const look = () => {
    log.info?.("looking", {});
    served?.hurry?.();
    void updates?.look();
  };
  try {
    if (!isEmpty) take(await open(stop.signal));
    server = await listen(
      (request, exchange) =>
        mirror ? mirror.handleRequest(request, exchange) : exchange.writeResponse(errorResponse(nothingYet())),
      {
        port: options.port,
        host: options.host,
        requestTimeoutMs: options.requestTimeoutMs,
        toResponse: (error) => errorResponse(error, mirror?.active.current),
        refuse: (method, pathname) => mirror?.refuse(method, pathname) ?? nothingYet(),
        onRequest: createRequestObserver(metrics, log, options.trustProxy),
        onRefused(status) {
          metrics.refuse(status);
          log.info?.("refused", { status });
        },
      },
    );
    const stopped = nextSignal();
    onListening(server.url, served?.active);
    process.on("SIGHUP", look);
    const signal = await Promise.race([stopped, serveOn()]);
    log.info?.("ending", { signal });
    return EXIT.done;
  } finally {
    stop.abort();
    process.off("SIGHUP", look);
    // A second signal ends at once.
    void nextSignal().then(() => process.exit(EXIT.interrupted));
    await server?.drain(options.graceMs);
    await updates?.stop();
    mirror?.close();
    await served?.[Symbol.asyncDispose]();
    log.flush();
  }
}

const nothingYet = () =>
  new ApiError("NOT_READY", {
    message: "This mirror has no snapshot yet.",
    hint: "It answers as soon as the first night is there.",
    detail: "no snapshot",
  });

function composeMirror(
  options: ServeOptions,
  { active, proved }: Served,
  log: ServerLog,
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
 * Makes the proxy of login calls to the upstream; its code is loaded with the first one, which many mirrors never see. Throws a Failure for
 * a proxy that the environment names wrongly.
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
