// The upstream documents ids as numbers and has sent them as texts: 12, 12.0 and "12" are one id wherever one is read.

const WHOLE = /^-?(?:0|[1-9]\d*)$/;

/** Reads an integer, or the text of one; undefined if it is neither, or beyond 2^53. */
export function readId(value: unknown): number | undefined {
  const number = typeof value === "string" && WHOLE.test(value) ? Number(value) : value;
  // -0 is 0.
  return Number.isSafeInteger(number) ? (number as number) + 0 : undefined;
}

/** Reads an id that may be a number or a word, as text; undefined if it is neither, or empty. */
export function readWord(value: unknown): string | undefined {
  const word = typeof value === "string" ? value : readId(value)?.toString();
  return word === "" ? undefined : word;
}

/** A number to order by, or the text of a whole one. */
export function readNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : readId(value);
}
