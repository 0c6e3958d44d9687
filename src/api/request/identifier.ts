/** A hero in a path: an id, or a name reduced to what is compared. */
export type Identifier = { id: number } | { key: string };

/**
 * Names are compared by their letters and digits, in lower case. The upstream keeps ASCII letters only, so that a name in
 * another script finds any hero; marks are kept here because Thai, Khmer and Arabic write vowels with them.
 */
export const nameKey = (name: string) =>
  name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, "");

/** White space, a sign and leading zeros are part of a number at the upstream. */
export function parseIdentifier(text: string): Identifier {
  const number = /^[\t-\r ]*([+-]?\d+)[\t-\r ]*$/.exec(text)?.[1];
  return number === undefined ? { key: nameKey(text) } : { id: Number(number) };
}
