import { CODINGS, type Coding } from "./compress.ts";
import type { Asked } from "./reply.ts";

/** The entity tag of one form: the forms of one answer are told apart by their coding. */
export const entityTag = (tag: string, coding: Coding) => (coding === "identity" ? `"${tag}"` : `"${tag}-${coding}"`);

/**
 * The entity tag that a client holds already and may go on using (RFC 9110, 13.2.2), if it does. Any form of the answer
 * will do, weak or strong. A date counts only without tags, and only when it is the very one that we sent: after a
 * rollback an older answer is the newer one.
 */
export function heldTag(asked: Asked, tag: string, lastModified: string, coding: Coding): string | undefined {
  const tags = asked.header("if-none-match");
  if (tags === undefined) {
    const since = asked.header("if-modified-since");
    return since !== undefined && Date.parse(since) === Date.parse(lastModified) ? entityTag(tag, coding) : undefined;
  }
  const wanted = entityTag(tag, coding);
  if (tags.trim() === "*") return wanted;
  const held = new Set(tags.match(/"[^"]*"/g));
  return [wanted, ...[...CODINGS, "identity" as const].map((other) => entityTag(tag, other))].find((one) =>
    held.has(one),
  );
}

/** Whether a range may be taken of the file as it is now: If-Range wants a strong tag, or the very date. */
export function isSameFile(asked: Asked, tag: string, lastModified: string): boolean {
  const condition = asked.header("if-range")?.trim();
  if (condition === undefined) return true;
  return condition.startsWith('"') ? condition === tag : Date.parse(condition) === Date.parse(lastModified);
}
