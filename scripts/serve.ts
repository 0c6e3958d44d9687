import { EXIT } from "../src/api/failure.ts";
import { harmlessJson, harmlessLines } from "../src/api/harmless.ts";
import { createMirror } from "../src/server/compose.ts";
import { createOperation } from "../src/server/operate/admin.ts";
import { createLog, type Log } from "../src/server/operate/log.ts";
import { createShelf, type Shelf } from "../src/server/reload/active-snapshot.ts";
import { followData, openLatest } from "../src/server/reload/reload.ts";
import { createCache } from "../src/server/response/cache.ts";
import { createAuth, logInternalError, type ServingOptions, serveUntilStopped } from "../src/server/serve.ts";
import { latestFile } from "../src/snapshot/published/pointer.ts";
import { openSnapshot } from "../src/snapshot/read/snapshot.ts";
import { run } from "./cli/command.ts";
import type { Followed } from "./cli/following.ts";
import { defineServe, type ServeFlags } from "./cli/options/serve.ts";
import { say } from "./cli/say.ts";
import { describeSettings } from "./cli/settings.ts";

export const serveCommand = defineServe();

await run(serveCommand, async (flags: ServeFlags) => {
  const log = createLog(flags.log);
  if (flags.get !== undefined) return answerOnce(flags, flags.get, log);
  try {
    if (flags.follow === undefined) return await serveShelf(flags, log);
    const { startFollowing } = await import("./cli/following.ts");
    await using followed = await startFollowing(flags, log);
    return await serveShelf(flags, log, followed);
  } finally {
    // A login call that the upstream has not answered yet, or the line to a primary, would hold the end up.
    setImmediate(() => process.exit());
  }
});

/** In this process, or as the primary of workers, or as one of them. */
async function serveShelf(flags: ServeFlags, log: Log, followed?: Followed) {
  const { data, workers } = flags;
  const shelf = openShelf(flags);
  const announce = createAnnouncer(shelf, log);
  const follow = (onChange: (shelf: Shelf) => void) => {
    followed?.watch((source) => {
      shelf.heed(source);
      onChange(shelf);
    });
    return flags.snapshot === undefined ? followData(data, shelf, onChange) : undefined;
  };
  if (workers === 1)
    return serveUntilStopped(toServing(flags), {
      shelf,
      log,
      follow: () => follow(announce),
      onListening: (url) => greet(shelf, url),
    });
  const { default: cluster } = await import("node:cluster");
  if (cluster.isPrimary) {
    const { runWorkers } = await import("../src/server/reload/workers.ts");
    const onListening = (url: string, count: number) => greet(shelf, url, `${count} workers, `);
    return runWorkers({ data, workers, grace: flags.grace * 1000, shelf, log, follow, announce, onListening });
  }
  const { followPrimary } = await import("../src/server/reload/worker.ts");
  const obey = () => (flags.snapshot === undefined ? followPrimary(data, shelf) : undefined);
  return serveUntilStopped(toServing(flags), { shelf, log, follow: obey, worker: true, onListening() {} });
}

function openShelf({ data, snapshot, ...flags }: ServeFlags): Shelf {
  const cache = createCache(flags.cache * 1024 * 1024);
  if (snapshot === undefined) return openLatest(data, { cache });
  return createShelf({ cache, snapshot: openSnapshot(snapshot, { pageBytes: cache.sqlitePageBytes.served }) });
}

async function answerOnce(flags: ServeFlags, path: string, log: Log) {
  const { data, snapshot = latestFile(data) } = flags;
  const shelf = createShelf({ snapshot: openSnapshot(snapshot) });
  const auth = createAuth(toServing(flags));
  const operation = createOperation({ served: shelf });
  const mirror = createMirror({ data, shelf, auth, operation, onInternalError: logInternalError.bind(undefined, log) });
  const response = await mirror.app.request(path);
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  process.stdout.write(`${(isJson ? harmlessJson : harmlessLines)(await response.text())}\n`);
  mirror.close();
  log.flush();
  return response.ok ? EXIT.done : EXIT.internal;
}

function toServing(flags: ServeFlags): ServingOptions {
  return {
    data: flags.data,
    host: flags.host,
    port: flags.port,
    upstream: flags.upstream?.[0],
    authPerMinute: flags.authRate,
    authTimeoutMs: flags.authTimeout * 1000,
    trust: flags.trustProxy,
    maxAgeMs: flags.maxAge === undefined ? undefined : flags.maxAge * 3_600_000,
    requestTimeoutMs: flags.requestTimeout * 1000,
    graceMs: flags.grace * 1000,
  };
}

function greet({ snapshot }: Shelf, url: string, how = "") {
  say(`serving ${snapshot.head.version} on ${url}, ${how}stop with Ctrl-C`, ...describeSettings(serveCommand));
}

/** One line for each change. */
function createAnnouncer(shelf: Shelf, log: Log) {
  let said: string | undefined;
  let version = shelf.snapshot.head.version;
  return ({ snapshot: { head }, problem }: Shelf) => {
    if (head.version !== version) say(`now serving ${head.version}`);
    if (problem !== undefined && problem !== said) log.error?.("snapshot-refused", { serving: head.version, problem });
    version = head.version;
    said = problem;
  };
}
