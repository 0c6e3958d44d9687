import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ended } from "../run.ts";
import { startServe } from "../served.ts";
import { startServer } from "../server.ts";
import { world } from "../world.ts";
import { startWatch } from "./watch.ts";

/** What is served, as its own pointer says it. */
export interface Facts {
  url: string;
  version: string;
  file: string;
  size: number;
}

export type Level = "info" | "debug";

const PATIENCE = 10_000;

export type Target = Awaited<ReturnType<typeof startTarget>>;

/** The server as a process of its own, in front of an upstream that takes every login, and watched. */
export async function startTarget(level: Level) {
  const data = world.data;
  const { version, size } = JSON.parse(readFileSync(join(data, "latest.json"), "utf8")) as Facts;
  const upstream = await startServer((_, res) => {
    res.writeHead(200, { "content-type": "application/json" }).end('{"code":0,"message":"OK","data":{}}');
  });
  const options = ["--data", data, "--upstream", upstream.url, "--auth-rate", "100000", "--log", level];
  const served = await startServe(options);
  let ended: Ended | undefined;
  void served.ended.then((end) => {
    ended = end;
  });
  await proved(served.url);
  const watch = startWatch(served.url, served.pid);
  const facts: Facts = { url: served.url, version, size, file: join(data, "snapshots", `${version}.sqlite`) };
  return {
    facts,
    watch,
    upstream,
    /** How it ended, when it has. */
    ended: () => ended,
    /** Whether it still answers; a process that dies takes a while to say so. */
    async lives(): Promise<boolean> {
      const health = await fetch(`${served.url}/health`, { signal: AbortSignal.timeout(PATIENCE) }).catch(
        () => undefined,
      );
      await health?.text();
      if (!health) await Promise.race([served.ended, sleep(PATIENCE)]);
      return health?.status === 200;
    },
    /** Open files and connections. */
    descriptors: () => readdirSync(`/proc/${served.pid}/fd`).length,
    async stop(): Promise<Ended> {
      watch.stop();
      const end = await served.stop();
      await upstream[Symbol.asyncDispose]();
      return end;
    },
  };
}

/** The file is read whole right after a start, by a process beside the server: no part of what is looked at here. */
async function proved(url: string) {
  for (let tries = 0; tries < 100; tries += 1) {
    const { data } = (await (await fetch(`${url}/health`)).json()) as { data: { snapshot: { verified?: boolean } } };
    if (data.snapshot.verified !== false) return;
    await sleep(100);
  }
}
