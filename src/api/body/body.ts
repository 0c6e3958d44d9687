import { isUtf8 } from "node:buffer";

// It drops a byte order mark, which RFC 8259 lets a parser ignore; SQLite does not.
const strict = new TextDecoder("utf-8", { fatal: true });

/** Parses bytes. Throws if they are no JSON, or no UTF-8. */
export const parseBody = (bytes: Uint8Array): unknown => JSON.parse(strict.decode(bytes));

/** A parsed body, and the text that SQLite reads the same from. */
export interface Body {
  json: unknown;
  /** Its text in UTF-8, without a byte order mark and with each key of an object once. */
  text: Buffer;
}

/**
 * Parses a body. If a key comes twice, JavaScript, Python and most others take the last, SQLite the first: so only the last stays in the
 * text. Throws if it is no JSON, or no UTF-8.
 */
export function readBody(bytes: Buffer): Body {
  if (!isUtf8(bytes)) throw new TypeError("is not UTF-8");
  const text = bytes.subarray(hasMark(bytes) ? 3 : 0);
  const json: unknown = JSON.parse(text.toString("utf8"));
  // More colons behind a quote than keys: a key came twice, or a text begins with a colon. Counting is cheap, rewriting is not.
  if (countColons(text) === countKeys(json)) return { json, text };
  return { json, text: Buffer.from(keepLastKeys(text.toString("utf8"))) };
}

declare global {
  // The library of TypeScript does not have it yet (https://tc39.es/proposal-json-parse-with-source/).
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): unknown;
  }
}

/** Each number and text keeps the characters that it was sent with. */
const keepLastKeys = (text: string): string =>
  JSON.stringify(JSON.parse(text, (_, value, { source }) => (source === undefined ? value : JSON.rawJSON(source))));

const hasMark = (bytes: Buffer) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

const [QUOTE, COLON, BACKSLASH, SPACE] = [0x22, 0x3a, 0x5c, 0x20];

/** Colons that stand behind a quote which is not escaped: at least as many as there are keys. */
function countColons(text: Buffer): number {
  let count = 0;
  for (let index = 1; index < text.length; index += 1) {
    if (text[index] !== COLON) continue;
    let before = index - 1;
    while ((text[before] ?? Number.NaN) <= SPACE) before -= 1;
    if (text[before] !== QUOTE) continue;
    let escapes = 0;
    while (text[before - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) count += 1;
  }
  return count;
}

function countKeys(value: unknown): number {
  if (value === null || typeof value !== "object") return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) if (element !== null && typeof element === "object") count += countKeys(element);
    return count;
  }
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key];
    count += 1;
    if (child !== null && typeof child === "object") count += countKeys(child);
  }
  return count;
}
