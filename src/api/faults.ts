import { EXIT, type ExitCode } from "./failure.ts";

/** What can be wrong with an answer of the upstream, and what a crawl makes of it. */
export interface Fault {
  text: string;
  /** Whether an answer with this status, which is not 200, has this fault; `html`: its body is a page. The first row counts. */
  status?: (status: number, html: boolean) => boolean;
  /** Transport errors with this fault, as their name and code with a space between. The first row counts. */
  error?: RegExp;
  /** Asking again rarely helps: it takes two of a slice's attempts. */
  retryable?: false;
  /** What it tells the rate limiter; left out, nothing. */
  outcome?: "timeout" | "throttled";
  /**
   * Which host is asked next: the one that the answer names, if it is configured (`named`); else also the next one, at
   * once (`next`) or after several such faults in a row (`repeated`). Left out, the same one.
   */
  failover?: "named" | "next" | "repeated";
  /** How a crawl ends that lacks slices for it; left out, it is incomplete. */
  exit?: ExitCode;
  /** How a crawl ends that has no hero list for it; left out, as above. */
  exitWithoutRoster?: ExitCode;
}

const { unreachable, shapeChanged, usage } = EXIT;

/**
 * By reason, which is kept with every attempt, counted in the crawl report and, for slices that stayed without an answer,
 * written into `coverage`.
 */
export const FAULTS = {
  unreachable: {
    text: "no connection, or it broke before the answer was complete",
    failover: "repeated",
    exit: unreachable,
  },
  "not-http": {
    text: "an answer that breaks the rules of HTTP, or has too large headers",
    error: / (HPE_|UND_ERR_(HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH|INVALID_ARG))/,
    exitWithoutRoster: unreachable,
  },
  timeout: {
    text: "no complete answer within the time limit",
    error: /^TimeoutError |TIMEOUT/,
    outcome: "timeout",
    failover: "repeated",
    exit: unreachable,
  },
  "rate-limited": {
    text: "status 429, or a code that is about load",
    status: (status) => status === 429,
    outcome: "throttled",
    exitWithoutRoster: unreachable,
  },
  blocked: {
    text: "status 405 or 403 with an HTML page: the firewall in front of the upstream",
    status: (status, html) => html && (status === 405 || status === 403),
    outcome: "throttled",
    exitWithoutRoster: unreachable,
  },
  unavailable: {
    text: "status 503, in maintenance or limited",
    status: (status) => status === 503,
    outcome: "throttled",
    failover: "next",
    exitWithoutRoster: unreachable,
  },
  "server-error": {
    text: "another status from 500 on, or 408",
    status: (status) => status >= 500 || status === 408,
    exitWithoutRoster: unreachable,
  },
  redirected: {
    text: "a redirect; one to a configured host moves the crawl there",
    status: (status) => status >= 300 && status < 400,
    retryable: false,
    failover: "named",
    exitWithoutRoster: unreachable,
  },
  refused: {
    text: "a refusal by the service: status 200 with a code other than 0, or JSON with status 400, 401, 403, 404, 405, 410, 422, 451 or 501",
  },
  rejected: {
    text: "a status other than 200 with a body that is not JSON, or refusals that differ",
    retryable: false,
    exitWithoutRoster: unreachable,
  },
  "wrong-type": { text: "status 200 with a content type other than JSON", exitWithoutRoster: unreachable },
  oversized: {
    text: "more bytes, values or records than any slice of the service has, or too many bytes in transit",
    error: /^RangeError | ERR_BUFFER_TOO_LARGE$/,
    retryable: false,
  },
  "not-json": {
    text: "a body that is not JSON: truncated, damaged, or an HTML page",
    error: / (Z_|ERR_(?!SSL_|TLS_)|ZSTD_)/,
  },
  "wrong-envelope": { text: "JSON without code, records or total in their places", exit: shapeChanged },
  "wrong-shape": {
    text: "a record without a field by which the program asks, finds, orders or filters",
    exit: shapeChanged,
  },
  empty: {
    text: "no record, although records were expected: a new connection asks again, and a second empty answer is accepted; a list of the game is never empty",
    retryable: false,
  },
  odd: {
    text: "a record that is not as documented, or an id twice in a page: asked for once more, and accepted if it is the same",
  },
  "wrong-kind": {
    text: "made-up numbers although the crawl or the folder has real ones, or real numbers although it has made-up ones",
    retryable: false,
    failover: "next",
    exit: usage,
  },
  "wrong-subject": { text: "a record of another hero, rank or side than was asked for" },
  "repeated-record": { text: "a record that two pages have" },
  "wrong-total": { text: "a number of records other than total" },
} as const satisfies Record<string, Fault>;

export type Reason = keyof typeof FAULTS;

const rows = Object.entries(FAULTS) as [Reason, Fault][];

/** The row of a reason, which may be one that a journal holds; empty where there is none. */
export const faultOf = (reason: string | null | undefined): Partial<Fault> => {
  const [, fault = {}] = rows.find(([name]) => name === reason) ?? [];
  return fault;
};

/** Whether a fault is about load, the connection or the host, and so says nothing about the endpoint. */
export function isOfHost(reason: string | null): boolean {
  const { outcome, failover } = faultOf(reason);
  return outcome !== undefined || failover !== undefined;
}

/** What an answer with this status is, which is not 200. */
export const reasonOfStatus = (status: number, html: boolean): Reason =>
  rows.find(([, fault]) => fault.status?.(status, html))?.[0] ?? "rejected";

/** What it means that no answer came. */
export const reasonOfError = ({ name, code = "" }: NodeJS.ErrnoException): Reason =>
  rows.find(([, { error }]) => error?.test(`${name} ${code}`))?.[0] ?? "unreachable";
