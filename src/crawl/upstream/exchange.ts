import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { MAX_BODY_BYTES } from "../../api/request/upstream-request.ts";
import type { MemoryBudget } from "./limits.ts";

/** Chunks that are held one by one: each costs memory of its own, however few bytes it has. */
const MAX_CHUNKS = 1024;

export interface Asked {
  origin: string;
  path: string;
  headers: Record<string, string>;
  timeoutMs: number;
}

/**
 * One request, straight at the dispatcher: it needs no stream, only the bytes, a bound on their number, alone and with all
 * others under way, and a bound on the time for all of them (undici's own timeouts start anew with each chunk, which a
 * slow drip never lets run out).
 */
export function exchange(way: Dispatcher, { origin, path, headers, timeoutMs }: Asked, inFlight: MemoryBudget) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; raw: Buffer }>((resolve, reject) => {
    const parts: Buffer[] = [];
    const chunks: Buffer[] = [];
    let status = 0;
    let received: IncomingHttpHeaders = {};
    let size = 0;
    let late: Error | undefined;
    let abort = (_: Error) => {};
    const timer = setTimeout(() => {
      late = new Error(`no complete answer within ${timeoutMs} ms`);
      late.name = "TimeoutError";
      abort(late);
      end();
      reject(late);
    }, timeoutMs);

    function end() {
      clearTimeout(timer);
      inFlight.free(size);
      size = 0;
    }

    function add(chunk: Buffer): RangeError | undefined {
      size += chunk.length;
      inFlight.use(chunk.length);
      if (size > MAX_BODY_BYTES) return new RangeError(`more than ${MAX_BODY_BYTES} bytes`);
      if (inFlight.used() > inFlight.limit)
        return new RangeError(`more than ${inFlight.limit} bytes of all answers under way`);
      chunks.push(chunk);
      if (chunks.length === MAX_CHUNKS) parts.push(Buffer.concat(chunks.splice(0)));
      return undefined;
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        abort = (error) => controller.abort(error);
        // The time may have run out while the request was waiting for a connection.
        if (late) abort(late);
      },
      onResponseStart: (_, statusCode, answered) => {
        status = statusCode;
        received = answered;
      },
      onResponseData: (controller, chunk) => {
        const trouble = late ?? add(chunk);
        if (trouble) controller.abort(trouble);
      },
      onResponseEnd: () => {
        end();
        const all = [...parts, ...chunks];
        resolve({ status, headers: received, raw: all.length === 1 && all[0] ? all[0] : Buffer.concat(all) });
      },
      onResponseError: (_, error) => {
        end();
        reject(error);
      },
    };
    way.dispatch({ origin, path, method: "GET", headers }, handler);
  });
}
