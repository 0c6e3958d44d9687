import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { expectScheme } from "../error-scheme.ts";
import type { Answer } from "./answers.ts";
import type { Asked } from "./conversation.ts";

interface Expected extends Asked {
  /** The server may say that it is overloaded. */
  overload?: boolean | undefined;
}

const ON_ALL = [
  "x-request-id",
  "x-snapshot-version",
  "x-snapshot-at",
  "access-control-allow-origin",
  "access-control-expose-headers",
  "x-content-type-options",
  "cache-control",
];
const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };

interface Body {
  code?: unknown;
  data?: { records?: unknown[]; total?: number };
}

/** Everything about an answer that the contract does not allow. */
export function faultsOf(answer: Answer, asked: Expected): string[] {
  const { status, headers } = answer;
  const missing = ON_ALL.filter((name) => !headers[name]);
  const faults = missing.length > 0 ? [`a ${status} without ${missing.join(", ")}`] : [];
  if (asked.status && !asked.status.includes(status)) faults.push(`status ${status} instead of ${asked.status}`);
  if (status === 500) faults.push("status 500");
  if ((status === 502 || status === 504) && !isLogin(asked)) faults.push(`status ${status} without an upstream`);
  if (status === 405 && !headers.allow) faults.push("a 405 without allow");
  if (status === 429 && !headers["retry-after"]) faults.push("a 429 without retry-after");
  if (status === 416 && !headers["content-range"]) faults.push("a 416 without content-range");
  try {
    const more = asked.check?.(answer);
    if (more !== undefined) faults.push(more);
    if (hasNoBody(answer, asked)) return faults;
    const bytes = decode(answer, asked);
    if (status >= 400) faults.push(...faultsOfError(answer, asked, bytes.toString()));
    else if (headers["content-type"]?.startsWith("application/json")) faults.push(...faultsOfPage(bytes, asked));
  } catch (error) {
    faults.push(`a body that is none (${status}): ${(error as Error).message}`);
  }
  return faults;
}

const isLogin = ({ path }: Asked) => /\/auth\//.test(path);
const hasNoBody = ({ status }: Answer, { method }: Asked) => method === "HEAD" || status === 204 || status === 304;

function decode({ body, headers }: Answer, { accepts = "" }: Asked): Buffer {
  const coding = headers["content-encoding"];
  if (coding === undefined) return body;
  if (!accepts.includes(coding) && !accepts.includes("*")) throw new Error(`the coding ${coding}`);
  return DECODE[coding as keyof typeof DECODE](body);
}

function faultsOfError({ status, headers }: Answer, { overload }: Expected, text: string): string[] {
  const faults: string[] = [];
  const { code } = expectScheme(status, text, / at .+\.[jt]s:\d+|node_modules|node:internal/);
  const overloaded = status === 503 && code !== "SLICE_NOT_CAPTURED";
  if (overloaded && !overload) faults.push(`503 ${code}`);
  if (overloaded && !/^\d+$/.test(headers["retry-after"] ?? "")) faults.push(`503 ${code} without retry-after`);
  return faults;
}

/** Documents and what is computed have no envelope. */
const isWrapped = (path: string) => path.includes("/api/") && !/openapi\.json|win-rate-calculator/.test(path);

let seen: { bytes: Buffer; body: Body } | undefined;

/** The same page again and again is understood once. */
function parse(bytes: Buffer): Body {
  if (!seen?.bytes.equals(bytes)) seen = { bytes: Buffer.from(bytes), body: JSON.parse(bytes.toString()) as Body };
  return seen.body;
}

function faultsOfPage(bytes: Buffer, { path, size }: Asked): string[] {
  const { code, data } = parse(bytes);
  if (isWrapped(path) && code !== 0) return [`a page with the code ${code}`];
  if (size === undefined) return [];
  const wanted = Math.min(size, data?.total ?? 0);
  return data?.records?.length === wanted ? [] : [`another page: ${data?.records?.length} records, not ${wanted}`];
}
