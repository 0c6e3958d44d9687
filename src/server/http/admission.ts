import type { ServerResponse } from "node:http";
import { ApiError } from "../../api/errors.ts";
import { lastArrival } from "./connections.ts";
import type { Exchange } from "./exchange.ts";
import { LIMITS } from "./limits.ts";

export interface AdmissionOptions {
  /** The responses that are admitted: those of the API, or files. */
  kind?: "api" | "file";
  /** The limit of bytes that are made and not yet sent, over all connections. */
  maxBytes?: number;
  /** The bytes that a response counts as once it is admitted: files are opened, and then sent as they are read. */
  responseBytes?: number;
  /** The longest wait of a request for admission. */
  waitTimeoutMs?: number;
  /** The time for which a client may read nothing while others wait; after it the client is cut. */
  slowReaderTimeoutMs?: number;
}

/**
 * Admission control: bounds the bytes that are made and not yet sent, and the time that one turn of the event loop takes.
 * While requests wait for bytes, clients that do not read are cut: a few of them must not hold up all others.
 */
export interface Admission {
  /**
   * Resolves when a response may be made: at the end of this turn of the event loop, if the budget allows it. Requests that arrive together
   * are read together and then answered together, which takes half the time of one after the other. Rejects with an ApiError OVERLOADED
   * after `waitTimeoutMs`.
   */
  admit(exchange?: Exchange): Promise<void>;
  /** Counts the bytes as unsent until the response is closed. */
  trackUnsent(response: ServerResponse, bytes: number): void;
  unsentBytes(): number;
}

interface WaitingRequest {
  since: number;
  exchange: Exchange | undefined;
  admit: () => void;
  reject: (error: ApiError) => void;
}

export function createAdmission(options: AdmissionOptions = {}): Admission {
  const {
    kind = "api",
    maxBytes = LIMITS.unsentBytes,
    responseBytes = 0,
    waitTimeoutMs = LIMITS.admissionTimeoutMs,
    slowReaderTimeoutMs = LIMITS.slowReaderTimeoutMs,
  } = options;
  /** Clients that may still take their time. */
  const readers = new Set<ServerResponse>();
  /** Waiting requests; the first has waited longest. No `Set`: filled and emptied all the time, it would keep old entries in its tables. */
  const waiting: WaitingRequest[] = [];
  let unsent = 0;
  let isScheduled = false;
  /** When its last turn began, and when it began to leave turns to new connections; undefined if it does not. */
  let turnAt = performance.now();
  let leftSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function schedule() {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void admitWaiting();
    });
  }

  /** Admits one by one: only after a request has made its response is it known whether the next one fits. */
  async function admitWaiting() {
    const startedAt = performance.now();
    if (isLeftToArrivals(startedAt)) return schedule();
    for (let request = waiting[0]; request; request = waiting[0]) {
      const now = performance.now();
      const leftMs = request.since + waitTimeoutMs - now;
      const lacksBytes = unsent >= maxBytes;
      if (lacksBytes && leftMs > 0) {
        // The next response that is closed admits it.
        hurryReaders();
        if (!timer) timer = setTimeout(lookAgain, Math.min(leftMs, slowReaderTimeoutMs)).unref();
        return;
      }
      if (now - startedAt > LIMITS.maxTickMs) return schedule();
      waiting.shift();
      if (request.exchange) request.exchange.waitsFor = undefined;
      if (lacksBytes) request.reject(overloaded("Too much is waiting to be sent.", `more than ${maxBytes} bytes`));
      else admit(request);
      await undefined;
    }
  }

  /**
   * Node accepts one connection in each turn of its event loop. If a turn also makes answers for `maxTickMs`, a client behind a crowd of new
   * connections waits for seconds. So while connections come, every other `maxTickMs` is left to them.
   */
  function isLeftToArrivals(now: number): boolean {
    const isComing = lastArrival() > turnAt;
    turnAt = now;
    leftSince = isComing ? (leftSince ?? now) : undefined;
    if (leftSince === undefined) return false;
    if (now - leftSince < LIMITS.maxTickMs) return true;
    leftSince = undefined;
    return false;
  }

  function admit({ exchange, admit: begin }: WaitingRequest) {
    if (responseBytes > 0 && exchange && !exchange.destroyed) trackUnsent(exchange, responseBytes);
    begin();
  }

  /** Cuts slow readers. Clients to whom nothing has been sent yet are not slow. */
  function hurryReaders() {
    for (const reader of readers) {
      if (!reader.headersSent) continue;
      reader.setTimeout(slowReaderTimeoutMs);
      readers.delete(reader);
    }
  }

  function lookAgain() {
    timer = undefined;
    schedule();
  }

  function trackUnsent(response: ServerResponse, bytes: number) {
    unsent += bytes;
    readers.add(response);
    response.once("close", () => {
      unsent -= bytes;
      readers.delete(response);
      if (waiting.length > 0) schedule();
    });
  }

  return {
    admit(exchange) {
      schedule();
      if (exchange) exchange.waitsFor = kind;
      return new Promise((begin, reject) => {
        waiting.push({ since: performance.now(), exchange, admit: begin, reject });
      });
    },

    trackUnsent,

    unsentBytes: () => unsent,
  };
}

/** Makes one admission each for answers and files: files take long to send, and with a budget of their own they do not hold up answers. */
export const createAdmissions = () => ({
  api: createAdmission(),
  file: createAdmission({
    kind: "file",
    maxBytes: LIMITS.unsentFileBytes,
    responseBytes: LIMITS.perFileBytes,
    slowReaderTimeoutMs: LIMITS.slowFileReaderTimeoutMs,
  }),
});

export const overloaded = (message: string, detail: string) =>
  new ApiError("OVERLOADED", { message, hint: "Try again in a few seconds.", detail }, { "retry-after": "5" });
