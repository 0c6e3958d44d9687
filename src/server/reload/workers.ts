import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, type ExitCode } from "../../api/failure.ts";
import { pointerFile } from "../../snapshot/published/folder.ts";
import type { Proofs } from "../../snapshot/verify/signed-nights.ts";
import type { ServerLog } from "../operate/log.ts";
import type { ActiveSnapshot } from "./active-snapshot.ts";
import { SERVED_PROOF_ENV, SERVED_VERSION_ENV, type SnapshotUpdates } from "./reload.ts";
import type { WorkerState } from "./worker.ts";

export interface WorkersOptions {
  data: string;
  /** How many; 0: one per core. */
  workers: number;
  /** What a worker has to finish when told to stop. */
  graceMs: number;
  /** What is served and how it changes: of the primary alone, which tells its workers. */
  active: ActiveSnapshot;
  /** What it has proved, if clients get nothing else. */
  proofs: () => Proofs | undefined;
  follow: (onChange: (active: ActiveSnapshot) => void) => SnapshotUpdates | undefined;
  announce: (active: ActiveSnapshot) => void;
  onListening: (url: string, workers: number) => void;
  log: ServerLog;
}

const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 10_000;
/** A worker that lived so long was healthy: its successor starts after the shortest delay. */
const HEALTHY_AFTER_MS = 10_000;
const REPLY_TIMEOUT_MS = 5_000;
/** How long after its grace a worker that does not end is killed. */
const KILL_AFTER_MS = 1_000;

/**
 * Keeps a number of processes serving on one port until a signal ends them; resolves to the exit code. The primary alone
 * follows the pointer and verifies files; its workers change over one by one. A worker that dies is replaced, after a delay
 * that doubles while workers die young; SIGHUP replaces all of them, each once its successor listens.
 */
export async function runWorkers(options: WorkersOptions): Promise<ExitCode> {
  const { workers, graceMs, active, log, follow, onListening } = options;
  const count = workers || availableParallelism();
  const retiring = new Set<Worker>();
  const refused = Promise.withResolvers<ExitCode>();
  const stopped = new Promise<ExitCode>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve(EXIT.done));
  });
  // Each worker accepts for itself: a connection that the primary hands to a worker about to end would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let restartDelayMs = MIN_RESTART_DELAY_MS;
  let phase: "starting" | "serving" | "stopping" = "starting";
  let rolling = Promise.resolve();

  async function start(): Promise<AddressInfo> {
    const { version } = active.snapshot.head;
    const proof = options.proofs()?.[version] ?? "";
    const worker = cluster.fork({ [SERVED_VERSION_ENV]: version, [SERVED_PROOF_ENV]: proof });
    const born = Date.now();
    worker.once("exit", (code, signal) => {
      if (phase === "stopping" || retiring.delete(worker)) return;
      if (phase === "starting") return refused.resolve((code || EXIT.internal) as ExitCode);
      const wait = Date.now() - born > HEALTHY_AFTER_MS ? MIN_RESTART_DELAY_MS : restartDelayMs;
      restartDelayMs = Math.min(2 * wait, MAX_RESTART_DELAY_MS);
      log.error?.("worker-ended", { pid: worker.process.pid, end: signal ?? code, next_in_ms: wait });
      setTimeout(() => phase === "serving" && void start(), wait);
    });
    const [address] = (await once(worker, "listening")) as [AddressInfo];
    await sendState(worker, workerState(options));
    return address;
  }

  /** One by one, so that a change that fails in one worker leaves the others serving. */
  const eachInTurn = (change: (worker: Worker) => Promise<unknown>) => {
    rolling = rolling.then(async () => {
      for (const worker of liveWorkers()) if (phase === "serving") await change(worker);
    });
  };

  const onChange = (changed: ActiveSnapshot) => {
    options.announce(changed);
    const state = workerState(options);
    eachInTurn((worker) => sendState(worker, state));
  };

  const replace = async (worker: Worker) => {
    await start();
    retiring.add(worker);
    void stop(worker, graceMs);
  };

  const startAll = async () => {
    // Alone, so that only one prints why the port cannot be used.
    const address = await start();
    await Promise.all(Array.from({ length: count - 1 }, start));
    return toUrl(address);
  };

  let updates: SnapshotUpdates | undefined;
  try {
    const url = await Promise.race([startAll(), refused.promise, stopped]);
    if (typeof url === "number") return url;
    phase = "serving";
    process.on("SIGHUP", () => eachInTurn(replace));
    updates = follow(onChange);
    onListening(url, count);
    return await Promise.race([stopped, ...(updates ? [updates.corrupt] : [])]);
  } finally {
    phase = "stopping";
    // A second signal ends at once, even when a worker hangs.
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, killAll);
    await updates?.stop();
    await Promise.all(liveWorkers().map((worker) => stop(worker, graceMs)));
    active.close();
    log.flush();
  }
}

const liveWorkers = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

function killAll() {
  for (const worker of liveWorkers()) worker.process.kill("SIGKILL");
  process.exit(EXIT.interrupted);
}

/** Resolves when the worker has exited; kills it if it hangs. */
async function stop(worker: Worker, graceMs: number) {
  const gone = once(worker, "exit");
  worker.process.kill("SIGTERM");
  const hung = setTimeout(() => worker.process.kill("SIGKILL"), graceMs + KILL_AFTER_MS);
  await gone;
  clearTimeout(hung);
}

function toUrl({ address: host, port }: AddressInfo): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function workerState({ data, active, proofs }: WorkersOptions): WorkerState {
  const { snapshot, verified, problem, withheld, loadedAtMs, source } = active;
  const publishedAtMs = statSync(pointerFile(data), { throwIfNoEntry: false })?.mtimeMs;
  const version = snapshot.head.version;
  return { version, publishedAtMs, verified, problem, withheld, loadedAtMs, proofs: proofs(), source };
}

/** Resolves when the worker has replied, has exited, or took too long. */
async function sendState(worker: Worker, state: WorkerState) {
  if (!worker.isConnected()) return;
  const done = once(worker, "message");
  // Without a callback, a worker that has just died would end the primary with an unhandled error.
  worker.send(state, () => {});
  await Promise.race([done, once(worker, "exit"), sleep(REPLY_TIMEOUT_MS, undefined, { ref: false })]);
}
