import { hash } from "node:crypto";
import { type Coded, type Coding, encode, negotiate } from "./compress.ts";
import { entityTag, heldTag } from "./conditional.ts";
import { type Asked, type Headers, headersOf, type Origin, type Reply } from "./reply.ts";

/** A finished answer in the forms that were asked for so far; its bytes lie outside the heap. */
export interface Page {
  tag: string;
  plain: Buffer;
  coded: ReadonlyMap<Coded, Buffer>;
}

// Shorter ones fit into one packet as they are.
const WORTH_CODING = 1000;

/** The tag is strong: `content` must name the bytes. */
export function finish(content: string, plain: Buffer): Page {
  return { tag: hash("sha256", content, "base64url").slice(0, 22), plain, coded: new Map() };
}

export const finishText = (text: string): Page => finish(text, Buffer.from(text));

export const codingFor = (page: Page, asked: Asked): Coding =>
  page.plain.length < WORTH_CODING ? "identity" : negotiate(asked.headers["accept-encoding"]);

/** The page with one more form. */
export async function addForm(page: Page, coding: Coded): Promise<Page> {
  return { ...page, coded: new Map([...page.coded, [coding, await encode(page.plain, coding)]]) };
}

/** The response to a request for a page; nothing when its form has still to be made. */
export function replyPage(page: Page, coding: Coding, origin: Origin, asked: Asked): Reply | undefined {
  const held = heldTag(asked, page.tag, origin.lastModified, coding);
  const body = coding === "identity" ? page.plain : page.coded.get(coding);
  const headers: Headers = {
    ...headersOf(origin, origin.cacheControl),
    etag: held ?? entityTag(page.tag, coding),
    "last-modified": origin.lastModified,
    vary: "Accept-Encoding",
  };
  if (held !== undefined) return { status: 304, headers, body: undefined };
  if (!body) return undefined;
  headers["content-length"] = String(body.length);
  if (coding !== "identity") headers["content-encoding"] = coding;
  return { status: 200, headers, body };
}
