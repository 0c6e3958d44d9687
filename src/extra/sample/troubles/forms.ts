import { strangerRecord } from "../records/stranger.ts";
import type { Reply } from "../service/failures.ts";
import { isPage } from "../service/paging.ts";
import type { Slice } from "../service/slice.ts";
import { wrapPictures } from "./pictures.ts";

/** A page of a slice. */
export interface Part {
  slice: Slice;
  size: number;
  index: number;
}

/** A question as a form sees it. */
export interface Asked extends Part {
  /** Path and query. */
  target: string;
  /** Another number with each request. */
  salt: number;
  /** The time of the request as ISO text. */
  time: string;
}

/** No reply: the connection breaks, or stays open. */
export type Silence = "reset" | "silence";

/** The effect of a form: it replies in place of the service, or changes the size of pages or the data of the right answer. */
export interface Effect {
  says: string;
  /** The word behind the name of the form, if it takes one: its meaning and its pattern. */
  argument?: readonly [name: string, pattern: RegExp];
  /** Undefined: this question gets the right answer. */
  reply?: (asked: Asked, argument: string) => Reply | Silence | undefined;
  size?: (size: number, argument: string) => number;
  data?: (data: unknown, part: Part, argument: string) => unknown;
}

const CLOSED = "the game-data service has switched this off";
const COUNT = ["N", /^[1-9]\d{0,8}$/] as const;
const ADDRESS = ["URL", /^https?:\/\/\S+$/] as const;

const json = (status: number, body: object, headers = {}): Reply => ({ status, body, headers });

const text = (status: number, body: string, headers = {}, type = "text/plain"): Reply => ({
  status,
  body,
  headers: { "content-type": `${type}; charset=UTF-8`, ...headers },
});

const html = (status: number, title: string, heading = title, headers = {}): Reply =>
  text(
    status,
    `<!DOCTYPE html><html lang="en"><head><title>${title}</title></head><body><h1>${heading}</h1></body></html>`,
    headers,
    "text/html",
  );

const redirect = (status: number, base: string, { target }: Asked, headers = {}): Reply => ({
  status,
  body: undefined,
  headers: { location: base.replace(/\/$/, "") + target, ...headers },
});

/** An error in the words of the service. Only the time changes from one to the next. */
const ownError = (status: number, code: string, message: string, { time }: Asked): Reply =>
  json(status, { status: "error", code, message, timestamp: time, support: { status: "available" }, details: {} });

function errorOfStatus(status: number, asked: Asked): Reply {
  if (status === 422) return ownError(status, "VALIDATION_ERROR", "this value is not allowed", asked);
  if (status < 500 || status === 501) return ownError(status, "UPSTREAM_REQUEST_FAILED", CLOSED, asked);
  return ownError(status, "INTERNAL_SERVER_ERROR", "something went wrong", asked);
}

/** Adds the stranger at the end: to the last page, or on a page of his own. */
function addStranger(data: unknown, { slice, size, index }: Part, bare: boolean): unknown {
  if (slice.endpoint !== "/api/heroes/rank" || !isPage(data)) return data;
  const { records, total } = data;
  const isLast = (index - 1) * size + records.length === total && records.length < size;
  return { ...data, records: isLast ? [...records, strangerRecord(bare)] : records, total: total + 1 };
}

/** A value in which a field has another name, however deep it is. */
function rename(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => rename(entry, field));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key === field ? `${key}_2` : key, rename(entry, field)]);
  return Object.fromEntries(entries);
}

