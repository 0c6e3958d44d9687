/** The longest name of a hero, a role, a lane, an item or a skill. Real ones have some thirty characters. */
export const MAX_NAME_CHARS = 200;

/** The longest heading, question or address of a picture: a text of one line. */
export const MAX_LINE_CHARS = 2000;

/** Any other text of a record. The longest real ones are stories of some thousand characters. */
export const MAX_TEXT_CHARS = 64 * 1024;

/** The bytes of so many characters in UTF-8, at most. */
export const mostBytes = (chars: number) => 3 * chars;

/** A text as far as a bound lets it. */
export const cutTo = (chars: number, text: string) =>
  text.length > chars ? text.slice(0, chars).toWellFormed() : text;
