/**
 * Characters that steer a terminal or an editor instead of being shown: controls (C0, DEL, C1), bidi marks, Unicode's default
 * ignorables (invisible ones, tags among them), line separators, lone surrogates.
 */
const CONTROLS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** A text from outside as one line that is safe to print. */
export const sanitizeLine = (text: string): string =>
  PRINTABLE_ASCII.test(text) ? text : text.replaceAll(/\s/g, " ").replaceAll(CONTROLS, "");

/** Sanitizes a text of several lines. */
export const sanitizeLines = (text: string): string => text.split(/\r?\n/).map(sanitizeLine).join("\n");

/** A text in which the user name and password of a URL are not shown. */
export const mask = (text: string) => text.replace(/\/\/[^\s/?#]*@/g, "//***@");

/** JSON with those characters escaped: it parses to the same value. Bare tabs and CRs (between tokens) become spaces. */
export const sanitizeJson = (json: string): string =>
  PRINTABLE_ASCII.test(json) ? json : json.replaceAll(/[\t\r]/g, " ").replaceAll(CONTROLS, escapeUnits);

export const toSanitizedJson = (value: unknown): string => sanitizeJson(JSON.stringify(value));

function escapeUnits(character: string): string {
  if (character === "\n") return character;
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** A line of a log, which begins with its time. */
export const toLogLine = (facts: object): string =>
  `${toSanitizedJson({ time: new Date().toISOString(), ...facts })}\n`;
