import { readPath } from "./body/path.ts";
import { sanitizeLine } from "./sanitize.ts";

/** The words in which an answer of the upstream says that it has no data. */
export interface Said {
  /** The HTTP status. */
  status: number;
  /** The service's own code, as text; null if it gives none. */
  code: string | null;
  /** The service's message, cut and cleaned. It may hold the id of a request. */
  message: string;
}

/** Statuses by which the service refuses a request that it has understood. */
const REFUSING_STATUSES = [400, 401, 403, 404, 405, 410, 422, 451, 501];
const MAX_CODE_CHARS = 64;
const MAX_MESSAGE_CHARS = 200;

/** Codes that are about load: the same request may be answered a minute later. */
const LOAD_CODES = /^(?:429|503)$|rate.?limit|too.?many|overload|unavailable|maintenance|time.?out/i;

/** A parsed body and its status in a few words. */
export const readSaid = (status: number, json: unknown): Said => ({
  status,
  code: readCode(json),
  message: readMessage(json),
});

/** Tells whether the service itself refuses: with a code other than 0 behind a status of 200, or with a status that refuses. */
export const isRefusal = ({ status, code }: Said): boolean =>
  status === 200 ? code !== null && code !== "0" : REFUSING_STATUSES.includes(status);

export const isAboutLoad = ({ code }: Said): boolean => LOAD_CODES.test(code ?? "");

function readCode(json: unknown): string | null {
  for (const path of ["code", "error.code"]) {
    const code = readPath(json, path);
    if (typeof code === "number" || (typeof code === "string" && code !== ""))
      return clean(String(code), MAX_CODE_CHARS);
  }
  return null;
}

function readMessage(json: unknown): string {
  const messages = ["message", "error.message", "msg", "detail"].map((path) => readPath(json, path));
  const message =
    messages.find((text) => typeof text === "string" && text !== "") ?? messages.find((text) => text != null);
  const text = typeof message === "string" ? message : (JSON.stringify(message) ?? "");
  return clean(text, MAX_MESSAGE_CHARS);
}

const clean = (text: string, most: number) => sanitizeLine(text.slice(0, 4 * most).toWellFormed()).slice(0, most);
