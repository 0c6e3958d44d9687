import type { H3Event } from "h3";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { Agent, request } from "undici";
import { ApiError } from "../api/errors.ts";

export interface AuthAnswer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

export type AuthProxy = (event: H3Event) => Promise<AuthAnswer>;

export interface AuthOptions {
  /** Base URL of the upstream; without one login calls are refused. */
  upstream?: string | undefined;
  /** Milliseconds for a whole exchange. */
  timeout?: number;
  /** Calls a minute that one client may make. */
  perMinute?: number;
}

const MAX_REQUEST = 16 * 1024;
const MAX_ANSWER = 1024 * 1024;
const SENT = ["content-type", "authorization", "accept", "accept-language"];
const RETURNED = ["content-type", "content-encoding", "www-authenticate", "retry-after"];

/**
 * Passes login calls to the upstream, byte for byte in both directions. Never retried (a code works once), never
 * redirected (the credentials would follow), never stored, never logged.
 */
export function createAuthProxy({ upstream, timeout = 10_000, perMinute = 60 }: AuthOptions): AuthProxy {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  const dispatcher = new Agent({ connect: { timeout }, headersTimeout: timeout, bodyTimeout: timeout });
  const base = upstream?.replace(/\/+$/, "");

  return async (event) => {
    if (base === undefined) throw notConfigured();
    await admit(limiter, event.req.ip ?? "unknown");
    const body = await readBody(event);
    try {
      const answer = await request(base + event.url.pathname.replace(/\/$/, "") + event.url.search, {
        dispatcher,
        method: "POST",
        headers: pick(event.req.headers, SENT),
        body: body.length > 0 ? body : null,
        signal: AbortSignal.timeout(timeout),
      });
      if (answer.statusCode >= 300 && answer.statusCode < 400) throw new Error(`redirect ${answer.statusCode}`);
      const bytes = await collect(answer.body, MAX_ANSWER);
      return { status: answer.statusCode, headers: pick(new Headers(flat(answer.headers)), RETURNED), body: bytes };
    } catch (error) {
      throw explain(error);
    }
  };
}

async function admit(limiter: RateLimiterMemory, client: string) {
  try {
    await limiter.consume(client);
  } catch (refused) {
    const seconds = String(Math.ceil((refused as RateLimiterRes).msBeforeNext / 1000));
    const explanation = { message: "Too many login calls.", hint: `Try again in ${seconds} seconds.` };
    throw new ApiError("RATE_LIMITED", explanation, { "retry-after": seconds });
  }
}

async function readBody(event: H3Event): Promise<Uint8Array> {
  const tooLarge = () =>
    new ApiError("PAYLOAD_TOO_LARGE", { message: "The body is too large.", hint: `At most ${MAX_REQUEST} bytes.` });
  if (Number(event.req.headers.get("content-length") ?? 0) > MAX_REQUEST) throw tooLarge();
  if (!event.req.body) return new Uint8Array();
  const body = await collect(event.req.body, MAX_REQUEST).catch(() => undefined);
  if (!body) throw tooLarge();
  return body;
}

async function collect(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw new RangeError(`more than ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));
}

const flat = (headers: Record<string, string | string[] | undefined>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]));

const notConfigured = () =>
  new ApiError("UPSTREAM_NOT_CONFIGURED", {
    message: "This mirror has no upstream for login calls.",
    hint: "Log in at the upstream itself, or ask whoever runs this mirror to start it with --upstream.",
  });

/** The reason stays here: an error of the network may quote what was sent. */
function explain(error: unknown): ApiError {
  const { name, code = "" } = error as NodeJS.ErrnoException;
  return name === "TimeoutError" || code.includes("TIMEOUT")
    ? new ApiError("UPSTREAM_TIMEOUT", { message: "The upstream did not answer in time.", hint: "Try again later." })
    : new ApiError("UPSTREAM_UNREACHABLE", {
        message: "The upstream could not be reached, or gave no usable answer.",
        hint: "Try again later.",
      });
}
