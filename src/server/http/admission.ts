import type { ServerResponse } from "node:http";
import { ApiError } from "../../api/errors.ts";
import { LIMITS } from "./limits.ts";

export interface AdmissionOptions {
  /** Bytes that may be made and not yet sent, over all connections. */
  maxBytes?: number;
  /** How long a request waits to be admitted. */
  waitTimeoutMs?: number;
  /** How long a client may read nothing while others wait; then it is cut. */
  slowReaderTimeoutMs?: number;
}

/**
 * Admission control: bounds the bytes that are made and not yet sent, and the time that one turn of the event loop takes.
 * While requests wait, clients that do not read are cut: a few of them must not hold up all others.
 */
export interface Admission {
  /**
   * Undefined if a response may be made at once; otherwise resolves when it may.
   * Rejects with an ApiError OVERLOADED after `waitTimeoutMs`.
   */
  admit(): Promise<void> | undefined;
  /** Counts the bytes as unsent until the response is closed. */
  trackUnsent(response: ServerResponse, bytes: number): void;
  unsentBytes(): number;
}

export function createAdmission(options: AdmissionOptions = {}): Admission {
  const {
    maxBytes = LIMITS.unsentBytes,
    waitTimeoutMs = LIMITS.admissionTimeoutMs,
    slowReaderTimeoutMs = LIMITS.slowReaderTimeoutMs,
  } = options;
  const readers = new Set<ServerResponse>();
  const waiting = new Set<() => void>();
  let unsent = 0;
  let tickStartedAt: number | undefined;
  let isScheduled = false;

  function isTickOver(): boolean {
    const now = performance.now();
    tickStartedAt ??= now;
    schedule();
    return now - tickStartedAt > LIMITS.maxTickMs;
  }

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      tickStartedAt = undefined;
      void admitWaiting();
    });
  }

  /** One by one: only after a request has made its response is it known whether the next one fits. */
  async function admitWaiting() {
    for (const next of waiting) {
      if (unsent >= maxBytes || isTickOver()) return;
      waiting.delete(next);
      next();
      await undefined;
    }
  }

  function wait(): Promise<void> {
    if (unsent >= maxBytes) for (const reader of readers) reader.setTimeout(slowReaderTimeoutMs);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(admitNow);
        reject(overloaded(maxBytes));
      }, waitTimeoutMs);
      const admitNow = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.add(admitNow);
    });
  }

  return {
    admit: () => (unsent < maxBytes && waiting.size === 0 && !isTickOver() ? undefined : wait()),

    trackUnsent(response, bytes) {
      unsent += bytes;
      readers.add(response);
      response.once("close", () => {
        unsent -= bytes;
        readers.delete(response);
        if (waiting.size > 0) schedule();
      });
    },

    unsentBytes: () => unsent,
  };
}

/** Files take long to send: with a separate budget they do not hold up answers. */
export const createAdmissions = () => ({
  api: createAdmission(),
  file: createAdmission({ maxBytes: LIMITS.unsentFileBytes }),
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
