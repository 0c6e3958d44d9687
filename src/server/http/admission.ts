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
 * While requests wait for bytes, clients that do not read are cut: a few of them must not hold up all others.
 */
export interface Admission {
  /**
   * Resolves when a response may be made: at the end of this turn of the event loop, if nothing is in the way. Requests that
   * arrive together are read together and then answered together, which takes half the time of one after the other.
   * Rejects with an ApiError OVERLOADED after `waitTimeoutMs`.
   */
  admit(): Promise<void>;
  /** Counts the bytes as unsent until the response is closed. */
  trackUnsent(response: ServerResponse, bytes: number): void;
  unsentBytes(): number;
}

interface WaitingRequest {
  since: number;
  admit: () => void;
  reject: (error: ApiError) => void;
}

export function createAdmission(options: AdmissionOptions = {}): Admission {
  const {
    maxBytes = LIMITS.unsentBytes,
    waitTimeoutMs = LIMITS.admissionTimeoutMs,
    slowReaderTimeoutMs = LIMITS.slowReaderTimeoutMs,
  } = options;
  /** Clients that may still take as long as they like. */
  const readers = new Set<ServerResponse>();
  /** The one that has waited longest is the first. No `Set`: filled and emptied all the time, it would keep what it held in its old tables. */
  const waiting: WaitingRequest[] = [];
  let unsent = 0;
  let isScheduled = false;
  let overdueTimer: NodeJS.Timeout | undefined;

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void admitWaiting();
    });
  }

  /** One by one: only after a request has made its response is it known whether the next one fits. */
  async function admitWaiting() {
    const startedAt = performance.now();
    for (let request = waiting[0]; request; request = waiting[0]) {
      const lacksBytes = unsent >= maxBytes;
      if (lacksBytes || performance.now() - startedAt > LIMITS.maxTickMs) {
        // The next response that is closed admits them, or else the next turn.
        if (lacksBytes) hurryReaders();
        else schedule();
        if (!overdueTimer) rejectOverdue();
        return;
      }
      waiting.shift();
      request.admit();
      await undefined;
    }
  }

  function hurryReaders() {
    for (const reader of readers) reader.setTimeout(slowReaderTimeoutMs);
    readers.clear();
  }

  /** Looks again when the next request will have waited too long. */
  function rejectOverdue() {
    overdueTimer = undefined;
    for (let request = waiting[0]; request; request = waiting[0]) {
      const leftMs = request.since + waitTimeoutMs - performance.now();
      if (leftMs > 0) {
        overdueTimer = setTimeout(rejectOverdue, leftMs).unref();
        return;
      }
      waiting.shift();
      request.reject(overloaded("Too much is waiting to be sent.", `more than ${maxBytes} bytes`));
    }
  }

  return {
    admit() {
      schedule();
      return new Promise((admit, reject) => {
        waiting.push({ since: performance.now(), admit, reject });
      });
    },

    trackUnsent(response, bytes) {
      unsent += bytes;
      readers.add(response);
      response.once("close", () => {
        unsent -= bytes;
        readers.delete(response);
        if (waiting.length > 0) schedule();
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

export const overloaded = (message: string, detail: string) =>
  new ApiError("OVERLOADED", { message, hint: "Try again in a few seconds.", detail }, { "retry-after": "5" });
