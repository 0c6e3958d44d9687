/** What lists and addresses are made of: the name of a hero, a role, a lane, an item, a skill. Real ones have some thirty characters. */
export const MAX_NAME_CHARS = 200;

/** What is one line: a heading, a question, the address of a picture. */
export const MAX_LINE_CHARS = 2000;

/** Any other text of a record. The longest real ones are stories of some thousand characters. */
export const MAX_TEXT_CHARS = 64 * 1024;

/** The bytes of so many characters in UTF-8, at most. */
export const mostBytes = (chars: number) => 3 * chars;

/** A text as far as a bound lets it. */
export const cutTo = (chars: number, text: string) =>
  text.length > chars ? text.slice(0, chars).toWellFormed() : text;
