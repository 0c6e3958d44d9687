import { execFile, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { EXIT, Failure } from "../../../src/api/failure.ts";
import { cpuSeconds } from "../process.ts";

const CONNECTIONS = 32;
/** Threads of the client; one core is the server's. */
const THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));
const SCRIPT = join(import.meta.dirname, "wrk.lua");

export interface Server {
  url: string;
  /** The process of the server, if its use of the processor is measured. */
  pid?: number | undefined;
}

export interface Task {
  /** A file of paths, drawn at random by the seed. */
  paths: string;
  seed: number;
  seconds: number;
}

export interface Load {
  /** Requests without an answer of success. */
  failed: number;
  /** Answers a second. */
  rate: number;
  /** The 99th percentile in milliseconds. */
  p99: number;
  /** The share of its cores that the client used. */
  client: number;
  /** The number of cores that the server used. */
  server: number;
}

export function requireWrk() {
  if (spawnSync("wrk", ["-v"]).error)
    throw new Failure(EXIT.usage, "wrk, which makes the load, is not installed", "run `apt-get install wrk`");
}

/** Asks as fast as the answers come. */
export async function load({ url, pid }: Server, { paths, seed, seconds }: Task): Promise<Load> {
  const before = pid ? cpuSeconds(pid) : 0;
  const options = ["-t", String(THREADS), "-c", String(CONNECTIONS), "-d", `${seconds}s`, "-s", SCRIPT];
  const { stdout } = await promisify(execFile)("wrk", [...options, url, "--", paths, String(seed)]);
  const used = pid ? cpuSeconds(pid) - before : 0;
  const said = JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? "{}") as Record<string, number>;
  const { requests = 0, failed = 0, seconds: took = 0, cpu = 0, p99 = 0 } = said;
  if (requests === 0) throw new Error(`${url} does not answer: ${stdout}`);
  return { failed, rate: requests / took, p99, client: cpu / took / THREADS, server: used / took };
}
