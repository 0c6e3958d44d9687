import { cutTo, MAX_NAME_CHARS } from "./body/bounds.ts";
/**
 * The documented errors. One scheme for every route:
 * `{"success":false,"error":{"code","message","hint","detail","fields"}}`.
 */
export const ERRORS = {
  BAD_REQUEST: {
    status: 400,
    when: "the HTTP is not well-formed, a login call repeats a header, or the parameters are valid but contradict each other",
  },
  VALIDATION_FAILED: { status: 422, when: "a path or query parameter is not a number or not an allowed value" },
  RESOURCE_NOT_FOUND: { status: 404, when: "the path matches no endpoint, or no hero has that name" },
  METHOD_NOT_ALLOWED: {
    status: 405,
    when: "the endpoint exists but does not answer this method; Allow lists the methods",
  },
  INTERNAL_ERROR: { status: 500, when: "the server failed; a retry is safe because endpoints are read-only" },
  SLICE_NOT_CAPTURED: {
    status: 503,
    when: "the request is valid, but the snapshot lacks the answer: the upstream does not give it, nobody has asked for it yet, or the snapshot was made without it",
  },
  REQUEST_TIMEOUT: { status: 408, when: "the request did not arrive completely in time" },
  HEADERS_TOO_LARGE: { status: 431, when: "the request line and the headers together are larger than the limit" },
  NOT_READY: {
    status: 503,
    when: "any route: the mirror has no snapshot yet, or with --key the snapshot no longer has its signed bytes; /ready: the snapshot or its answers are too old, or the mirror is shutting down",
  },
  PAYLOAD_TOO_LARGE: { status: 413, when: "the body of a login call is larger than the limit" },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    when: "the range begins after the end of the snapshot file; Content-Range has its size",
  },
  PRECONDITION_FAILED: { status: 412, when: "If-Match or If-Unmodified-Since does not match the current state" },
  RATE_LIMITED: { status: 429, when: "the client made too many login calls; Retry-After says when to try again" },
  OVERLOADED: {
    status: 503,
    when: "too much data is waiting to be sent to other clients; Retry-After says when to try again",
  },
  UPSTREAM_NOT_CONFIGURED: { status: 503, when: "the mirror was started without an upstream for login calls" },
  UPSTREAM_UNREACHABLE: {
    status: 502,
    when: "the upstream could not be reached for a login call, or gave no usable answer",
  },
  UPSTREAM_TIMEOUT: { status: 504, when: "the upstream did not answer a login call in time" },
} as const;

/** Codes of the specification that belong to region endpoints it does not define: documented, never sent by a mirror. */
export const REGION_ERRORS = {
  INVALID_REGION_CODE: { status: 422, when: "a region code has the wrong number of digits for its level" },
  REGION_NOT_FOUND: { status: 404, when: "the code is well formed, but no region uses it" },
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
  /** The part of the request that is wrong: the offending value, or its place. Never empty. */
  detail: string;
  fields?: InvalidField[];
}

/** The most characters of a message or a hint, whatever it quotes. */
const MAX_SAID_CHARS = 1000;

/** An answer of the error scheme. Thrown by whoever finds the fault, rendered in one place by the server. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly explanation: Explanation;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, explanation: Explanation, headers: Record<string, string> = {}) {
    const { message, hint, detail, fields } = explanation;
    super(cutTo(MAX_SAID_CHARS, message));
    this.code = code;
    this.status = ERRORS[code].status;
    this.explanation = {
      message: this.message,
      hint: cutTo(MAX_SAID_CHARS, hint),
      detail: cutTo(MAX_NAME_CHARS, detail),
      ...(fields && { fields: fields.map((field) => ({ ...field, received: cutTo(MAX_NAME_CHARS, field.received) })) }),
    };
    this.headers = headers;
  }

  toJSON() {
    const { message, hint, detail, fields = [] } = this.explanation;
    return { success: false, error: { code: this.code, message, hint, detail, fields } };
  }
}
