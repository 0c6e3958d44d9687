import "./node-version.ts";
import { flushCompileCache } from "node:module";
import { EXIT } from "../src/api/failure.ts";
import type { AuthProxy } from "../src/server/auth.ts";
import { listen } from "../src/server/listen.ts";
import { createMirror } from "../src/server/mirror.ts";
import { type Follow, followData, openLatest } from "../src/server/reload.ts";
import { createShelf, type Shelf } from "../src/server/shelf.ts";
import { openSnapshot } from "../src/snapshot/read.ts";
import { defineCommand, number, option, run, upstreams } from "./command.ts";

interface ServeFlags {
  data: string;
  snapshot?: string;
  port: number;
  host: string;
  workers: number;
  cache: number;
  upstream?: string[];
  get?: string;
}

export const serveCommand = defineCommand("serve", "Answer /api from the latest snapshot.")
  .addOption(option("--data <dir>", "folder of journals and snapshots").default("data"))
  .addOption(option("--snapshot <file>", "serve this file instead of the latest"))
  .addOption(number("--port <n>", "port to listen on (0: any free one)", [0, 65_535]).default(3000))
  .addOption(option("--host <address>", "address to listen on").default("127.0.0.1"))
  .addOption(number("--workers <n>", "processes that share the port (0: one per core)", [0, 256]).default(1))
  .addOption(number("--cache <MiB>", "finished answers that are kept in memory", [1, 65_536]).default(8))
  .addOption(upstreams("where login calls are passed to"))
  .addOption(option("--get <path>", "answer one request on stdout and exit"));

await run(serveCommand, async (flags: ServeFlags) => {
  const { data, snapshot: file, workers } = flags;
  if (flags.get !== undefined) return getOnce(flags, flags.get);
  const shelf = await openShelf(flags);
  const follow = file === undefined ? followData : undefined;
  const announce = createAnnouncer(shelf);
  if (workers === 1) return serve(flags, shelf, follow, announce);
  const { default: cluster } = await import("node:cluster");
  if (cluster.isPrimary) {
    const { runWorkers } = await import("../src/server/workers.ts");
    return runWorkers({ data, workers, shelf, follow, onChange: announce });
  }
  const { followPrimary } = await import("../src/server/worker.ts");
  // The line to its primary would keep it alive.
  return serve(flags, shelf, follow && followPrimary).finally(() => process.channel?.unref());
});

async function openShelf({ data, snapshot, cache }: ServeFlags): Promise<Shelf> {
  const options = { cacheBytes: cache * 1024 * 1024 };
  return snapshot === undefined
    ? openLatest(data, options)
    : createShelf({ ...options, snapshot: openSnapshot(snapshot) });
}

function open({ data, upstream }: ServeFlags, shelf: Shelf) {
  const auth = lazily(async () => {
    const { createAuthProxy } = await import("../src/server/auth.ts");
    return createAuthProxy({ upstream: upstream?.[0] });
  });
  const onFault = (error: unknown, path: string) => process.stderr.write(`fault at ${path}: ${String(error)}\n`);
  return createMirror({ data, shelf, auth, onFault });
}

/** Its client takes longer to load than a server may take to start, and many never pass a login on. */
function lazily(load: () => Promise<AuthProxy>): AuthProxy {
  let loading: Promise<AuthProxy> | undefined;
  return async (event) => {
    loading ??= load();
    return (await loading)(event);
  };
}

async function getOnce(flags: ServeFlags, path: string) {
  const { latestFile } = await import("../src/snapshot/publish.ts");
  const { data, snapshot = latestFile(data) } = flags;
  const mirror = open(flags, createShelf({ snapshot: openSnapshot(snapshot) }));
  const app = await mirror.app();
  const response = await app.request(path);
  process.stdout.write(`${await response.text()}\n`);
  mirror.close();
  return response.ok ? EXIT.done : EXIT.internal;
}

/** Serves until it is told to stop. */
async function serve(flags: ServeFlags, shelf: Shelf, follow?: Follow, onChange?: (shelf: Shelf) => void) {
  const { data, port, host } = flags;
  const mirror = open(flags, shelf);
  const server = await listen(mirror.listener, { port, host });
  // Once the first answers are out.
  const warming = setTimeout(() => {
    void mirror.warm().then(flushCompileCache);
  }, 300);
  const stopped = new Promise<void>((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  const following = follow?.(data, shelf, onChange ?? (() => {}));
  // A worker leaves it to its primary.
  if (onChange) process.stdout.write(`serving ${shelf.snapshot.head.version} on ${server.url}, stop with Ctrl-C\n`);
  try {
    await Promise.race([stopped, ...(following ? [following.unfit] : [])]);
    return EXIT.done;
  } finally {
    clearTimeout(warming);
    await server.close();
    await following?.stop();
    mirror.close();
  }
}

/** One line for each change. */
function createAnnouncer(shelf: Shelf) {
  const describe = ({ snapshot: { head }, problem }: Shelf) =>
    problem ? `still serving ${head.version}: ${problem}` : `now serving ${head.version}`;
  let said = describe(shelf);
  return (changed: Shelf) => {
    const line = describe(changed);
    if (line !== said) process.stderr.write(`${line}\n`);
    said = line;
  };
}
