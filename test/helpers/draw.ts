import { TestRunner } from "vitest";
import { createRandom, type Random } from "./mutation/random.ts";
import { SEED } from "./seed.ts";

/**
 * Everything is tried, as in `make proof`, which runs every test that imports this. By default so many of the cases are
 * drawn by the seed.
 */
export const FULL = process.env.FULL === "1";

/** The words that try the same cases again. */
export const drawn = `SEED=${SEED}${FULL ? " FULL=1" : ""}`;

/** What makes the cases: chance, and how many there are to be. */
export interface Draw extends Random {
  /** The first where everything is tried, else the second. */
  many(full: number, drawn: number): number;
  /** The whole list where everything is tried, else so many of it. */
  some<T>(list: readonly T[], drawn: number): T[];
}

/** Draws for one purpose, whatever else draws beside it. */
export function createDraw(purpose: string): Draw {
  const random = createRandom(`${SEED} ${purpose}`);
  return {
    ...random,
    many: (full, drawn) => (FULL ? full : drawn),
    some: (list, drawn) => (FULL ? [...list] : random.shuffle(list).slice(0, drawn)),
  };
}

/**
 * Of the tests of the `describe` in which it is called the seed draws so many; all are run where everything is tried. They must
 * not need each other, and the body of the `describe` must await nothing.
 */
export function drawTests(drawn: number): void {
  if (FULL) return;
  const { name, tasks } = TestRunner.getCurrentSuite();
  // After the body, before what it defines is read.
  queueMicrotask(() => {
    const chosen = new Set(createRandom(`${SEED} ${name}`).shuffle(tasks).slice(0, drawn));
    tasks.splice(0, tasks.length, ...tasks.filter((task) => chosen.has(task)));
  });
}
