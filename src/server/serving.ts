import { flushCompileCache } from "node:module";
import type { H3Event } from "h3";
import { EXIT, type ExitCode } from "../api/failure.ts";
import type { AuthProxy } from "./auth.ts";
import type { Trust } from "./client.ts";
import { stopPretenuring } from "./engine.ts";
import { listen } from "./listen.ts";
import type { Log } from "./log.ts";
import { createMetrics } from "./metrics.ts";
import { createMirror } from "./mirror.ts";
import { createObserver } from "./observe.ts";
import type { Following } from "./reload.ts";
import type { Shelf } from "./shelf.ts";
import { requestId } from "./traced.ts";

/** Times in milliseconds. */
export interface ServingOptions {
  data: string;
  host: string;
  port: number;
  upstream: string | undefined;
  authRate: number;
  authTime: number;
  trust: Trust | undefined;
  /** A snapshot that is older is not ready. */
  maxAge: number | undefined;
  /** For a whole request to arrive. */
  requestTime: number;
  /** To finish when told to stop. */
  grace: number;
}

export interface ServingDeps {
  shelf: Shelf;
  log: Log;
  /** Begins to follow what is published, once the socket listens. */
  follow: () => Following | undefined;
  /** A worker is told twice to stop: from the terminal and by its primary. Once is meant. */
  worker?: boolean;
  onListening: (url: string) => void;
}

/** Serves in this process until it is told to stop, and ends without failing a request. */
export async function serveUntilStopped(options: ServingOptions, deps: ServingDeps): Promise<ExitCode> {
  const { log, follow, worker = false, onListening } = deps;
  const stop = new AbortController();
  const metrics = createMetrics();
  const mirror = open(options, deps, metrics, stop.signal);
  const server = await listen(mirror.listener, {
    port: options.port,
    host: options.host,
    requestTime: options.requestTime,
    onRequest: createObserver(metrics, log, options.trust),
    onRefused(status) {
      metrics.refuse(status);
      log.info?.("refused", { status });
    },
  });
  // Once the first answers are out.
  const warming = setTimeout(() => void mirror.warm().then(flushCompileCache).then(stopPretenuring), 300);
  const stopped = nextSignal();
  onListening(server.url);
  const following = follow();
  try {
    const signal = await Promise.race([stopped, ...(following ? [following.unfit] : [])]);
    log.info?.("ending", { signal });
    return EXIT.done;
  } finally {
    clearTimeout(warming);
    stop.abort();
    // Whoever says it twice does not want to wait.
    if (!worker) void nextSignal().then(() => process.exit(EXIT.interrupted));
    await server.drain(options.grace);
    await following?.stop();
    mirror.close();
    log.flush();
  }
}

function open(
  options: ServingOptions,
  { shelf, log }: ServingDeps,
  metrics: ReturnType<typeof createMetrics>,
  ending: AbortSignal,
) {
  const { data, maxAge } = options;
  const startedAt = Date.now();
  return createMirror({
    data,
    shelf,
    auth: createAuth(options),
    operation: async () => {
      const [{ createOperation, snapshotReadings }, { createExposition }] = await Promise.all([
        import("./operation.ts"),
        import("./exposition.ts"),
      ]);
      const exposition = createExposition(metrics, snapshotReadings(shelf));
      return createOperation({ served: shelf, maxAge, startedAt, ending: () => ending.aborted, exposition });
    },
    onFault: (error, event) => logFault(log, error, event),
  });
}

/** Login calls; loaded with the first one, which many mirrors never see. */
export function createAuth({ upstream, authTime, authRate, trust }: ServingOptions): AuthProxy {
  let loading: Promise<AuthProxy> | undefined;
  return async (event) => {
    loading ??= import("./auth.ts").then(({ createAuthProxy }) =>
      createAuthProxy({ upstream, timeout: authTime, perMinute: authRate, trust }),
    );
    return (await loading)(event);
  };
}

export function logFault(log: Log, error: unknown, { req, url, runtime }: H3Event) {
  const id = requestId(runtime?.node?.res);
  const stack = error instanceof Error ? error.stack : String(error);
  log.error?.("fault", { id, method: req.method, path: url.pathname.slice(0, 200), error: stack });
}

function nextSignal() {
  return new Promise<string>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve(signal));
  });
}
