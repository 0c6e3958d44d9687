import { EXIT, type ExitCode } from "./failure.ts";

/** Something that can be wrong with an answer of the upstream, and how a crawl reacts. */
export interface Fault {
  text: string;
  /** Recognises the fault by the status of an answer, which is not 200; `html`: its body is a page. The first fault that matches counts. */
  status?: (status: number, html: boolean) => boolean;
  /** Recognises transport errors with this fault, by their name and code with a space between. The first fault that matches counts. */
  error?: RegExp;
  /** False if asking again rarely helps: a try then counts as two of a slice's attempts. */
  retryable?: false;
  /** The signal to the rate limiter: the whole upstream is overloaded, or one endpoint. There is none if this is left out. */
  outcome?: "throttled" | "timeout" | "unavailable";
  /**
   * When the next host is asked: at once (`next`), or after several such faults in a row (`repeated`); after a fault that is not of the
   * connection (`connection`) only if they are of different endpoints. Left out, never.
   */
  failover?: "next" | "connection" | "repeated";
  /** The exit code of a crawl that has no hero list because of it; left out, that of an incomplete crawl. */
  exitWithoutRoster?: ExitCode;
}

const { unreachable, shapeChanged, usage } = EXIT;

/**
 * All faults by reason, which is kept with every attempt, counted in the crawl report and, if the slice is missing, written into
 * `coverage`.
 */
export const FAULTS = {
  unreachable: {
    text: "no connection, or it broke before the answer was complete",
    failover: "connection",
    exitWithoutRoster: unreachable,
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
    exitWithoutRoster: unreachable,
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
    outcome: "unavailable",
    failover: "repeated",
    exitWithoutRoster: unreachable,
  },
  "server-error": {
    text: "another status from 500 on, or 408",
    status: (status) => status >= 500 || status === 408,
    failover: "repeated",
    exitWithoutRoster: unreachable,
  },
  redirected: {
    text: "a redirect; a temporary one to a configured host is followed, for this request",
    status: (status) => status >= 300 && status < 400,
    retryable: false,
    failover: "repeated",
    exitWithoutRoster: unreachable,
  },
  refused: {
    text: "a refusal by the service: status 200 with a code other than 0, or JSON with status 400, 401, 403, 404, 405, 410, 422, 451 or 501",
  },
  rejected: {
    text: "a status other than 200 with a body that is not JSON",
    retryable: false,
    exitWithoutRoster: unreachable,
  },
  "wrong-type": { text: "status 200 with a content type other than JSON", exitWithoutRoster: unreachable },
  oversized: {
    text: "more bytes, values, records or words than any slice of the service has, or too many bytes in transit",
    error: /^RangeError | ERR_BUFFER_TOO_LARGE$/,
    retryable: false,
  },
  "not-json": {
    text: "a body that is not JSON: truncated, damaged, or an HTML page",
    error: / (Z_|ERR_(?!SSL_|TLS_)|ZSTD_)/,
  },
  "wrong-envelope": { text: "JSON without code, records or total in their places", exitWithoutRoster: shapeChanged },
  "wrong-shape": {
    text: "a record without a field by which the program asks, finds, orders or filters",
    exitWithoutRoster: shapeChanged,
  },
  empty: {
    text: "no record, although records were expected: a new connection asks again, and a second empty answer is accepted, unless a list of the game, a table or an endpoint would have none at all",
  },
  odd: {
    text: "a record that is not as documented, or an id twice in a page: asked for once more, and accepted if it is the same",
  },
  "wrong-kind": {
    text: "made-up numbers although the crawl or the folder has real ones, or real numbers although it has made-up ones",
    retryable: false,
    failover: "next",
    exitWithoutRoster: usage,
  },
  "wrong-subject": { text: "a record of another hero, rank or side than was asked for" },
  "repeated-record": { text: "a record that two pages have" },
  older: {
    text: "a batch older than that of the snapshot in hand, also when it was asked again: the newer answer is carried over",
  },
  "wrong-total": { text: "a number of records other than total; accepted if it is the same twice" },
} as const satisfies Record<string, Fault>;

export type Reason = keyof typeof FAULTS;

/** Reasons besides faults why a slice has no answer of its night. */
export const NOT_DUE = {
  "not-asked": "no crawl has asked for the slice yet",
  "left-out": "the operator left the endpoint out (`--without`)",
  unsettled: "slices of the same rank and window are missing or of another batch; the table waits for its next turn",
} as const;

export type NotDue = keyof typeof NOT_DUE;

/** Tells whether a reason is a fault: the slice was asked in vain, or others like it were. */
export const isFault = (reason: string | null | undefined): boolean =>
  reason != null && !Object.hasOwn(NOT_DUE, reason);

const rows = Object.entries(FAULTS) as [Reason, Fault][];

/** Returns the fault of a reason, which may come from a journal; empty if it is not a known one. */
export const faultOf = (reason: string | null | undefined): Partial<Fault> => {
  const [, fault = {}] = rows.find(([name]) => name === reason) ?? [];
  return fault;
};

/** Returns the fault of an answer with this status, which is not 200. */
export const reasonOfStatus = (status: number, html: boolean): Reason =>
  rows.find(([, fault]) => fault.status?.(status, html))?.[0] ?? "rejected";

/** Returns the fault that a transport error stands for. */
export const reasonOfError = ({ name, code = "" }: NodeJS.ErrnoException): Reason =>
  rows.find(([, { error }]) => error?.test(`${name} ${code}`))?.[0] ?? "unreachable";
