import type { Reason } from "../../../src/api/faults.ts";

/**
 * What can go wrong between the upstream and us, and the reasons that a crawl gives for it (src/api/faults.ts); none where
 * it bears that. In parentheses the knobs of a rule's `with`, and their defaults.
 */
export const FAULTS = {
  "rate-limited": { does: "429 with Retry-After in seconds (retryAfter 1)", reasons: ["rate-limited"] },
  "rate-limited-date": {
    does: "429 with Retry-After as an HTTP date, so many seconds from now and rounded up (retryAfter 1)",
    reasons: ["rate-limited"],
  },
  blocked: { does: "405 with an HTML page, like a firewall", reasons: ["blocked"] },
  limited: {
    does: "503 with the error scheme and an alternative_endpoint (alternative, retryAfter: not sent)",
    reasons: ["unavailable"],
  },
  maintenance: {
    does: "503 with the error scheme and a maintenance message (retryAfter: not sent)",
    reasons: ["unavailable"],
  },
  redirect: {
    does: "307 to the same path and query on another base (location: a host that does not exist)",
    reasons: ["redirected"],
  },
  "server-error": { does: '500 with the JSON {"detail": …}', reasons: ["server-error"] },
  "bad-gateway": { does: "502 with an HTML page", reasons: ["server-error"] },
  "html-200": { does: "200 with an HTML page", reasons: ["wrong-type"] },
  "error-code": { does: "200 with the JSON {code, message, data: null} (code 500)", reasons: ["refused"] },
  "not-found": { does: '404 with the JSON {"detail":"Not Found"}', reasons: ["refused"] },
  truncated: {
    does: "content-length of the whole body, half of it, then the connection closes",
    reasons: ["unreachable"],
  },
  "truncated-json": {
    does: "half of the body with the content-length of that half: good HTTP, bad JSON",
    reasons: ["not-json"],
  },
  oversized: {
    does: "200 with JSON of so many megabytes, streamed without content-length (megabytes 64)",
    reasons: ["oversized"],
  },
  reset: {
    does: 'the socket is reset before any byte, or closes in mid-headers (at "start" or "headers")',
    reasons: ["unreachable"],
  },
  hang: { does: "accepts the request and never answers; closes when the client gives up", reasons: ["timeout"] },
  "slow-drip": {
    does: "the right answer, one byte of the body every so many milliseconds (delay 20)",
    reasons: ["timeout"],
  },
  gzip: { does: "the right body in gzip, asked for or not", reasons: [] },
  "gzip-broken": { does: "content-encoding gzip with damaged bytes", reasons: ["not-json"] },
  "wrong-type": { does: "the right body as text/plain", reasons: ["wrong-type"] },
  "huge-headers": { does: "the right answer under so many bytes of headers (bytes 65536)", reasons: ["not-http"] },
  "chunked-garbage": {
    does: "chunked framing that breaks after half of the body, then the connection closes",
    reasons: ["unreachable", "not-http"],
  },
  "missing-field": {
    does: "the first record without a required field (path, all false: in every record)",
    reasons: ["wrong-shape", "odd"],
  },
  "null-field": {
    does: "a required field of the first record is null (path, all false)",
    reasons: ["wrong-shape", "odd"],
  },
  "retyped-field": {
    does: "a number of the first record is a string, or the reverse (path, all false)",
    reasons: ["wrong-shape", "odd"],
  },
  "extra-field": { does: "every record has unknown nested fields: to be kept", reasons: [] },
  "deep-json": {
    does: 'the first record, or the body, has an unknown field of so many levels (depth 5000, at "record" or "body")',
    reasons: ["wrong-shape"],
  },
  "wrong-hero": { does: "the first record names another hero (hero: the next one)", reasons: ["wrong-subject"] },
  "wrong-rank": {
    does: "the first record has another bigrank (bigrank: all ranks, or glory instead of all ranks)",
    reasons: ["wrong-subject"],
  },
  "wrong-side": { does: "the first record has the other match_type", reasons: ["wrong-subject"] },
  "repeated-record": { does: "the first record again in place of the second", reasons: ["odd"] },
  "empty-records": { does: "no records under the true total", reasons: ["wrong-total"] },
  "empty-answer": { does: "no records, and a total of 0", reasons: ["empty"] },
  "total-large": { does: "total is larger than it should be (by 7)", reasons: ["wrong-total"] },
  "total-small": { does: "total is smaller than it should be (by 1)", reasons: ["wrong-total"] },
  "byte-order-mark": { does: "the right body behind a UTF-8 byte order mark", reasons: [] },
  "invalid-utf8": { does: "a byte that is not UTF-8 inside a string", reasons: ["not-json"] },
} as const satisfies Record<string, { does: string; reasons: readonly Reason[] }>;

export type FaultName = keyof typeof FAULTS;
export type Knobs = Readonly<Record<string, unknown>>;

export interface FaultRule {
  fault: FaultName;
  /** Which requests: a part of path and query, or a pattern. All when left out. */
  match?: string | RegExp;
  /** The chance of each matching request, from 0 to 1. A rule without it fires at every one. */
  probability?: number;
  /** Fires so often at most. */
  times?: number;
  /** Fires once for each path at most, counted together with all rules that do. */
  oncePerPath?: boolean;
  /** Fires at every matching request, which a rule without probability and times does too. */
  always?: boolean;
  with?: Record<string, unknown>;
}

/**
 * Rules that together fire at a share of all requests, each at the same part of it. A rule is only asked when those
 * before it stayed silent, so that the later ones get a higher chance.
 */
export function mixOf(rules: readonly FaultRule[], probability: number): FaultRule[] {
  const part = probability / rules.length;
  return rules.map((rule, position) => ({ ...rule, probability: part / (1 - part * position) }));
}

export function numberKnob(knobs: Knobs, name: string, fallback: number): number {
  const value = knobs[name] ?? fallback;
  if (typeof value !== "number") throw new TypeError(`${name} must be a number, not ${String(value)}`);
  return value;
}

export function textKnob(knobs: Knobs, name: string, fallback: string): string {
  const value = knobs[name] ?? fallback;
  if (typeof value !== "string") throw new TypeError(`${name} must be a string, not ${String(value)}`);
  return value;
}
