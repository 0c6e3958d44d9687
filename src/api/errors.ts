/**
 * The documented errors. One scheme for every route:
 * `{"success":false,"error":{"code","message","hint","detail","fields"}}`.
 */
export const ERRORS = {
  BAD_REQUEST: {
    status: 400,
    when: "not well-formed HTTP, a login call that repeats a header, or valid parameters that no answer fits together",
  },
  VALIDATION_FAILED: { status: 422, when: "a path or query parameter is not a number or outside what is allowed" },
  RESOURCE_NOT_FOUND: { status: 404, when: "the path matches no endpoint, or no hero has that name" },
  METHOD_NOT_ALLOWED: { status: 405, when: "the endpoint exists but does not answer this method; see Allow" },
  INTERNAL_ERROR: { status: 500, when: "server failure; a retry is safe because endpoints are read-only" },
  SLICE_NOT_CAPTURED: {
    status: 503,
    when: "the request is valid, but this snapshot does not hold the answer: the upstream refuses it, it was not asked yet, or the snapshot was made without it",
  },
  REQUEST_TIMEOUT: { status: 408, when: "the request did not arrive whole in time" },
  HEADERS_TOO_LARGE: { status: 431, when: "the request line and the headers together are larger than the limit" },
  NOT_READY: {
    status: 503,
    when: "from /ready: the snapshot or what it holds is too old, or the mirror is shutting down; with --key from anywhere: the snapshot is no longer what was signed",
  },
  PAYLOAD_TOO_LARGE: { status: 413, when: "the body of a login call is larger than the limit" },
  RANGE_NOT_SATISFIABLE: { status: 416, when: "a range past the end of a snapshot file; see Content-Range" },
  PRECONDITION_FAILED: { status: 412, when: "If-Match or If-Unmodified-Since names another state than there is" },
  RATE_LIMITED: { status: 429, when: "too many login calls from this client; see Retry-After" },
  OVERLOADED: { status: 503, when: "too much is waiting to be sent to other clients; see Retry-After" },
  UPSTREAM_NOT_CONFIGURED: { status: 503, when: "a login call, but this mirror was started without an upstream" },
  UPSTREAM_UNREACHABLE: {
    status: 502,
    when: "a login call, but the upstream could not be reached or gave no usable answer",
  },
  UPSTREAM_TIMEOUT: { status: 504, when: "a login call, but the upstream did not answer in time" },
} as const;

/** Codes of the specification that belong to region endpoints it does not define: documented, never sent by a mirror. */
export const REGION_ERRORS = {
  INVALID_REGION_CODE: { status: 422, when: "a region code has the wrong number of digits for its level" },
  REGION_NOT_FOUND: { status: 404, when: "code well formed but no region uses it" },
  PROVINCE_NOT_FOUND: { status: 404, when: "no province uses the given province code" },
  REGENCY_NOT_FOUND: { status: 404, when: "no regency or city with that code under the given province" },
  DISTRICT_NOT_FOUND: { status: 404, when: "no district with that code under the given regency or city" },
  VILLAGE_NOT_FOUND: { status: 404, when: "no village with that code under the given district" },
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** One invalid parameter. `allowed` is a sentence for people; the machine-readable list is in the OpenAPI document. */
export interface InvalidField {
  name: string;
  in: "path" | "query" | "header" | "body";
  received: string;
  allowed: string;
}

interface Explanation {
  message: string;
  hint: string;
  /** What of the request it is about: the offending value, or where it stands. Never empty. */
  detail: string;
  fields?: InvalidField[];
}

/** An answer of the error scheme. Thrown by whoever finds the fault, rendered in one place by the server. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly explanation: Explanation;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, explanation: Explanation, headers: Record<string, string> = {}) {
    super(explanation.message);
    this.code = code;
    this.status = ERRORS[code].status;
    this.explanation = explanation;
    this.headers = headers;
  }

  toJSON() {
    const { message, hint, detail, fields = [] } = this.explanation;
    return { success: false, error: { code: this.code, message, hint, detail, fields } };
  }
}
