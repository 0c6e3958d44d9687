/** What can go wrong between the upstream and us. In parentheses the knobs of a rule's `with`, and their defaults. */
export const FAULTS = {
  "rate-limited": "429 with Retry-After in seconds (retryAfter 1)",
  "rate-limited-date": "429 with Retry-After as an HTTP date, so many seconds from now and rounded up (retryAfter 1)",
  blocked: "405 with an HTML page, like a firewall",
  limited: "503 with the error scheme and an alternative_endpoint (alternative, retryAfter: not sent)",
  maintenance: "503 with the error scheme and a maintenance message (retryAfter: not sent)",
  redirect: "307 to the same path and query on another base (location: a host that does not exist)",
  "server-error": '500 with the JSON {"detail": …}',
  "bad-gateway": "502 with an HTML page",
  "html-200": "200 with an HTML page",
  "error-code": "200 with the JSON {code, message, data: null} (code 500)",
  "not-found": '404 with the JSON {"detail":"Not Found"}',
  truncated: "content-length of the whole body, half of it, then the connection closes",
  "truncated-json": "half of the body with the content-length of that half: good HTTP, bad JSON",
  oversized: "200 with JSON of so many megabytes, streamed without content-length (megabytes 64)",
  reset: 'the socket is reset before any byte, or closes in mid-headers (at "start" or "headers")',
  hang: "accepts the request and never answers; closes when the client gives up",
  "slow-drip": "the right answer, one byte of the body every so many milliseconds (delay 20)",
  gzip: "the right body in gzip, asked for or not",
  "gzip-broken": "content-encoding gzip with damaged bytes",
  "wrong-type": "the right body as text/plain",
  "duplicate-header": "the right answer, one header twice (name content-type, value: the same again)",
  "huge-headers": "the right answer under so many bytes of headers (bytes 65536)",
  "chunked-garbage": "chunked framing that breaks after half of the body, then the connection closes",
  "missing-field": "the first record without a required field (path, all false: in every record)",
  "null-field": "a required field of the first record is null (path, all false)",
  "retyped-field": "a number of the first record is a string, or the reverse (path, all false)",
  "extra-field": "every record has unknown nested fields: to be kept",
  "deep-json":
    'the first record, or the body, has an unknown field of so many levels (depth 5000, at "record" or "body")',
  "wrong-hero": "the first record names another hero (hero: the next one)",
  "wrong-rank": "the first record has another bigrank (bigrank: all ranks, or glory instead of all ranks)",
  "wrong-side": "the first record has the other match_type",
  "repeated-record": "the first record again in place of the second",
  "repeated-page": "a page after the first is answered with the first",
  "empty-records": "no records under the true total",
  "total-large": "total is larger than it should be (by 7)",
  "total-small": "total is smaller than it should be (by 1)",
  "byte-order-mark": "the right body behind a UTF-8 byte order mark",
  "invalid-utf8": "a byte that is not UTF-8 inside a string",
} as const;

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
