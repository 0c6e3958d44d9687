import type { IncomingHttpHeaders } from "node:http";
import { MAX_REST_MS, parseRetryAfter } from "./rate-limiter.ts";
import type { UpstreamResponse } from "./upstream.ts";

/** The quota that an answer counts against. */
export interface Quota {
  /** Requests that may still be sent before `resetMs` from now have gone by. */
  remaining: number;
  resetMs: number;
}

/** "try again in a minute", without `Retry-After`. */
const RATE_LIMITED = { code: "UPSTREAM_RATE_LIMITED", restMs: 60_000 };

/** The most characters of a header; no policy needs more. */
const MAX_HEADER_CHARS = 1000;

/** The largest number that counts as seconds from now; larger ones are dates. */
const LARGEST_SPAN_SECONDS = 1e9;
/** The largest number that counts as a date in seconds; larger ones are dates in milliseconds. */
const LARGEST_SECONDS = 1e11;

/**
 * Reads quotas from `RateLimit` (`"day";r=57;t=3600`, or `remaining=57, reset=3600`) and its forerunners, `RateLimit-Remaining` and
 * `X-RateLimit-Remaining` with their `-Reset` in seconds from now or since 1970. `now`: epoch ms.
 */
export function readQuotas(headers: IncomingHttpHeaders, now: number): Quota[] {
  const read = (name: string) => String([headers[name]].flat()[0] ?? "").slice(0, MAX_HEADER_CHARS);
  const combined = read("ratelimit");
  const items = /\bremaining=/.test(combined) ? [combined] : combined.split(",");
  const pairs = [
    ...items.map((item) => [/\b(?:r|remaining)=(\d+)/.exec(item)?.[1], /\b(?:t|reset)=(\d+)/.exec(item)?.[1]]),
    ...["", "x-"].map((prefix) => [
      toDigits(read(`${prefix}ratelimit-remaining`)),
      toDigits(read(`${prefix}ratelimit-reset`)),
    ]),
  ];
  return pairs.flatMap(([remaining, reset]) => {
    if (remaining === undefined || reset === undefined) return [];
    const time = Number(reset);
    const ms = time > LARGEST_SECONDS ? time : time * 1000;
    const resetMs = time > LARGEST_SPAN_SECONDS ? ms - now : ms;
    return [{ remaining: Number(remaining), resetMs: Math.max(0, resetMs) }];
  });
}

const toDigits = (value: string): string | undefined => /^\s*(\d{1,15})(?:\.\d+)?\s*$/.exec(value)?.[1];

/** Returns how long an answer asks to back off, in milliseconds; undefined if it does not. */
export function restMs(
  { status, headers, body }: UpstreamResponse,
  quotas: readonly Quota[],
  now: number,
): number | undefined {
  const retryAfter = status === 200 ? undefined : parseRetryAfter(headers["retry-after"], now, maxRestMs(status));
  const isLimited = status === 429 && retryAfter === undefined && body.includes(RATE_LIMITED.code);
  const rests = [
    retryAfter,
    isLimited ? RATE_LIMITED.restMs : undefined,
    ...quotas.map(({ remaining, resetMs }) => (remaining === 0 ? resetMs : undefined)),
  ].filter((rest) => rest !== undefined);
  return rests.length > 0 ? Math.max(...rests) : undefined;
}

/** Returns the longest rest that a status may ask for. Only a 429 may ask for any: trouble that is not about a quota may be over sooner. */
const maxRestMs = (status: number) => (status === 429 ? Number.POSITIVE_INFINITY : MAX_REST_MS);
