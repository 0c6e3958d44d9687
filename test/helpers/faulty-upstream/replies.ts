import { answerOf, type Injector, send } from "./exchange.ts";
import { type Knobs, numberKnob, textKnob } from "./faults.ts";
import type { Answer } from "./target.ts";

/** `.invalid` never resolves (RFC 2606). */
const NOWHERE = "http://backup.invalid";

/** A fault that answers without asking the target. */
const reply =
  (answer: (knobs: Knobs, path: string) => Answer): Injector =>
  (exchange, knobs) => {
    const answered = answer(knobs, exchange.path);
    return () => send(exchange, answered);
  };

const json = (status: number, body: object, headers?: string[]) =>
  answerOf(status, "application/json", JSON.stringify(body), headers);

const html = (status: number, title: string) =>
  answerOf(
    status,
    "text/html; charset=utf-8",
    `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  );

const tooMany = (retryAfter: string) => json(429, { detail: "Too Many Requests" }, ["retry-after", retryAfter]);

/** The upstream's own scheme for trouble. */
function trouble(knobs: Knobs, code: string, message: string, details: object): Answer {
  const support = "https://support.invalid";
  const body = { status: "error", code, message, timestamp: new Date().toISOString(), support, details };
  const headers = knobs.retryAfter === undefined ? [] : ["retry-after", String(numberKnob(knobs, "retryAfter", 0))];
  return json(503, body, headers);
}

/** HTTP dates have whole seconds: rounded up, so that it is never earlier than asked for. */
function dateIn(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString();
}

export const REPLIES = {
  "rate-limited": reply((knobs) => tooMany(String(numberKnob(knobs, "retryAfter", 1)))),
  "rate-limited-date": reply((knobs) => tooMany(dateIn(numberKnob(knobs, "retryAfter", 1)))),
  blocked: reply(() => html(405, "Request blocked")),
  limited: reply((knobs) => {
    const details = { alternative_endpoint: textKnob(knobs, "alternative", NOWHERE) };
    return trouble(knobs, "SERVICE_LIMITED", "The service is limited, use the alternative endpoint.", details);
  }),
  maintenance: reply((knobs) => trouble(knobs, "MAINTENANCE", "The service is under maintenance.", {})),
  redirect: reply((knobs, path) => {
    const base = textKnob(knobs, "location", NOWHERE).replace(/\/+$/, "");
    return json(307, {}, ["location", base + path]);
  }),
  "server-error": reply(() => json(500, { detail: "Internal Server Error" })),
  "bad-gateway": reply(() => html(502, "Bad Gateway")),
  "html-200": reply(() => html(200, "Just a moment")),
  "error-code": reply((knobs) => json(200, { code: numberKnob(knobs, "code", 500), message: "failed", data: null })),
  "not-found": reply(() => json(404, { detail: "Not Found" })),
} satisfies Record<string, Injector>;
