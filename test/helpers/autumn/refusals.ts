import { fraction, hash } from "./draws.ts";
import type { Slice } from "./game.ts";

/** Which slices are meant: all whose parameters have the given values, of which there may be several for each. */
export type Match =
  | { [Name in keyof Slice]?: Slice[Name] | readonly Slice[Name][] | undefined }
  | ((slice: Slice) => boolean);

export interface Refusal {
  match: Match;
  form: Form;
  /** Only the first so many asks of each path in a night. */
  first?: number;
  /** Only this part of the asks, drawn by the seed of the upstream. */
  share?: number;
}

export interface Reply {
  status: number;
  type: string;
  body: string;
}

const json = (status: number, body: object, type = "application/json"): Reply => ({
  status,
  type,
  body: JSON.stringify(body),
});
const page = (status: number, title: string): Reply => ({
  status,
  type: "text/html; charset=utf-8",
  body: `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
});

/** As the service words its own errors; only the time changes from one to the next. */
const errorBody = (status: number, code: string, message: string): Reply =>
  json(status, {
    status: "error",
    code,
    message,
    timestamp: new Date().toISOString(),
    support: { status: "available" },
    details: {},
  });

const CLOSED = "the game-data service has switched this off";
const requestId = (salt: string) => `req-${hash(salt).toString(16)}`;

/** The service says no. `salt` is another one with each request. */
const REFUSALS = {
  code: () => json(200, { code: 10407, message: CLOSED }),
  "text-code": () => json(200, { code: "FUNCTION_CLOSED", message: CLOSED }),
  "error-code": () => json(200, { success: false, error: { code: "FEATURE_DISABLED", message: CLOSED } }),
  detail: () => json(404, { detail: "Not Found" }),
  problem: () => json(410, { title: "Gone", status: 410, detail: CLOSED }, "application/problem+json"),
  "request-id": (salt) => json(200, { code: 10407, message: `${CLOSED} (${requestId(salt)})` }),
  "changing-code": (salt) => json(200, { code: 10_000 + (hash(salt) % 89_999), message: CLOSED }),
} satisfies Record<string, (salt: string) => Reply>;

/** Something is broken, in front of the service or in it. */
const FAULTS = {
  "html-404": () => page(404, "404 Not Found"),
  "html-405": () => page(405, "405 Not Allowed"),
  // With the code of the public upstream, a crawl rests for a minute.
  "rate-limited": () => json(429, { detail: "Too Many Requests" }),
  unavailable: () => json(503, { detail: "Service Unavailable" }),
  // In pages, and as the list of votes has it.
  empty: () => json(200, { code: 0, message: "OK", data: { records: [], total: 0, list: [] } }),
  "other-shape": () => json(200, { code: 0, message: "OK", data: { items: [], count: 0 } }),
  reset: () => "reset",
} satisfies Record<string, (salt: string) => Reply | "reset">;

/** A number is a status with JSON of the service: 422, 403, 451, 500 …. */
export type Form = keyof typeof REFUSALS | keyof typeof FAULTS | number;

export function replyIn(form: Form, salt: string): Reply | "reset" {
  if (typeof form !== "number") return { ...REFUSALS, ...FAULTS }[form](salt);
  if (form === 422) return errorBody(form, "VALIDATION_ERROR", "this value is not allowed");
  if (form >= 500 && form !== 501) return errorBody(form, "INTERNAL_SERVER_ERROR", "something went wrong");
  return errorBody(form, "UPSTREAM_REQUEST_FAILED", CLOSED);
}

export function isMeant(match: Match, slice: Slice): boolean {
  if (typeof match === "function") return match(slice);
  const values = Object.entries(match).filter(([, wanted]) => wanted !== undefined);
  return values.every(([name, wanted]) => [wanted].flat().includes(slice[name as keyof Slice] as never));
}

/** The form in which this ask of a path is refused, the nth in its night; undefined where it is answered. */
export function findRefusal(rules: readonly Refusal[], slice: Slice, nth: number, salt: string): Form | undefined {
  return rules.find(
    ({ match, first = Number.POSITIVE_INFINITY, share = 1 }) =>
      nth <= first && isMeant(match, slice) && fraction(salt) < share,
  )?.form;
}