/** The one table of forms. */
export const FORMS = {
  code: { says: '200, `{"code":10407,…}`', reply: () => json(200, { code: 10407, message: CLOSED }) },
  "text-code": {
    says: '200, `{"code":"FUNCTION_CLOSED",…}`',
    reply: () => json(200, { code: "FUNCTION_CLOSED", message: CLOSED }),
  },
  "error-code": {
    says: '200, `{"success":false,"error":{"code":"FEATURE_DISABLED",…}}`',
    reply: () => json(200, { success: false, error: { code: "FEATURE_DISABLED", message: CLOSED } }),
  },
  "request-id": {
    says: "`code`, with the id of the request in the message",
    reply: ({ salt }) => json(200, { code: 10407, message: `${CLOSED} (req-${salt.toString(16)})` }),
  },
  "changing-code": {
    says: "200, another code each time",
    reply: ({ salt }) => json(200, { code: 10_000 + (salt % 89_999), message: CLOSED }),
  },
  detail: { says: '404, `{"detail":"Not Found"}`', reply: () => json(404, { detail: "Not Found" }) },
  problem: {
    says: "410, `application/problem+json`",
    reply: () =>
      json(
        410,
        { title: "Gone", status: 410, detail: CLOSED },
        {
          "content-type": "application/problem+json",
        },
      ),
  },
  status: {
    says: "this status, with an error of the service in JSON",
    argument: ["N", /^[45]\d\d$/],
    reply: (asked, status) => errorOfStatus(Number(status), asked),
  },
  "not-configured": {
    says: "503, `NOT_CONFIGURED`: the service lacks a key",
    reply: (asked) => ownError(503, "NOT_CONFIGURED", "This deployment lacks the key for this endpoint.", asked),
  },
  unavailable: {
    says: '503, `{"detail":"Service Unavailable"}`',
    reply: () => json(503, { detail: "Service Unavailable" }),
  },
  "rate-limited": {
    says: '429, `{"detail":"Too Many Requests"}`',
    reply: () => json(429, { detail: "Too Many Requests" }),
  },
  "too-many": {
    says: "429 of the platform, `error code: 1015`",
    reply: () => text(429, "error code: 1015", { "retry-after": "3" }),
  },
  "over-limit": {
    says: "503 of the platform, `error code: 1102`",
    reply: () => text(503, "error code: 1102", { "retry-after": "120" }),
  },
  "refused-client": { says: "403 of a firewall, `error code: 1010`", reply: () => text(403, "error code: 1010") },
  challenge: {
    says: "403 of a firewall, a page for people",
    reply: () => html(403, "One moment", "Checking your browser", { "cf-mitigated": "challenge" }),
  },
  "html-404": { says: "404, a page", reply: () => html(404, "404 Not Found") },
  "html-405": { says: "405, a page", reply: () => html(405, "405 Not Allowed") },
  empty: {
    says: "200, no records",
    // A page has `records`, the list of votes has `list`.
    reply: () => json(200, { code: 0, message: "OK", data: { records: [], total: 0, list: [] } }),
  },
  "other-shape": {
    says: "200, `items` in the place of records",
    reply: () => json(200, { code: 0, message: "OK", data: { items: [], count: 0 } }),
  },
  reset: { says: "the connection breaks", reply: () => "reset" },
  silence: { says: "no answer ever comes", reply: () => "silence" },
  backup: {
    says: "307 to the same path there, with `X-Rone-Fallback`",
    argument: ADDRESS,
    reply: (asked, base) =>
      redirect(307, base, asked, { "cache-control": "no-store", "x-rone-fallback": "status-502" }),
  },
  moved: {
    says: "301 to the same path there",
    argument: ADDRESS,
    reply: (asked, base) => redirect(301, base, asked),
  },
  "size-refused": {
    says: "422 for a `size` above this",
    argument: COUNT,
    reply({ size }, most) {
      if (size <= Number(most)) return undefined;
      const msg = `Input should be less than or equal to ${most}`;
      const loc = ["query", "size"];
      return json(422, {
        detail: [{ type: "less_than_equal", loc, msg, input: String(size), ctx: { le: Number(most) } }],
      });
    },
  },
  "size-cut": {
    says: "no more records in a page than this",
    argument: COUNT,
    size: (size, most) => Math.min(size, Number(most)),
  },
  total: {
    says: "a `total` that is wrong by this",
    argument: ["±N", /^[+-][1-9]\d{0,8}$/],
    data: (data, _, by) => (isPage(data) ? { ...data, total: data.total + Number(by) } : data),
  },
  stranger: {
    says: "a hero in the rank lists whom the list of heroes lacks",
    data: (data, part) => addStranger(data, part, false),
  },
  "bare-stranger": {
    says: 'the same, with `""` in the place of objects',
    data: (data, part) => addStranger(data, part, true),
  },
  renamed: {
    says: "this field has another name",
    argument: ["FIELD", /^\w+$/],
    data: (data, _, field) => rename(data, field),
  },
  wsrv: { says: "pictures have the address of an image proxy, wsrv.nl", data: (data) => wrapPictures(data) },
  deprecated: { says: "the right answer; `/api/openapi.json` marks the endpoint" },
} as const satisfies Record<string, Effect>;

type Table = typeof FORMS;

/** The name of a form, with its argument if it takes one: `code`, `status 403`. */
export type Form = {
  [Name in keyof Table]: Table[Name] extends { argument: object } ? `${Name} ${string}` : Name;
}[keyof Table];
