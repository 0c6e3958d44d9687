import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "../budget.ts";
import { startMirror } from "../mirror.ts";
import { freePort, hasNginx, startNginx } from "../nginx.ts";
import { startProgram } from "../process.ts";
import { filesFolder, layOut, pathsFile } from "./answers.ts";
import { type Load, load, type Server } from "./wrk.ts";

const SECONDS = 2;

type Side = "mirror" | "bare" | "nginx";

export interface Sides {
  /** One load of each round; none if a server is not installed. */
  loads: Record<Side, Load[]>;
  /** Bytes of the answers to all paths together. */
  bytes: number;
}

/** Runs the mirror, a bare server and nginx with the same answers under the same load, in turns. */
export async function sideBySide(bench: Bench, paths: readonly string[], options: string[]): Promise<Sides> {
  const folder = mkdtempSync(join(tmpdir(), "metasnap-bench-"));
  await using ends = new AsyncDisposableStack();
  ends.defer(() => rmSync(folder, { recursive: true }));
  const mirror = await startMirror(bench, options);
  ends.defer(async () => void (await mirror.stop()));
  const bytes = await layOut(folder, mirror.found, paths);
  const bare = await startProgram(["scripts/bench/bare.ts", folder], /bare on (\S+)/);
  ends.defer(async () => void (await bare.stop()));
  const servers: [Side, Server][] = [
    ["mirror", { url: mirror.found, pid: mirror.child.pid }],
    ["bare", { url: bare.found, pid: bare.child.pid }],
  ];
  if (hasNginx()) {
    const nginx = await startStatic(folder);
    ends.defer(() => nginx.stop());
    servers.push(["nginx", { url: nginx.url }]);
  }

  const loads: Sides["loads"] = { mirror: [], bare: [], nginx: [] };
  for (let round = 0; round <= bench.rounds; round += 1) {
    for (const [side, server] of servers) {
      const taken = await load(server, { paths: pathsFile(folder), seed: round, seconds: SECONDS });
      // The first round warms them up.
      if (round > 0) loads[side].push(taken);
    }
  }
  return { loads, bytes };
}

/** Starts nginx with the same bodies as files, one for each URL. */
async function startStatic(folder: string) {
  const port = await freePort();
  const http = `
    default_type application/json; sendfile on; tcp_nopush on; keepalive_requests 1000000000;
    server { listen 127.0.0.1:${port}; root ${filesFolder(folder)}; location / { try_files $request_uri =404; } }`;
  const { stop } = await startNginx(folder, http, { port, host: "127.0.0.1" });
  return { url: `http://127.0.0.1:${port}`, stop };
}
