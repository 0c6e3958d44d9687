import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../api/errors.ts";
import { LIMITS } from "./limits.ts";

export type Unsent = ReturnType<typeof createUnsent>;

export interface UnsentOptions {
  /** Bytes that may be made and not yet sent, over all connections. */
  maxBytes?: number;
  /** Milliseconds that a request waits for room. */
  waitTime?: number;
  /** Milliseconds without a byte after which a reader is cut while others wait. */
  pressedTime?: number;
}

/**
 * Bounds what is made and not yet sent: beyond it no further answer is made until some of it is. While anybody waits, readers
 * that do not read are cut, so that a few of them cannot hold up all others.
 */
export function createUnsent(options: UnsentOptions = {}) {
  const { maxBytes = LIMITS.unsent, waitTime = LIMITS.roomTime, pressedTime = LIMITS.pressedTime } = options;
  const readers = new Set<ServerResponse>();
  const waiting = new Set<() => void>();
  let unsent = 0;

  /** One at a time: whoever goes on makes an answer, and only then it shows whether there is room for another. */
  function admit() {
    const [next] = waiting;
    if (unsent >= maxBytes || !next) return;
    waiting.delete(next);
    next();
    setImmediate(admit);
  }

  async function wait(): Promise<void> {
    const admitted = Promise.withResolvers<true>();
    const go = () => admitted.resolve(true);
    waiting.add(go);
    for (const reader of readers) reader.setTimeout(pressedTime);
    const late = new AbortController();
    const inTime = await Promise.race([
      admitted.promise,
      sleep(waitTime, false, { signal: late.signal }).catch(() => false),
    ]);
    late.abort();
    waiting.delete(go);
    if (!inTime) throw overloaded();
  }

  return {
    /** Nothing when an answer may be made at once; else resolves when one may, or rejects when that took too long. */
    room: (): Promise<void> | undefined => (unsent < maxBytes && waiting.size === 0 ? undefined : wait()),

    /** Counts the bytes of an answer until it is sent. */
    hold(response: ServerResponse, bytes: number): void {
      unsent += bytes;
      readers.add(response);
      response.once("close", () => {
        unsent -= bytes;
        readers.delete(response);
        admit();
      });
    },

    bytes: () => unsent,
  };
}

const overloaded = () =>
  new ApiError(
    "OVERLOADED",
    {
      message: "Too much is waiting to be sent.",
      hint: "Try again in a few seconds.",
      detail: `more than ${LIMITS.unsent} bytes`,
    },
    { "retry-after": "5" },
  );
