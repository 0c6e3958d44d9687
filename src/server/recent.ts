import type { Page } from "./page.ts";

/** Pages have at least about so many bytes: enough places that two of them seldom share one. */
const SMALLEST = 1024;

/**
 * Whether a page was made so short a while ago that a cache of so many bytes would still hold it, had it been kept then.
 * Each page has one place, which it shares with others; the last one there is known. Takes no memory while it works.
 */
export function createRecent(maxBytes: number) {
  const places = Math.ceil(maxBytes / SMALLEST);
  const pages = new Uint32Array(places);
  const madeAt = new Float64Array(places);
  let made = 0;
  return ({ tag, length }: Page): boolean => {
    const page = Buffer.from(tag.slice(0, 6), "base64url").readUInt32LE();
    const place = page % places;
    const isRecent = pages[place] === page && made - (madeAt[place] ?? 0) < maxBytes;
    made += length;
    pages[place] = page;
    madeAt[place] = made;
    return isRecent;
  };
}
