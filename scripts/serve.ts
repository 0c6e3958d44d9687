import "./node-version.ts";
import type { H3, H3Event } from "h3";
import { EXIT } from "../src/api/failure.ts";
import { createApp } from "../src/server/app.ts";
import { createAuthProxy } from "../src/server/auth.ts";
import { createExposition } from "../src/server/exposition.ts";
import { listen } from "../src/server/listen.ts";
import { createLog, type Log } from "../src/server/log.ts";
import { createMetrics } from "../src/server/metrics.ts";
import { createObserver } from "../src/server/observe.ts";
import { createOperation, snapshotReadings } from "../src/server/operation.ts";
import { requestId } from "../src/server/traced.ts";
import { latestFile } from "../src/snapshot/publish.ts";
import { openSnapshot } from "../src/snapshot/read.ts";
import { run } from "./command.ts";
import { defineServe, type ServeFlags } from "./serve-options.ts";
import { describeSettings } from "./settings.ts";

export const serveCommand = defineServe();

await run(serveCommand, async (flags: ServeFlags) => {
  const snapshot = openSnapshot(flags.snapshot ?? latestFile(flags.data));
  const log = createLog(flags.log);
  const metrics = createMetrics();
  const stop = new AbortController();
  const served = () => snapshot;
  const app = createApp({
    snapshot,
    auth: createAuthProxy({
      upstream: flags.upstream?.[0],
      timeout: flags.authTimeout * 1000,
      perMinute: flags.authRate,
      trust: flags.trustProxy,
    }),
    operation: createOperation({
      served,
      maxAge: flags.maxAge === undefined ? undefined : flags.maxAge * 3_600_000,
      ending: () => stop.signal.aborted,
      exposition: createExposition(metrics, snapshotReadings(served)),
    }),
    onFault: (error, event) => logFault(log, error, event),
  });
  if (flags.get !== undefined) return answerOnce(app, flags.get, log);

  const server = await listen(app, {
    port: flags.port,
    host: flags.host,
    requestTime: flags.requestTimeout * 1000,
    onRequest: createObserver(metrics, log, flags.trustProxy),
    onRefused(status) {
      metrics.refuse(status);
      log.info?.("refused", { status });
    },
  });
  process.stdout.write(describeSettings(serveCommand));
  process.stdout.write(`serving ${snapshot.head.version} on ${server.url}, stop with Ctrl-C\n`);
  const signal = await nextSignal();
  stop.abort();
  log.info?.("ending", { signal });
  // A second one does not wait.
  void nextSignal().then(() => process.exit(EXIT.interrupted));
  await server.drain(flags.grace * 1000);
  snapshot.close();
  log.flush();
  // A login call that the upstream has not answered yet would hold the end up.
  process.exit(EXIT.done);
});

async function answerOnce(app: H3, path: string, log: Log) {
  const response = await app.request(path);
  process.stdout.write(`${await response.text()}\n`);
  log.flush();
  return response.ok ? EXIT.done : EXIT.internal;
}

function logFault(log: Log, error: unknown, { req, url, runtime }: H3Event) {
  const id = requestId(runtime?.node?.res);
  const stack = error instanceof Error ? error.stack : String(error);
  log.error?.("fault", { id, method: req.method, path: url.pathname.slice(0, 200), error: stack });
}

function nextSignal() {
  return new Promise<string>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve(signal));
  });
}
