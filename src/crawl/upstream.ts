import type { IncomingHttpHeaders } from "node:http";
import zlib from "node:zlib";
import { type Dispatcher, Pool } from "undici";
import { DATA_HEADERS, MAX_BODY } from "../api/asking.ts";
import type { Reason } from "../journal/reasons.ts";

export interface Reply {
  host: string;
  at: number;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Why there is no reply at all. */
export interface Silence {
  host: string;
  at: number;
  reason: Reason;
  detail: string;
}

export interface Upstream {
  host: string;
  ask(path: string): Promise<Reply | Silence>;
  close(): Promise<void>;
}

/** One host of the upstream. `base` may carry a path prefix; `timeout` is in milliseconds and bounds a whole answer. */
export function openUpstream(
  base: string,
  { connections, timeout }: { connections: number; timeout: number },
): Upstream {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/+$/, "");
  const host = origin + prefix;
  const pool = new Pool(origin, { connections, connect: { timeout }, headersTimeout: timeout, bodyTimeout: timeout });

  return {
    host,
    async ask(path) {
      try {
        const { status, headers, raw } = await exchange(pool, prefix + path, timeout);
        const body = decodeAnswer(status, raw, headers);
        return { host, at: Date.now(), status, headers, body };
      } catch (error) {
        const [reason, detail] = explain(error);
        return { host, at: Date.now(), reason, detail };
      }
    },
    close: () => pool.destroy(),
  };
}

/**
 * One request, straight at the dispatcher: it needs no stream, only the bytes, a bound on their number and a bound on the
 * time for all of them (undici's own timeouts start anew with each chunk, which a slow drip never lets run out).
 */
function exchange(pool: Pool, path: string, timeout: number) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; raw: Buffer }>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let size = 0;
    let late: Error | undefined;
    let abort = (_: Error) => {};
    const timer = setTimeout(() => {
      late = new Error(`no whole answer within ${timeout} ms`);
      late.name = "TimeoutError";
      abort(late);
      reject(late);
    }, timeout);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (controller) => {
        abort = (error) => controller.abort(error);
        // The time may have run out while the request was waiting for a connection.
        if (late) abort(late);
      },
      onResponseStart: (_, statusCode, received) => {
        status = statusCode;
        headers = received;
      },
      onResponseData: (controller, chunk) => {
        size += chunk.length;
        if (size > MAX_BODY) controller.abort(new RangeError(`more than ${MAX_BODY} bytes`));
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        clearTimeout(timer);
        resolve({ status, headers, raw: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) });
      },
      onResponseError: (_, error) => {
        clearTimeout(timer);
        reject(error);
      },
    };
    pool.dispatch({ path, method: "GET", headers: DATA_HEADERS }, handler);
  });
}

/** The status of a refusal counts even when its body is damaged. */
function decodeAnswer(status: number, raw: Buffer, headers: IncomingHttpHeaders): Buffer {
  try {
    return decode(raw, String(headers["content-encoding"] ?? "identity"));
  } catch (error) {
    if (status === 200) throw error;
    return raw;
  }
}

function decode(body: Buffer, encoding: string): Buffer {
  const limit = { maxOutputLength: MAX_BODY };
  switch (encoding.toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return zlib.gunzipSync(body, limit);
    case "br":
      return zlib.brotliDecompressSync(body, limit);
    case "zstd":
      return zlib.zstdDecompressSync(body, limit);
    case "deflate":
      return zlib.inflateSync(body, limit);
    default:
      return body;
  }
}

function explain(error: unknown): [Reason, string] {
  const { name, code = "", message } = error as NodeJS.ErrnoException;
  const detail = code && !message.includes(code) ? `${code} ${message}` : message;
  if (name === "TimeoutError" || code.includes("TIMEOUT")) return ["timeout", detail];
  if (name === "RangeError" || code === "ERR_BUFFER_TOO_LARGE") return ["oversized", detail];
  if (/^HPE_|^UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH|INVALID_ARG)/.test(code))
    return ["not-http", detail];
  if (/^(Z_|ERR_|ZSTD_)/.test(code)) return ["not-json", `the ${code} of its encoding`];
  return ["unreachable", detail || String(error)];
}
