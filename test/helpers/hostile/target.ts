import { readdirSync, statSync } from "node:fs";
import { expect } from "vitest";
import { cpuSeconds, residentMegabytes } from "../../../scripts/bench/process.ts";
import { fileOf, pointerOf } from "../data-folder.ts";
import type { Ended } from "../run.ts";
import { startServe } from "../served.ts";
import { startServer } from "../server.ts";

/** A line that a server may write at its liveliest. */
const LINE = /^\{"time":"[^"]+","level":"(info|debug)"/;

export type Target = Awaited<ReturnType<typeof startTarget>>;

/** The server as a process of its own, in front of an upstream that takes every login. */
export async function startTarget(data: string, level: "info" | "debug" = "info") {
  const upstream = await startServer((_, res) => {
    res.writeHead(200, { "content-type": "application/json" }).end('{"code":0,"message":"OK","data":{}}');
  });
  const options = ["--data", data, "--upstream", upstream.url, "--auth-rate", "100000", "--log", level];
  const served = await startServe(options);
  let ended: Ended | undefined;
  void served.ended.then((end) => {
    ended = end;
  });
  const file = fileOf(data);
  const facts = { url: served.url, version: pointerOf(data).version, file, size: statSync(file).size };
  return {
    facts,
    /** How it ended, when it has. */
    ended: () => ended,
    /** Open files and connections. */
    descriptors: () => readdirSync(`/proc/${served.pid}/fd`).length,
    cpuSeconds: () => cpuSeconds(served.pid),
    peakMegabytes: () => residentMegabytes(served.pid, "peak"),
    /** Ends it, and tells what it wrote: it must end in order. */
    async stop(): Promise<string> {
      const { code, stderr } = await served.stop();
      await upstream[Symbol.asyncDispose]();
      const odd = stderr.split("\n").filter((line) => line !== "" && !LINE.test(line));
      expect([code, odd.slice(0, 5)]).toEqual([0, []]);
      return stderr;
    },
  };
}
