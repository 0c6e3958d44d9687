import zlib from "node:zlib";
import { Pool } from "undici";
import manifest from "../../package.json" with { type: "json" };
import type { Reason } from "../journal/reasons.ts";

/** Larger than any answer of the service by an order of magnitude. */
const MAX_BODY = 32 * 1024 * 1024;

export const USER_AGENT = `metasnap/${manifest.version} (+${manifest.homepage})`;

export interface Reply {
  host: string;
  at: number;
  status: number;
  headers: Record<string, string | string[] | undefined>;
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
      const silence = (reason: Reason, detail: string): Silence => ({ host, at: Date.now(), reason, detail });
      try {
        const { statusCode, headers, body } = await pool.request({
          path: prefix + path,
          method: "GET",
          headers: { accept: "application/json", "accept-encoding": "gzip", "user-agent": USER_AGENT },
          signal: AbortSignal.timeout(timeout),
        });
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of body as AsyncIterable<Buffer>) {
          size += chunk.length;
          if (size > MAX_BODY) return silence("oversized", `more than ${MAX_BODY} bytes`);
          chunks.push(chunk);
        }
        const raw = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        return { host, at: Date.now(), status: statusCode, headers, body: decode(raw, headers["content-encoding"]) };
      } catch (error) {
        return silence(...explain(error));
      }
    },
    close: () => pool.destroy(),
  };
}

function decode(body: Buffer, encoding: string | string[] | undefined): Buffer {
  const limit = { maxOutputLength: MAX_BODY };
  switch (String(encoding ?? "identity").toLowerCase()) {
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
  if (code === "ERR_BUFFER_TOO_LARGE") return ["oversized", detail];
  if (code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("ZSTD_")) return ["not-json", detail];
  return ["unreachable", detail || String(error)];
}
