/**
 * What a terminal, an editor or a page obeys instead of showing it: controls (C0, DEL, C1), marks of direction, all that
 * is made to be invisible (Unicode's default ignorables, tags among them), separators of lines, halves of pairs.
 */
const CONTROLS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Words from outside as one line for people. */
export const sanitizeLine = (text: string): string =>
  PRINTABLE_ASCII.test(text) ? text : text.replaceAll(/\s/g, " ").replaceAll(CONTROLS, "");

/** The same for a text of several lines. */
export const sanitizeLines = (text: string): string => text.split(/\r?\n/).map(sanitizeLine).join("\n");

/**
 * JSON says the same with its characters escaped: whoever parses it gets the very words. White space between them, the
 * only place for bare controls, stays white space.
 */
export const sanitizeJson = (json: string): string =>
  PRINTABLE_ASCII.test(json) ? json : json.replaceAll(/[\t\r]/g, " ").replaceAll(CONTROLS, escapeUnits);

export const toSanitizedJson = (value: unknown): string => sanitizeJson(JSON.stringify(value));

function escapeUnits(character: string): string {
  if (character === "\n") return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
