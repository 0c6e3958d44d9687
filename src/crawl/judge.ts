import * as z from "zod";
import type { Endpoint, Slice } from "../api/endpoint.ts";
import { ENDPOINTS } from "../api/endpoints.ts";
import { type Page, WRAPPINGS } from "../api/envelope.ts";
import { LANES } from "../api/positions.ts";
import { RANKS } from "../api/ranks.ts";
import { shapeOf } from "../api/shapes.ts";
import type { Reason } from "../journal/reasons.ts";
import type { Reply } from "./upstream.ts";

export interface Objection {
  taken: false;
  reason: Reason;
  detail: string;
  refused: boolean;
}

export type Verdict = ({ taken: true } & Page) | Objection;

// A byte order mark stays where it is: such a body is not JSON here, nor for whoever reads it from the journal.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const shapes = new Map(ENDPOINTS.map((endpoint) => [endpoint.dataset, z.compile(shapeOf(endpoint))]));
const refuse = (reason: Reason, detail: string): Objection => ({ taken: false, reason, detail, refused: true });
const doubt = (reason: Reason, detail: string): Objection => ({ taken: false, reason, detail, refused: false });

/**
 * Believes nothing: one page counts only when status, type, JSON, code, envelope, every record and its subject are what
 * was asked for. A refused answer will hardly get better by asking again; a doubtful one may.
 */
export function judge(endpoint: Endpoint, slice: Slice, reply: Reply): Verdict {
  return judgeStatus(reply) ?? judgeBody(endpoint, slice, reply);
}

function judgeStatus({ status, headers, body }: Reply): Verdict | undefined {
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

function judgeBody(endpoint: Endpoint, slice: Slice, { body }: Reply): Verdict {
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(body));
  } catch (error) {
    return doubt("not-json", `${(error as Error).message}: ${excerpt(body)}`);
  }
  if (isDeeper(json, MAX_DEPTH)) return doubt("wrong-shape", `nested deeper than ${MAX_DEPTH} levels`);
  const code = (json as { code?: unknown } | null)?.code;
  if (typeof code === "number" && code !== 0) return doubt("error-code", `code ${code}: ${excerpt(body)}`);
  const parsed = WRAPPINGS[endpoint.wrapping ?? "pages"].safeParse(json);
  if (!parsed.success) return doubt("wrong-envelope", describe(parsed.error));
  const { records, total } = parsed.data;
  const record = shapes.get(endpoint.dataset) ?? shapeOf(endpoint);
  for (const [position, sent] of records.entries()) {
    const shape = record.safeParse(sent);
    if (!shape.success) return doubt("wrong-shape", `record ${position}: ${describe(shape.error)}`);
    const mismatch = compareSubject(endpoint, slice, sent);
    if (mismatch) return doubt("wrong-subject", `record ${position}: ${mismatch}`);
  }
  return { taken: true, records, total };
}

/** SQLite reads JSON to a depth of 1000; records of the service have ten levels. */
const MAX_DEPTH = 100;
/** A list that goes on and on is no list of the service. */
const MAX_PAGES = 1000;

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== "object") return false;
  if (levels === 0) return true;
  for (const child of Object.values(value)) if (isDeeper(child, levels - 1)) return true;
  return false;
}

function compareSubject(endpoint: Endpoint, slice: Slice, record: unknown): string | undefined {
  const identity = endpoint.identity?.(record);
  if (!identity) return undefined;
  const bigrank = RANKS.find((rank) => rank.code === slice.rank)?.bigrank;
  const lane = LANES.find(({ code }) => code === slice.lane);
  const { hero, subject } = slice;
  const expected = { hero, subject, road: lane && Number(lane.id), bigrank, match_type: endpoint.matchType };
  for (const name of ["hero", "subject", "road", "bigrank", "match_type"] as const) {
    if (identity[name] === undefined || expected[name] === undefined) continue;
    if (identity[name] !== expected[name]) return `${name} is ${identity[name]}, asked was ${expected[name]}`;
  }
  return undefined;
}

/** A page that was taken once, read again. */
export function parsePage({ wrapping = "pages" }: Endpoint, body: Buffer): Page {
  return WRAPPINGS[wrapping].parse(JSON.parse(body.toString("utf8")));
}

/** What is wrong with the pages of a slice taken together, the last one possibly not yet the last. */
export function judgePages(endpoint: Endpoint, pages: readonly Page[]): Objection | undefined {
  const records = pages.flatMap((page) => page.records);
  const last = pages.at(-1);
  const seen = new Set<number>();
  for (const record of records) {
    const key = endpoint.key(record);
    if (seen.has(key)) return doubt("repeated-record", `record ${key} came twice`);
    seen.add(key);
  }
  if (pages.some((page) => page.total !== last?.total)) return doubt("wrong-total", "total changed between two pages");
  if (pages.length > MAX_PAGES) return doubt("wrong-total", `more than ${MAX_PAGES} pages`);
  const total = last?.total ?? 0;
  const cutOff = records.length < total && last?.records.length === 0;
  if (records.length > total || cutOff) return doubt("wrong-total", `${records.length} records, total says ${total}`);
  return undefined;
}

const describe = (error: z.ZodError) => z.prettifyError(error).replaceAll(/\s+/g, " ");
const excerpt = (body: Buffer) => body.subarray(0, 200).toString("utf8").replaceAll(/\s+/g, " ");
