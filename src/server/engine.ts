import { executionAsyncResource } from "node:async_hooks";
import { setFlagsFromString } from "node:v8";

const kept: object[] = [];

/**
 * Keeps one of the objects in which Node notes what to do at the next tick. When a collection finds none of them, V8
 * forgets their shape, and the code that makes two for each answer is slow from then on: 3 of 21 microseconds.
 */
export function keepTick() {
  if (kept.length === 0) process.nextTick(() => kept.push(executionAsyncResource()));
}

/**
 * Requests of one turn are answered together, so that many of their objects outlive a small collection. V8 takes that for
 * a long life, now and then, and has all of them live where only large collections reach: a third of the rate is lost.
 * Not to be told on the command line, nor before the compile cache is written: whatever was compiled under other
 * settings is compiled again at the next start.
 */
export function stopPretenuring() {
  setFlagsFromString("--no-allocation-site-pretenuring");
}
