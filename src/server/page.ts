import { hash } from "node:crypto";
import { type Coded, type Coding, encode, negotiate } from "./compress.ts";
import { entityTag, heldTag } from "./conditional.ts";
import { type Asked, COMMON, type Origin, type Reply } from "./reply.ts";

/** A finished answer in the forms that were asked for so far. */
export interface Page {
  tag: string;
  /** Text as it was made, which goes out cheapest; bytes once it is kept, which lie outside the heap. */
  plain: string | Buffer;
  /** Bytes of the plain form. */
  length: number;
  coded: ReadonlyMap<Coded, Buffer>;
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
  return { tag, plain: text, length: Buffer.byteLength(text), coded: new Map() };
}

/** The page as it is kept. */
export const toKept = (page: Page): Page => ({ ...page, plain: toBytes(page.plain) });

export const codingFor = (page: Page, asked: Asked): Coding =>
  page.length < WORTH_CODING ? "identity" : negotiate(asked.header("accept-encoding"));

/** The page with one more form. */
export async function addForm(page: Page, coding: Coded): Promise<Page> {
  const bytes = await encode(toBytes(page.plain), coding);
  return { ...page, coded: new Map([...page.coded, [coding, bytes]]) };
}

export const withForm = async (page: Page, coding: Coding): Promise<Page> =>
  coding === "identity" ? page : addForm(page, coding);

const toBytes = (plain: string | Buffer) => (typeof plain === "string" ? Buffer.from(plain) : plain);

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
  if (coding === "identity") {
    headers["content-length"] = String(page.length);
    return { status: 200, headers, body: page.plain };
  }
  const body = page.coded.get(coding);
  if (!body) return undefined;
  headers["content-length"] = String(body.length);
  headers["content-encoding"] = coding;
  return { status: 200, headers, body };
}
