/**
 * What a terminal, an editor or a page obeys instead of showing it: controls (C0, DEL, C1), marks of direction, all that
 * is made to be invisible (Unicode's default ignorables, tags among them), separators of lines, halves of pairs.
 */
const STEERING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

const PLAIN = /^[\x20-\x7e]*$/;

/** Words from outside as one line for people. */
export const harmless = (text: string): string =>
  PLAIN.test(text) ? text : text.replaceAll(/\s/g, " ").replaceAll(STEERING, "");

/** The same for a text of several lines. */
export const harmlessLines = (text: string): string => text.split(/\r?\n/).map(harmless).join("\n");

/**
 * JSON says the same with its characters escaped: whoever parses it gets the very words. White space between them, the
 * only place for bare controls, stays white space.
 */
export const harmlessJson = (json: string): string =>
  PLAIN.test(json) ? json : json.replaceAll(/[\t\r]/g, " ").replaceAll(STEERING, escapeUnits);

export const toJson = (value: unknown): string => harmlessJson(JSON.stringify(value));

function escapeUnits(character: string): string {
  if (character === "\n") return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
