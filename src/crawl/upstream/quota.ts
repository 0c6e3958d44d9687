import type { IncomingHttpHeaders } from "node:http";
import { parseRetryAfter } from "./rate-limiter.ts";
import type { HttpResponse } from "./upstream.ts";

/** What an answer says of the quota that it counts against. */
export interface Quota {
  /** Requests that it still takes, until `resetMs` from now have gone by. */
  remaining: number;
  resetMs: number;
}

/** A longer one is no rest but an end. */
export const MAX_REST_MS = 120_000;

/** "try again in a minute", without `Retry-After`. */
const RATE_LIMITED = { code: "UPSTREAM_RATE_LIMITED", restMs: 60_000 };

/** The figures of a quota where an answer carries both; times that are larger than any span of seconds are dates. */
const LARGEST_SPAN_SECONDS = 1e9;

/**
 * From `RateLimit` (`"day";r=57;t=3600`) and its forerunners, `RateLimit-Remaining` and `X-RateLimit-Remaining` with their
 * `-Reset` in seconds from now or since 1970. `now`: epoch ms.
 */
export function readQuota(headers: IncomingHttpHeaders, now: number): Quota | undefined {
  const read = (name: string) => String([headers[name]].flat()[0] ?? "");
  const combined = read("ratelimit");
  const remaining =
    /\br=(\d+)/.exec(combined)?.[1] ?? toDigits(read("ratelimit-remaining"), read("x-ratelimit-remaining"));
  const reset = /\bt=(\d+)/.exec(combined)?.[1] ?? toDigits(read("ratelimit-reset"), read("x-ratelimit-reset"));
  if (remaining === undefined || reset === undefined) return undefined;
  const seconds = Number(reset);
  const resetMs = seconds > LARGEST_SPAN_SECONDS ? seconds * 1000 - now : seconds * 1000;
  return { remaining: Number(remaining), resetMs: Math.max(0, resetMs) };
}

const toDigits = (...values: string[]): string | undefined =>
  values.map((value) => /^\s*(\d{1,15})(?:\.\d+)?\s*$/.exec(value)?.[1]).find((digits) => digits !== undefined);

/** For how long an answer asks not to be asked, at most `MAX_REST_MS`; undefined where it does not. */
export function restMs({ status, headers, body }: HttpResponse, now: number): number | undefined {
  const retryAfter = status === 200 ? undefined : parseRetryAfter(headers["retry-after"], now, MAX_REST_MS);
  const { remaining, resetMs } = readQuota(headers, now) ?? { remaining: 1, resetMs: 0 };
  const quota = remaining === 0 ? Math.min(resetMs, MAX_REST_MS) : undefined;
  const limited = status === 429 && retryAfter === undefined && body.includes(RATE_LIMITED.code);
  return retryAfter ?? quota ?? (limited ? RATE_LIMITED.restMs : undefined);
}
