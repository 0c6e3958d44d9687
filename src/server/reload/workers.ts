import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, type ExitCode } from "../../api/failure.ts";
import { pointerFile } from "../../snapshot/published/folder.ts";
import type { Log } from "../operate/log.ts";
import type { Shelf } from "./active-snapshot.ts";
import { type Following, SERVED } from "./reload.ts";
import type { Order } from "./worker.ts";

export interface WorkersOptions {
  data: string;
  /** How many; 0: one per core. */
  workers: number;
  /** Milliseconds that a worker has to finish when told to stop. */
  grace: number;
  /** What is served, and how that changes: of the primary alone, whose workers are told. */
  shelf: Shelf;
  follow: (onChange: (shelf: Shelf) => void) => Following | undefined;
  announce: (shelf: Shelf) => void;
  onListening: (url: string, workers: number) => void;
  log: Log;
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
/** Milliseconds that a worker has to live to count as healthy, and to carry out an order. */
const HEALTHY = 10_000;
const PATIENCE = 5_000;
/** Milliseconds beyond its time after which a worker that does not end is killed. */
const BEYOND = 1_000;

/**
 * Keeps so many processes serving on one port. The primary alone follows the pointer and checks files; its workers go over
 * one after another. A worker that dies is replaced; SIGHUP replaces all of them, each once its successor listens.
 */
export async function runWorkers(options: WorkersOptions): Promise<ExitCode> {
  const { data, workers, grace, shelf, log, follow, onListening } = options;
  const count = workers || availableParallelism();
  const leaving = new Set<Worker>();
  const refused = Promise.withResolvers<ExitCode>();
  const stopped = new Promise<ExitCode>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve(EXIT.done));
  });
  // Each accepts for itself: a connection that the primary hands to a worker about to end would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let pause = FIRST_PAUSE;
  let phase: "starting" | "serving" | "stopping" = "starting";
  let rolling = Promise.resolve();

  async function start(): Promise<AddressInfo> {
    const worker = cluster.fork({ [SERVED]: shelf.snapshot.head.version });
    const born = Date.now();
    worker.once("exit", (code, signal) => {
      if (phase === "stopping" || leaving.delete(worker)) return;
      if (phase === "starting") return refused.resolve((code || EXIT.internal) as ExitCode);
      const wait = Date.now() - born > HEALTHY ? FIRST_PAUSE : pause;
      pause = Math.min(2 * wait, LONGEST_PAUSE);
      log.error?.("worker-ended", { pid: worker.process.pid, end: signal ?? code, next_in_ms: wait });
      setTimeout(() => phase === "serving" && void start(), wait);
    });
    const [address] = (await once(worker, "listening")) as [AddressInfo];
    await tell(worker, orderOf(data, shelf));
    return address;
  }

  /** One after another, so that most go on serving whatever happens to one. */
  const eachInTurn = (change: (worker: Worker) => Promise<unknown>) => {
    rolling = rolling.then(async () => {
      for (const worker of living()) if (phase === "serving") await change(worker);
    });
  };

  const onChange = (changed: Shelf) => {
    options.announce(changed);
    const order = orderOf(data, shelf);
    eachInTurn((worker) => tell(worker, order));
  };

  const replace = async (worker: Worker) => {
    await start();
    leaving.add(worker);
    void stop(worker, grace);
  };

  const startAll = async () => {
    // The first one finds out whether the port can be had, and says why not.
    const address = await start();
    await Promise.all(Array.from({ length: count - 1 }, start));
    return toUrl(address);
  };

  let following: Following | undefined;
  try {
    const url = await Promise.race([startAll(), refused.promise, stopped]);
    if (typeof url === "number") return url;
    phase = "serving";
    process.on("SIGHUP", () => eachInTurn(replace));
    following = follow(onChange);
    onListening(url, count);
    return await Promise.race([stopped, ...(following ? [following.unfit] : [])]);
  } finally {
    phase = "stopping";
    // Whoever says it twice does not want to wait, not even for a worker that hangs.
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, endAtOnce);
    await following?.stop();
    await Promise.all(living().map((worker) => stop(worker, grace)));
    shelf.close();
    log.flush();
  }
}

const living = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function endAtOnce() {
  for (const worker of living()) worker.process.kill("SIGKILL");
  process.exit(EXIT.interrupted);
}

/** Resolves when the worker is gone: in order, or killed where it hangs. */
async function stop(worker: Worker, grace: number) {
  const gone = once(worker, "exit");
  worker.process.kill("SIGTERM");
  const hung = setTimeout(() => worker.process.kill("SIGKILL"), grace + BEYOND);
  await gone;
  clearTimeout(hung);
}

function toUrl({ address: host, port }: AddressInfo): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function orderOf(data: string, { snapshot, verified, problem, source }: Shelf): Order {
  const publishedAt = statSync(pointerFile(data), { throwIfNoEntry: false })?.mtimeMs;
  return { version: snapshot.head.version, publishedAt, verified, problem, source };
}

/** Resolves when the worker has done it, or cannot any more. */
async function tell(worker: Worker, order: Order) {
  if (!worker.isConnected()) return;
  const done = once(worker, "message");
  worker.send(order);
  await Promise.race([done, once(worker, "exit"), sleep(PATIENCE, undefined, { ref: false })]);
}
