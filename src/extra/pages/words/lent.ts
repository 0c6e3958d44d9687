import { BASE_LANG } from "../../../api/enumerations.ts";
import { directionOf } from "../format.ts";

/** No text from outside can guess it. Of noncharacters, which Unicode keeps for use inside a program: a browser shows nothing of them. */
const SECRET = [...crypto.getRandomValues(new Uint8Array(16))]
  .map((byte) => String.fromCharCode(0xfde0 + (byte % 16)))
  .join("");

const [BEGIN, END] = [`\ufdd0${SECRET}`, `\ufdd1${SECRET}`];

/** An English text that stands in for one of another language. */
export const lend = (text: string): string => `${BEGIN}${text}${END}`;

/** Matches places without room for an element: elements of text alone, pictures, scripts and tags. */
const TEXT_ALONE = "<(title|option|script|svg)\\b.*?</\\1>|<[^>]*>";
const PARTS = new RegExp(`${TEXT_ALONE}|${BEGIN}|${END}`, "gs");

const SPAN = `<span lang="${BASE_LANG}" dir="${directionOf(BASE_LANG)}">`;

/** A document whose lent texts say their language and direction; the direction alone where no element may stand. */
export function showLent(document: string): string {
  if (!document.includes(BEGIN)) return document;
  return document.replace(PARTS, (part) => {
    if (part === BEGIN) return SPAN;
    if (part === END) return "</span>";
    return part.replaceAll(BEGIN, "\u2066").replaceAll(END, "\u2069");
  });
}
