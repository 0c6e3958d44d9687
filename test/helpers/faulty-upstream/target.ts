import type { IncomingMessage } from "node:http";
import { Pool } from "undici";

/** An answer as it came: headers are names and values in turn, in their order and spelling. */
export interface Answer {
  status: number;
  text: string;
  headers: string[];
  body: Buffer;
}

export interface Target {
  /** Passes a request on under this path; `compressed` says whether the client's accept-encoding goes with it. */
  ask(request: IncomingMessage, path: string, compressed: boolean): Promise<Answer>;
  close(): Promise<void>;
}

/** The target gave no answer. */
export class TargetError extends Error {}

const HOP_BY_HOP = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];
const NOT_SENT = new Set([...HOP_BY_HOP, "host", "content-length", "expect"]);
const NOT_ANSWERED = new Set(HOP_BY_HOP);

export function openTarget(base: string): Target {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/+$/, "");
  // The target closes idle connections after a few seconds; ours go first, or a request would meet a closed one.
  const pool = new Pool(origin, { keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 });
  const bodies = new WeakMap<IncomingMessage, Promise<Buffer | null>>();

  function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
    const body = bodies.get(request) ?? readBody(request);
    bodies.set(request, body);
    return body;
  }

  return {
    async ask(request, path, compressed) {
      const headers = filter(request.rawHeaders, (name) => {
        return !NOT_SENT.has(name) && (compressed || name !== "accept-encoding");
      });
      try {
        const reply = await pool.request({
          path: prefix + path,
          method: request.method ?? "GET",
          headers,
          body: await bodyOf(request),
          responseHeaders: "raw",
        });
        const body = Buffer.from(await reply.body.arrayBuffer());
        // Raw headers are a list, which the types of undici leave out.
        const answered = filter(reply.headers as unknown as string[], (name) => !NOT_ANSWERED.has(name));
        return { status: reply.statusCode, text: reply.statusText, headers: answered, body };
      } catch (error) {
        throw new TargetError(`${origin} gave no answer to ${path}`, { cause: error });
      }
    },
    close: () => pool.destroy(),
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (request.method === "GET" || request.method === "HEAD") return null;
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function filter(headers: readonly string[], wanted: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? "";
    if (wanted(name.toLowerCase())) kept.push(name, headers[i + 1] ?? "");
  }
  return kept;
}
