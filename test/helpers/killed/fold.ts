import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Worker } from "node:worker_threads";
import { findOwnNights } from "../../../src/nights/history/find-nights.ts";
import { updateHistory } from "../../../src/nights/history/history.ts";

/**
 * Folds a history, and is killed right before one of its steps, or after so many milliseconds wherever it is then: `data file fresh
 * step delay`. Without a kill it prints the names of the steps, and its time.
 */
const [data = "", file = "", fresh = "", step, delay] = process.argv.slice(2);

const steps: string[] = [];
function reach(name: string) {
  if (String(steps.length) === step) process.kill(process.pid, "SIGKILL");
  steps.push(name);
}

for (const name of ["rmSync", "renameSync", "fsyncSync"] as const) {
  const done = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      reach(name);
      return done(...args);
    },
  });
}
syncBuiltinESMExports();

/** While the thread that works is in native code, only another one can kill it there. */
async function startClock(milliseconds: number) {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const clock = new Worker(
    `const { workerData: { flag, milliseconds } } = require("node:worker_threads");
    Atomics.wait(flag, 0, 0);
    Atomics.wait(flag, 0, 1, milliseconds);
    process.kill(process.pid, "SIGKILL");`,
    { eval: true, workerData: { flag, milliseconds } },
  );
  await new Promise((resolve) => clock.once("online", resolve));
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

if (delay) await startClock(Number(delay));
const begun = performance.now();
updateHistory(file, findOwnNights(data).nights, {
  fresh: fresh === "fresh",
  onTable: reach,
  onNight: () => reach("night"),
});
process.stdout.write(JSON.stringify({ steps, milliseconds: performance.now() - begun }));
