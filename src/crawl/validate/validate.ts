import * as z from "zod";
import { parseBody } from "../../api/body/body.ts";
import { type Page, WRAPPINGS } from "../../api/body/envelope.ts";
import { findUnmet, neededOf } from "../../api/body/needed.ts";
import { readIdentity, recordKey } from "../../api/body/read-record.ts";
import type { Endpoint, Identity, Slice } from "../../api/endpoint.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { LANES, RANKS } from "../../api/enumerations.ts";
import { quote } from "../../api/quote.ts";
import { shapeOf } from "../../api/shapes.ts";
import type { Reason } from "../../journal/reasons.ts";
import { countValues, MAX_RECORDS, MAX_VALUES } from "../upstream/limits.ts";
import type { HttpResponse } from "../upstream/upstream.ts";

export interface Objection {
  taken: false;
  reason: Reason;
  detail: string;
  refused: boolean;
}

/** `odd`: what is not as documented, in words that tell it from other oddities. */
export type Verdict = ({ taken: true; odd?: string | undefined } & Page) | Objection;

const shapes = new Map(ENDPOINTS.map((endpoint) => [endpoint.dataset, z.compile(shapeOf(endpoint))]));
const object = (reason: Reason, detail: string, refused: boolean): Objection => ({
  taken: false,
  reason,
  detail: quote(detail),
  refused,
});
export const refuse = (reason: Reason, detail: string) => object(reason, detail, true);
export const doubt = (reason: Reason, detail: string) => object(reason, detail, false);

/**
 * Believes nothing: one page counts only when status, type, JSON, code and envelope are right and every record has what
 * is needed and is about what was asked for. Everything else in a record may be anything, and is only told. A refused answer will hardly get better by asking again; a doubtful one may.
 */
export function judge(endpoint: Endpoint, slice: Slice, reply: HttpResponse): Verdict {
  return judgeStatus(reply) ?? judgeBody(endpoint, slice, reply);
}

function judgeStatus({ status, headers, body }: HttpResponse): Verdict | undefined {
  if (status === 200) {
    const type = String(headers["content-type"] ?? "");
    return /^application\/(.+\+)?json\b/i.test(type)
      ? undefined
      : doubt("wrong-type", `content type ${type || "none"}`);
  }
  const detail = `status ${status}: ${excerpt(body)}`;
  const page = /html/i.test(String(headers["content-type"] ?? ""));
  if (status === 429) return doubt("rate-limited", detail);
  if (page && (status === 405 || status === 403)) return doubt("blocked", detail);
  if (status === 503) return doubt("unavailable", detail);
  if (status >= 500 || status === 408) return doubt("server-error", detail);
  if (status >= 300 && status < 400) return refuse("redirected", `status ${status} to ${headers.location}`);
  // A page instead of JSON comes from something in front of the service, which may be gone in a moment.
  return page ? doubt("rejected", detail) : refuse("rejected", detail);
}

function judgeBody(endpoint: Endpoint, slice: Slice, { body }: HttpResponse): Verdict {
  // Before it is read: a value takes a hundred times the bytes of its text.
  if (body.length > MAX_VALUES && countValues(body) > MAX_VALUES)
    return refuse("oversized", `more than ${MAX_VALUES} values`);
  let json: unknown;
  try {
    json = parseBody(body);
  } catch (error) {
    return doubt("not-json", `${(error as Error).message}: ${excerpt(body)}`);
  }
  if (isDeeper(json, MAX_DEPTH)) return doubt("wrong-shape", `nested deeper than ${MAX_DEPTH} levels`);
  const code = (json as { code?: unknown } | null)?.code;
  if (typeof code === "number" && code !== 0) return doubt("error-code", `code ${code}: ${excerpt(body)}`);
  const parsed = WRAPPINGS[endpoint.wrapping ?? "pages"].safeParse(json);
  if (!parsed.success) return doubt("wrong-envelope", describe(parsed.error));
  const { records, total } = parsed.data;
  if (records.length > MAX_RECORDS) return refuse("oversized", `${records.length} records, allowed are ${MAX_RECORDS}`);
  const needs = neededOf(endpoint);
  for (const [position, record] of records.entries()) {
    const unmet = findUnmet(needs, record, slice.lang);
    if (unmet) return doubt("wrong-shape", `record ${position}: ${unmet}`);
    const mismatch = compareSubject(endpoint, slice, record);
    if (mismatch) return doubt("wrong-subject", `record ${position}: ${mismatch}`);
  }
  return { taken: true, records, total, odd: findOdd(endpoint, records, body.length) };
}

/** The first thing about the records of a page that is not as documented. */
function findOdd(endpoint: Endpoint, records: readonly unknown[], size: number): string | undefined {
  const shape = shapes.get(endpoint.dataset) ?? shapeOf(endpoint);
  for (const record of records) {
    if (size > MAX_RECORD && holdsMore(record, MAX_RECORD)) return `more than ${MAX_RECORD} values in a record`;
    const [issue] = shape.safeParse(record).error?.issues ?? [];
    if (issue) return quote(`${issue.path.filter((step) => typeof step === "string").join(".")}: ${issue.message}`);
  }
  if (records.length < 2) return undefined;
  const ids = new Set(records.map((record) => recordKey(endpoint, record)));
  return ids.size < records.length ? "an id came twice" : undefined;
}

/** Values in a record, of which none has a tenth: each that is not as documented would be an issue of its own. */
const MAX_RECORD = 20_000;

function holdsMore(record: unknown, most: number): boolean {
  let count = 0;
  const waiting = [record];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (value === null || typeof value !== "object") continue;
    const children = Object.values(value);
    count += children.length;
    if (count > most) return true;
    for (const child of children) if (child !== null && typeof child === "object") waiting.push(child);
  }
  return false;
}

/** SQLite reads JSON to a depth of 1000. */
const MAX_DEPTH = 900;
function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  if (levels === 0) return true;
  for (const child of Object.values(value)) if (isDeeper(child, levels - 1)) return true;
  return false;
}

/** Marks that a record does not carry are no objection; slices without the marks of the others are looked at later. */
function compareSubject(endpoint: Endpoint, slice: Slice, record: unknown): string | undefined {
  if (!endpoint.identity) return undefined;
  const found = readIdentity(endpoint.identity, record);
  const expected: Record<keyof Identity, string | undefined> = {
    hero: slice.hero?.toString(),
    subject: slice.subject,
    road: LANES.find(({ code }) => code === slice.lane)?.id,
    bigrank: RANKS.find((rank) => rank.code === slice.rank)?.bigrank,
    match_type: endpoint.matchType,
  };
  for (const name of Object.keys(expected) as (keyof Identity)[]) {
    if (found[name] === undefined || expected[name] === undefined) continue;
    if (found[name] !== expected[name]) return `${name} is ${found[name].slice(0, 60)}, asked was ${expected[name]}`;
  }
  return undefined;
}

/** A page that was taken once, read again. */
export function parsePage({ wrapping = "pages" }: Endpoint, body: Buffer): Page {
  return WRAPPINGS[wrapping].parse(parseBody(body));
}

/** The first of what may be a million. */
function describe({ issues: [issue] }: z.ZodError): string {
  const at = issue?.path.length ? ` at ${issue.path.join(".")}` : "";
  return `${issue?.message}${at}`;
}

const excerpt = (body: Buffer) => body.subarray(0, 200).toString("utf8").replaceAll(/\s+/g, " ");
