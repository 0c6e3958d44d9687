/** Text that is HTML already; everything else is escaped where it is put into a template. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes; nothing stands for what is null, undefined or false. */
export type Piece = string | number | Html | null | undefined | false | readonly Piece[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// No document may have them, and browsers would each make something else of them.
const FORBIDDEN = /(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu;

/** Escapes text and attributes in quotes. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, "")
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** A template: `html\`<td>${name}</td>\``. Attributes must be in quotes. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = parts[0] ?? "";
  for (const [index, piece] of pieces.entries()) text += toText(piece) + (parts[index + 1] ?? "");
  return new Html(text);
}

function toText(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (piece === null || piece === undefined || piece === false) return "";
  if (typeof piece === "string") return escapeHtml(piece);
  if (typeof piece === "number") return String(piece);
  return piece.map(toText).join("");
}
