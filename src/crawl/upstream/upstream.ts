import type { IncomingHttpHeaders } from "node:http";
import zlib from "node:zlib";
import type { Dispatcher } from "undici";
import { type Reason, reasonOfError } from "../../api/faults.ts";
import { dataHeaders, MAX_BODY_BYTES } from "../../api/request/upstream-request.ts";
import { truncate } from "../../base/words.ts";
import { openDispatcher } from "../../network/dispatcher.ts";
import { findProxy, type HttpProxy } from "../../network/proxy.ts";
import { exchange } from "./exchange.ts";
import type { MemoryBudget } from "./limits.ts";

/** A complete answer, whatever its status. */
export interface UpstreamResponse {
  host: string;
  /** Epoch milliseconds. */
  at: number;
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The reason why there is no complete answer. */
export interface TransportError {
  host: string;
  at: number;
  reason: Reason;
  detail: string;
}

/** One host of the upstream. */
export interface Upstream {
  host: string;
  /** The proxy of all requests, if there is one. */
  proxy: HttpProxy | undefined;
  /** Asks once, without following redirects. Never rejects. */
  get(path: string, how?: UpstreamRequest): Promise<UpstreamResponse | TransportError>;
  close(): Promise<void>;
}

/** Options of a request that differs from those for data. */
export interface UpstreamRequest {
  accept?: string;
  timeoutMs?: number;
  /** Opens a connection for this request alone, so that no late answer to another request can come on it. */
  newConnection?: boolean;
}

export interface UpstreamLimits {
  connections: number;
  /** The timeout of a complete answer. */
  timeoutMs: number;
  /** Bytes of answers that have begun and not ended; shared by all hosts. */
  inFlight: MemoryBudget;
  /** The address of the operator. */
  contact?: string | undefined;
}

export function openUpstream(base: string, { connections, timeoutMs, inFlight, contact }: UpstreamLimits): Upstream {
  const { origin: host } = new URL(base);
  const asked = dataHeaders(contact);
  const proxy = findProxy(new URL(base));
  const pool = openDispatcher(proxy, { connections, timeoutMs });
  const ways = new Set([pool]);

  function openOwn(): Dispatcher {
    const dispatcher = openDispatcher(proxy, { connections: 1, timeoutMs });
    ways.add(dispatcher);
    return dispatcher;
  }

  async function destroy(way: Dispatcher) {
    ways.delete(way);
    await way.destroy();
  }

  return {
    host,
    proxy,
    async get(path, { timeoutMs: ownMs = timeoutMs, newConnection = false, ...more } = {}) {
      const request = { origin: host, path, headers: { ...asked, ...more }, timeoutMs: ownMs };
      const way = newConnection ? openOwn() : pool;
      try {
        const { status, headers, raw } = await exchange(way, request, inFlight);
        const body = decodeBody(status, raw, headers);
        return { host, at: Date.now(), status, headers, body };
      } catch (error) {
        const [reason, detail] = explain(error);
        return { host, at: Date.now(), reason, detail: truncate(detail) };
      } finally {
        if (newConnection) await destroy(way);
      }
    },
    close: async () => {
      await Promise.all([...ways].map(destroy));
    },
  };
}

/** Decodes a body. The status of a refusal counts even if its body is damaged. */
function decodeBody(status: number, raw: Buffer, headers: IncomingHttpHeaders): Buffer {
  try {
    return decode(raw, String(headers["content-encoding"] ?? "identity"));
  } catch (error) {
    if (status === 200) throw error;
    return raw;
  }
}

function decode(body: Buffer, encoding: string): Buffer {
  const limit = { maxOutputLength: MAX_BODY_BYTES };
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
  const { code = "", message } = error as NodeJS.ErrnoException;
  const reason = reasonOfError(error as NodeJS.ErrnoException);
  if (reason === "not-json") return [reason, `the ${code} of its encoding`];
  const detail = code && !message.includes(code) ? `${code} ${message}` : message;
  return [reason, detail || String(error)];
}
