import { hash } from "node:crypto";
import { type Coding, encode, negotiate } from "./compress.ts";
import { entityTag, heldTag } from "./conditional.ts";
import { type Asked, COMMON, type Origin, type Reply } from "./reply.ts";

/** A finished answer: its bytes, plain and in the codings that were asked for so far. */
export interface Page {
  tag: string;
  forms: ReadonlyMap<Coding, Buffer>;
}

// Shorter ones fit into one packet as they are.
const WORTH_CODING = 1000;

/** Version and age of a snapshot, as headers. */
export const describeAge = (version: string, startedAt: number) => ({
  "x-snapshot-version": version,
  "x-snapshot-age": String(Math.max(0, Math.floor((Date.now() - startedAt) / 1000))),
});

/** The tag is strong: `content` must name the bytes. */
export function finish(content: string, text: string): Page {
  const tag = hash("sha256", content, "base64url").slice(0, 22);
  return { tag, forms: new Map([["identity", Buffer.from(text)]]) };
}

export const codingFor = (page: Page, asked: Asked): Coding =>
  lengthOf(page) < WORTH_CODING ? "identity" : negotiate(asked.header("accept-encoding"));

export const lengthOf = ({ forms }: Page) => forms.get("identity")?.length ?? 0;

/** The page with one more form. */
export async function addForm(page: Page, coding: Exclude<Coding, "identity">): Promise<Page> {
  const bytes = await encode(page.forms.get("identity") ?? Buffer.alloc(0), coding);
  return { ...page, forms: new Map([...page.forms, [coding, bytes]]) };
}

export const withForm = async (page: Page, coding: Coding): Promise<Page> =>
  coding === "identity" ? page : addForm(page, coding);

/** The response to a request for a page, or nothing when its form has still to be made. */
export function replyPage(
  page: Page,
  coding: Coding,
  { lastModified, cacheControl, about }: Origin,
  asked: Asked,
): Reply | undefined {
  const held = heldTag(asked, page.tag, lastModified, coding);
  const headers: Record<string, string> = {
    ...COMMON,
    ...about(),
    etag: held ?? entityTag(page.tag, coding),
    "last-modified": lastModified,
    "cache-control": cacheControl,
    vary: "Accept-Encoding",
  };
  if (held !== undefined) return { status: 304, headers, body: "" };
  const body = page.forms.get(coding);
  if (!body) return undefined;
  headers["content-length"] = String(body.length);
  if (coding !== "identity") headers["content-encoding"] = coding;
  return { status: 200, headers, body };
}
