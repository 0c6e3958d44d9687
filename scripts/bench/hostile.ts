import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { readPointer } from "../../src/snapshot/published/pointer.ts";
import { type Bench, type Budget, inOneRun } from "./budget.ts";
import { CROWDS } from "./load/crowds.ts";
import { startMirror } from "./mirror.ts";
import { residentMegabytes, startProgram } from "./process.ts";

/** Milliseconds between two questions, and for which a crowd stands. */
const [PAUSE_MS, STANDS_MS] = [15, 5000];

interface Suffered {
  /** Milliseconds of the slowest answer of `/health`. */
  stallMs: number;
  peakMegabytes: number;
}

const suffer = inOneRun(meetCrowds);

/** Budgets of a server that five thousand connections of each hostile kind come to, one kind after another. */
export const HOSTILE_BUDGETS: readonly Budget[] = [
  {
    name: "longest stall of `/health` under hostile clients",
    how: `while 5000 connections stand, of ${Object.keys(CROWDS).length} kinds in turn`,
    bound: "≤",
    limit: 250,
    unit: " ms",
    cost: "Answers that are made and cut.",
    measure: async (bench) => ({ value: (await suffer(bench)).stallMs }),
  },
  {
    name: "memory under hostile clients",
    how: "largest resident size",
    bound: "≤",
    limit: 300,
    unit: " MB",
    measure: async (bench) => ({ value: (await suffer(bench)).peakMegabytes }),
  },
];

async function meetCrowds(bench: Bench): Promise<Suffered> {
  const mirror = await startMirror(bench);
  const version = readPointer(bench.data)?.version ?? "";
  try {
    let stallMs = 0;
    for (const name of Object.keys(CROWDS)) {
      // As long as they come, the system may drop anybody for a second: its queue is full. Once one is answered, all have come.
      const crowd = await startProgram(["scripts/bench/load/crowd.ts", mirror.found, version, name], /^gathered$/);
      await askHealth(mirror.found);
      stallMs = Math.max(stallMs, await probe(mirror.found));
      await crowd.stop();
    }
    return { stallMs, peakMegabytes: residentMegabytes(mirror.child.pid ?? 0, "peak") };
  } finally {
    await mirror.stop();
  }
}

/** Asks for `/health` again and again, on a new connection each time; returns the milliseconds of the slowest answer. */
async function probe(url: string): Promise<number> {
  const until = performance.now() + STANDS_MS;
  let slowest = 0;
  for (let begun = performance.now(); begun < until; begun = performance.now()) {
    await askHealth(url);
    slowest = Math.max(slowest, performance.now() - begun);
    await sleep(PAUSE_MS);
  }
  return slowest;
}

async function askHealth(url: string): Promise<void> {
  const { body } = await request(`${url}/health`, { reset: true });
  await body.dump();
}
