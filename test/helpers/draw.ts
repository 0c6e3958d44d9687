import { TestRunner } from "vitest";
import { createRandom, type Random, SEED } from "./random.ts";

/**
 * By default the seed draws a few of the cases. `make proof`, which runs every test that imports this, draws a larger part, and
 * `FULL=all` tries all.
 */
export const FULL = process.env.FULL !== undefined;

/** How many of a list are tried. Another run of `make proof` draws another half. */
function countOf(all: number, drawn: number): number {
  if (process.env.FULL === "all") return all;
  return FULL ? Math.max(drawn, Math.ceil(all / 2)) : drawn;
}

/** The words that try the same cases again. */
export const drawn = `SEED=${SEED}${FULL ? ` FULL=${process.env.FULL}` : ""}`;

/** What makes the cases: chance, and how many there are to be. */
export interface Draw extends Random {
  /** The first in `make proof`, else the second. */
  many(full: number, drawn: number): number;
  /** So many of the list, or what `make proof` draws. */
  some<T>(list: readonly T[], drawn: number): T[];
}

/** Draws for one purpose, whatever else draws beside it. */
export function createDraw(purpose: string): Draw {
  const random = createRandom(purpose);
  return {
    ...random,
    many: (full, drawn) => (FULL ? full : drawn),
    some: (list, drawn) => random.shuffle(list).slice(0, countOf(list.length, drawn)),
  };
}

/**
 * Of the tests of the `describe` in which it is called the seed draws so many, or what `make proof` draws. They must not need each
 * other, and the body of the `describe` must await nothing.
 */
export function drawTests(drawn: number): void {
  const { name, tasks } = TestRunner.getCurrentSuite();
  // After the body, before what it defines is read.
  queueMicrotask(() => {
    const chosen = new Set(createRandom(name).shuffle(tasks).slice(0, countOf(tasks.length, drawn)));
    tasks.splice(0, tasks.length, ...tasks.filter((task) => chosen.has(task)));
  });
}
