/**
 * How ids are read, wherever one is: in the plan, in the archive's tables, in references and by the server. The upstream
 * documents numbers and has sent texts; 12, 12.0 and "12" are one id.
 */

const WHOLE = /^-?(?:0|[1-9]\d*)$/;

/** A whole number, or the text of one; nothing where it is neither, or too large to be exact. */
export function readId(value: unknown): number | undefined {
  const number = typeof value === "string" && WHOLE.test(value) ? Number(value) : value;
  // -0 is 0.
  return Number.isSafeInteger(number) ? (number as number) + 0 : undefined;
}

/** The text of an id that may be a number or a word; nothing where it is neither, or empty. */
export function readWord(value: unknown): string | undefined {
  const word = typeof value === "string" ? value : readId(value)?.toString();
  return word === "" ? undefined : word;
}

/** A number to order by, or the text of a whole one. */
export function readNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : readId(value);
}
