import type * as z from "zod";
import { parseBody } from "../../api/body/body.ts";
import { ENVELOPES, type RecordsPage } from "../../api/body/envelope.ts";
import { findUnfit, neededFields } from "../../api/body/needed-fields.ts";
import { readIdentity, recordKey } from "../../api/body/record-fields.ts";
import { type Endpoint, type Identity, isGameList, type Slice } from "../../api/endpoint.ts";
import { LANES, RANKS } from "../../api/enumerations.ts";
import { faultOf, type Reason, reasonOfStatus } from "../../api/faults.ts";
import { isAboutLoad, isRefusal, readSaid, type Said } from "../../api/said.ts";
import { shapeOf } from "../../api/shapes.ts";
import { truncate } from "../../base/words.ts";
import { countValues, MAX_RECORDS, MAX_VALUES } from "../upstream/limits.ts";
import type { UpstreamResponse } from "../upstream/upstream.ts";

/** A page whose records may be kept. `odd`: the first thing that is not as documented, in words that tell it from others. */
export interface Accepted extends RecordsPage {
  ok: true;
  odd?: string | undefined;
}

/** The reason why an answer is not kept. */
export interface Rejected {
  ok: false;
  reason: Reason;
  detail: string;
  /** True if asking again may help: it then takes one of the slice's attempts, else two. */
  retryable: boolean;
  /** The answer's own words instead of data, if it has such. */
  said?: Said;
}

export const reject = (reason: Reason, detail: string, retryable = faultOf(reason).retryable ?? true): Rejected => ({
  ok: false,
  reason,
  detail: truncate(detail),
  retryable,
});

/**
 * Validates an answer, and believes nothing: a page counts only if status, type, JSON, code and envelope are right and every record has the
 * needed fields and is about what was asked for. Everything else in a record may be anything, and is only reported.
 */
export function validateResponse(endpoint: Endpoint, slice: Slice, response: UpstreamResponse): Accepted | Rejected {
  return validateStatus(response) ?? validateBody(endpoint, slice, response);
}

/** Recognises a refusal by the service itself. */
function refuse(said: Said): Rejected | undefined {
  if (!isRefusal(said)) return undefined;
  const words = `${said.status === 200 ? `code ${said.code}` : `status ${said.status}`}: ${said.message}`;
  return { ...reject(isAboutLoad(said) ? "rate-limited" : "refused", words), said };
}

function validateStatus({ status, headers, body }: UpstreamResponse): Rejected | undefined {
  const type = String(headers["content-type"] ?? "");
  const isJson = /^application\/(.+\+)?json\b/i.test(type);
  if (status === 200) return isJson ? undefined : reject("wrong-type", `content type ${type || "none"}`);
  const json = isJson ? parseShort(body) : undefined;
  const said = readSaid(status, json);
  const refused = json === undefined ? undefined : refuse(said);
  if (refused) return refused;
  const html = /html/i.test(type);
  const reason = reasonOfStatus(status, html);
  if (reason === "redirected") return { ...reject(reason, `status ${status} to ${headers.location}`), said };
  // A page instead of JSON comes from something in front of the service, which may be gone in a moment.
  return { ...reject(reason, `status ${status}: ${excerpt(body)}`, html || undefined), said };
}

function validateBody(endpoint: Endpoint, slice: Slice, { body }: UpstreamResponse): Accepted | Rejected {
  // Checked before it is read: a value takes a hundred times the bytes of its text.
  if (body.length > MAX_VALUES && countValues(body) > MAX_VALUES)
    return reject("oversized", `more than ${MAX_VALUES} values`);
  let json: unknown;
  try {
    json = parseBody(body);
  } catch (error) {
    return reject("not-json", `${(error as Error).message}: ${excerpt(body)}`);
  }
  if (isDeeper(json, MAX_DEPTH)) return reject("wrong-shape", `nested deeper than ${MAX_DEPTH} levels`);
  const refused = refuse(readSaid(200, json));
  if (refused) return refused;
  const parsed = ENVELOPES[endpoint.wrapping ?? "pages"].safeParse(json);
  if (!parsed.success) return reject("wrong-envelope", describe(parsed.error));
  const { records, total } = parsed.data;
  if (records.length > MAX_RECORDS) return reject("oversized", `${records.length} records, allowed are ${MAX_RECORDS}`);
  if (total === 0 && records.length === 0 && isGameList(endpoint)) return reject("empty", "a list without a record");
  const needs = neededFields(endpoint);
  for (const [position, record] of records.entries()) {
    const unmet = findUnfit(needs, record, slice.lang);
    if (unmet) return reject("wrong-shape", `record ${position}: ${unmet}`);
    const mismatch = findOtherSubject(endpoint, slice, record);
    if (mismatch) return reject("wrong-subject", `record ${position}: ${mismatch}`);
  }
  return { ok: true, records, total, odd: findUndocumented(endpoint, records, body.length) };
}

/** Finds the first thing about the records of a page that is not as documented. */
function findUndocumented(endpoint: Endpoint, records: readonly unknown[], size: number): string | undefined {
  const shape = shapeOf(endpoint);
  for (const record of records) {
    if (size > MAX_RECORD_VALUES && holdsMore(record, MAX_RECORD_VALUES))
      return `more than ${MAX_RECORD_VALUES} values in a record`;
    const [issue] = shape.safeParse(record).error?.issues ?? [];
    if (issue) return truncate(`${issue.path.filter((step) => typeof step === "string").join(".")}: ${issue.message}`);
  }
  if (records.length < 2) return undefined;
  const ids = new Set(records.map((record) => recordKey(endpoint, record)));
  return ids.size < records.length ? "an id came twice" : undefined;
}

/** The most values in a record; none has a tenth of it, and each that is not as documented would be an issue of its own. */
const MAX_RECORD_VALUES = 20_000;

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

/** The greatest depth; SQLite reads JSON to a depth of 1000. */
const MAX_DEPTH = 900;
function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  if (levels === 0) return true;
  for (const child of Object.values(value)) if (isDeeper(child, levels - 1)) return true;
  return false;
}

/**
 * Finds a mark of another subject than was asked. Marks that a record does not carry are no fault; slices without the marks of the others
 * are looked at later.
 */
function findOtherSubject(endpoint: Endpoint, slice: Slice, record: unknown): string | undefined {
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

/** Describes the first issue; there may be a million. */
function describe({ issues: [issue] }: z.ZodError): string {
  const where = issue?.path.length ? ` at ${issue.path.join(".")}` : "";
  return `${issue?.message}${where}`;
}

/** The most bytes of a refusal in words; that of the service has some hundred. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/** Parses a short body; undefined if it is no JSON, or nested so deeply that nothing could write it again. */
function parseShort(body: Buffer): unknown {
  if (body.length > MAX_REFUSAL_BYTES) return undefined;
  try {
    const json = parseBody(body);
    return isDeeper(json, MAX_DEPTH) ? undefined : json;
  } catch {
    return undefined;
  }
}

const excerpt = (body: Buffer) => body.subarray(0, 200).toString("utf8").replaceAll(/\s+/g, " ");
