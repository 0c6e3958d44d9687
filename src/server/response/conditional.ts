import { ApiError } from "../../api/errors.ts";
import { CODINGS, type Coding } from "./compress.ts";
import type { Asked } from "./reply.ts";

/** The entity tag of one form: the forms of one answer are told apart by their coding. */
export const entityTag = (tag: string, coding: Coding) => (coding === "identity" ? `"${tag}"` : `"${tag}-${coding}"`);

const FORMS: readonly Coding[] = [...CODINGS, "identity"];

/**
 * The entity tag that a client holds already and may go on using (RFC 9110, 13.2.2), if it does. Any form of the answer
 * will do, weak or strong. A date counts only without tags, and only when it is the very one that we sent: after a
 * rollback an older answer is the newer one. Throws when the client wants another state than there is.
 */
export function heldTag(asked: Asked, tag: string, lastModified: string, coding: Coding): string | undefined {
  refuseOther(asked, tag, lastModified);
  const tags = asked.headers["if-none-match"];
  if (tags === undefined) {
    const since = asked.headers["if-modified-since"];
    return since !== undefined && Date.parse(since) === Date.parse(lastModified) ? entityTag(tag, coding) : undefined;
  }
  const wanted = entityTag(tag, coding);
  if (tags.trim() === "*") return wanted;
  const held = new Set(tags.match(/"[^"]*"/g));
  return [wanted, ...FORMS.map((other) => entityTag(tag, other))].find((one) => held.has(one));
}

/** Whether a request wants one state and no other; if it is not there, that is an error. */
export const isDemanding = (asked: Asked): boolean =>
  asked.headers["if-match"] !== undefined || asked.headers["if-unmodified-since"] !== undefined;

/** If-Match wants one of the strong tags; without it If-Unmodified-Since wants a date that is not before ours. */
function refuseOther(asked: Asked, tag: string, lastModified: string) {
  if (!isDemanding(asked)) return;
  const match = asked.headers["if-match"];
  const since = asked.headers["if-unmodified-since"];
  const wanted = match?.split(",").map((one) => one.trim());
  const holds = wanted
    ? wanted.includes("*") || FORMS.some((form) => wanted.includes(entityTag(tag, form)))
    : !(Date.parse(since ?? "") < Date.parse(lastModified));
  if (holds) return;
  throw new ApiError("PRECONDITION_FAILED", {
    message: "There is another state than the request wants.",
    hint: "Ask without the condition to see it.",
    detail: (match ?? since ?? "").slice(0, 200) || "an empty condition",
  });
}

/** Whether a range may be taken of the file as it is now: If-Range wants a strong tag, or the very date. */
export function isSameFile(asked: Asked, tag: string, lastModified: string): boolean {
  const condition = asked.headers["if-range"]?.trim();
  if (condition === undefined) return true;
  return condition.startsWith('"') ? condition === tag : Date.parse(condition) === Date.parse(lastModified);
}
