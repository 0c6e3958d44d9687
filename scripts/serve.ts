import "./node-version.ts";
import { EXIT } from "../src/api/failure.ts";
import { createApp } from "../src/server/app.ts";
import { createAuthProxy } from "../src/server/auth.ts";
import { listen } from "../src/server/listen.ts";
import { createListener } from "../src/server/listener.ts";
import { createShelf } from "../src/server/shelf.ts";
import { latestFile } from "../src/snapshot/publish.ts";
import { openSnapshot } from "../src/snapshot/read.ts";
import { defineCommand, number, option, run, upstreams } from "./command.ts";

interface ServeFlags {
  data: string;
  snapshot?: string;
  port: number;
  host: string;
  upstream?: string[];
  get?: string;
}

export const serveCommand = defineCommand("serve", "Answer /api from the latest snapshot.")
  .addOption(option("--data <dir>", "folder of journals and snapshots").default("data"))
  .addOption(option("--snapshot <file>", "serve this file instead of the latest"))
  .addOption(number("--port <n>", "port to listen on (0: any free one)", [0, 65_535]).default(3000))
  .addOption(option("--host <address>", "address to listen on").default("127.0.0.1"))
  .addOption(upstreams("where login calls are passed to"))
  .addOption(option("--get <path>", "answer one request on stdout and exit"));

await run(serveCommand, async ({ data, snapshot: file, port, host, upstream, get }: ServeFlags) => {
  const snapshot = openSnapshot(file ?? latestFile(data));
  const onFault = (error: unknown, path: string) => process.stderr.write(`fault at ${path}: ${String(error)}\n`);
  const shelf = createShelf({ snapshot });
  const app = createApp({ shelf, auth: createAuthProxy({ upstream: upstream?.[0] }), onFault });
  if (get !== undefined) {
    const response = await app.request(get);
    process.stdout.write(`${await response.text()}\n`);
    return response.ok ? EXIT.done : EXIT.internal;
  }
  const server = await listen(createListener(app, shelf), { port, host });
  process.stdout.write(`serving ${snapshot.head.version} on ${server.url}, stop with Ctrl-C\n`);
  await new Promise<void>((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
  await server.close();
  snapshot.close();
  return EXIT.done;
});
