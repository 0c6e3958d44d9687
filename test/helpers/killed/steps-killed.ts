import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { Worker } from "node:worker_threads";
import { findOwnNights } from "../../../src/nights/history/find-nights.ts";
import { updateHistory } from "../../../src/nights/history/history.ts";
import { buildAndPublish } from "../../../src/snapshot/pipeline.ts";

/**
 * Folds a history, or publishes and prunes, and is killed right before one of its steps, or after so many milliseconds
 * wherever it is then: `work step delay data file`. Without a kill (-1) it prints the names of the steps, and its time.
 */
const [work = "", step = "-1", delay = "-1", data = "", file = "", keep = "1"] = process.argv.slice(2);

const steps: string[] = [];
function reach(name: string) {
  if (steps.length === Number(step)) process.kill(process.pid, "SIGKILL");
  steps.push(name);
}

for (const name of ["rmSync", "renameSync", "fsyncSync"] as const) {
  const done = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      // Of a publication only what is pruned: its other steps have kills of their own.
      const pruned = name === "rmSync" && !/^\.next|\.(?:changes\.json|minisig|zst)$/.test(basename(String(args[0])));
      if (work !== "prune" || pruned) reach(name);
      return done(...args);
    },
  });
}
syncBuiltinESMExports();

/** Where the thread that works is in native code, only another one can kill it there. */
async function startClock() {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const clock = new Worker(
    `const { workerData: { flag, delay } } = require("node:worker_threads");
    Atomics.wait(flag, 0, 0);
    Atomics.wait(flag, 0, 1, delay);
    process.kill(process.pid, "SIGKILL");`,
    { eval: true, workerData: { flag, delay: Number(delay) } },
  );
  await new Promise((resolve) => clock.once("online", resolve));
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

if (Number(delay) >= 0) await startClock();
const begun = performance.now();
if (work === "prune") await buildAndPublish(file, data, { latest: true, maxLoss: 100, keep: Number(keep) });
else
  updateHistory(join(data, file), findOwnNights(data).nights, {
    fresh: work === "fresh",
    onTable: reach,
    onNight: () => reach("night"),
  });
process.stdout.write(`${JSON.stringify({ steps, milliseconds: performance.now() - begun })}\n`);
