import { ApiError } from "../../api/errors.ts";
import { ENCODINGS, type Encoding } from "./compress.ts";
import type { RequestHead } from "./http-response.ts";

/** The entity tag (RFC 9110, 8.8.3) of one encoding: each has one of its own. */
export const entityTag = (tag: string, encoding: Encoding) =>
  encoding === "identity" ? `"${tag}"` : `"${tag}-${encoding}"`;

const ALL_ENCODINGS: readonly Encoding[] = [...ENCODINGS, "identity"];

/**
 * The entity tag for a 304 (RFC 9110, 13.2.2); nothing when the client needs the body. The tag of any encoding matches, weak
 * or strong. A date counts only without tags, and must be exactly the one we sent: after a rollback the newer answer has the
 * older date. Throws an ApiError PRECONDITION_FAILED.
 */
export function matchedEtag(
  request: RequestHead,
  tag: string,
  lastModified: string,
  encoding: Encoding,
): string | undefined {
  checkPrecondition(request, tag, lastModified);
  const tags = request.headers["if-none-match"];
  if (tags === undefined) {
    const since = request.headers["if-modified-since"];
    return since !== undefined && Date.parse(since) === Date.parse(lastModified) ? entityTag(tag, encoding) : undefined;
  }
  const wanted = entityTag(tag, encoding);
  if (tags.trim() === "*") return wanted;
  const held = new Set(tags.match(/"[^"]*"/g));
  return [wanted, ...ALL_ENCODINGS.map((other) => entityTag(tag, other))].find((one) => held.has(one));
}

/** Whether a request may be answered with 412. */
export const hasPrecondition = (request: RequestHead): boolean =>
  request.headers["if-match"] !== undefined || request.headers["if-unmodified-since"] !== undefined;

/** If-Match wants one of the strong tags; without it If-Unmodified-Since wants a date that is not before ours. */
function checkPrecondition(request: RequestHead, tag: string, lastModified: string) {
  if (!hasPrecondition(request)) return;
  const match = request.headers["if-match"];
  const since = request.headers["if-unmodified-since"];
  const wanted = match?.split(",").map((one) => one.trim());
  const holds = wanted
    ? wanted.includes("*") || ALL_ENCODINGS.some((encoding) => wanted.includes(entityTag(tag, encoding)))
    : !(Date.parse(since ?? "") < Date.parse(lastModified));
  if (holds) return;
  throw new ApiError("PRECONDITION_FAILED", {
    message: "There is another state than the request wants.",
    hint: "Ask without the condition to see it.",
    detail: (match ?? since ?? "").slice(0, 200) || "an empty condition",
  });
}

/** Whether If-Range allows a part of the file as it is now: it names a strong tag, or exactly the date. */
export function matchesIfRange(request: RequestHead, tag: string, lastModified: string): boolean {
  const condition = request.headers["if-range"]?.trim();
  if (condition === undefined) return true;
  return condition.startsWith('"') ? condition === tag : Date.parse(condition) === Date.parse(lastModified);
}
