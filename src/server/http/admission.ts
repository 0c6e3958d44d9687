import type { ServerResponse } from "node:http";
import { ApiError } from "../../api/errors.ts";
import { LIMITS } from "./limits.ts";

export type Admission = ReturnType<typeof createAdmission>;

export interface AdmissionOptions {
  /** Bytes that may be made and not yet sent, over all connections. */
  maxBytes?: number;
  /** Milliseconds that a request waits for room. */
  waitTime?: number;
  /** Milliseconds without a byte after which a reader is cut while others wait for room. */
  pressedTime?: number;
}

/**
 * Says when an answer may be made: bounds what is made and not yet sent, and the time that goes by before anybody else has a
 * turn. While somebody waits for room, readers that do not read are cut, so that a few of them cannot hold up all others.
 */
export function createAdmission(options: AdmissionOptions = {}) {
  const { maxBytes = LIMITS.unsent, waitTime = LIMITS.roomTime, pressedTime = LIMITS.pressedTime } = options;
  const readers = new Set<ServerResponse>();
  const waiting = new Set<() => void>();
  let unsent = 0;
  let turnBegan: number | undefined;
  let isScheduled = false;

  /** Whether this turn of the event loop has lasted long enough. */
  function isTurnOver(): boolean {
    const now = performance.now();
    turnBegan ??= now;
    schedule();
    return now - turnBegan > LIMITS.turnTime;
  }

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      turnBegan = undefined;
      void admit();
    });
  }

  /** One after another: whoever goes on makes an answer, and only then it shows whether there is room for the next one. */
  async function admit() {
    for (const next of waiting) {
      if (unsent >= maxBytes || isTurnOver()) return;
      waiting.delete(next);
      next();
      await undefined;
    }
  }

  function wait(): Promise<void> {
    if (unsent >= maxBytes) for (const reader of readers) reader.setTimeout(pressedTime);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(go);
        reject(overloaded(maxBytes));
      }, waitTime);
      const go = () => {
        clearTimeout(late);
        resolve();
      };
      waiting.add(go);
    });
  }

  return {
    /** Nothing when an answer may be made at once; else resolves when one may, or rejects when that took too long. */
    room: (): Promise<void> | undefined =>
      unsent < maxBytes && waiting.size === 0 && !isTurnOver() ? undefined : wait(),

    /** Counts the bytes of an answer until it is sent. */
    hold(response: ServerResponse, bytes: number): void {
      unsent += bytes;
      readers.add(response);
      response.once("close", () => {
        unsent -= bytes;
        readers.delete(response);
        if (waiting.size > 0) schedule();
      });
    },

    unsent: () => unsent,
  };
}

/** Files are under way for long: they must not hold up answers. */
export const createAdmissions = () => ({
  answer: createAdmission(),
  file: createAdmission({ maxBytes: LIMITS.files }),
});

const overloaded = (maxBytes: number) =>
  new ApiError(
    "OVERLOADED",
    {
      message: "Too much is waiting to be sent.",
      hint: "Try again in a few seconds.",
      detail: `more than ${maxBytes} bytes`,
    },
    { "retry-after": "5" },
  );
