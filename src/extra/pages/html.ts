import { toSanitizedJson } from "../../api/sanitize.ts";
import { escapeMarkup } from "../../base/markup.ts";

/** Text that is HTML already; everything else is escaped where it is put into a template. */
export class Html {
  declare readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value that a template takes; null, undefined and false leave no trace. */
export type Piece = string | number | Html | null | undefined | false | readonly Piece[];

/** A template: `html\`<td>${name}</td>\``. Attributes must be in quotes. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = parts[0] ?? "";
  for (const [index, piece] of pieces.entries())
    text += (piece instanceof Html ? piece.text : piece || piece === 0 ? toText(piece) : "") + (parts[index + 1] ?? "");
  return new Html(text);
}

function toText(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (piece === null || piece === undefined || piece === false) return "";
  if (typeof piece === "string") return escapeMarkup(piece);
  if (typeof piece === "number") return String(piece);
  let text = "";
  // Most of what is in a list is HTML: a page has thousands of cells.
  for (const one of piece) text += one instanceof Html ? one.text : toText(one);
  return text;
}

/** Parts of a line with the same between them. */
export const joinPieces = (parts: readonly Piece[], between: Piece): Html =>
  html`${parts.map((part, index) => [index > 0 && between, part])}`;

/** Writes JSON as a block of data in a document: no word in it can end the block or begin a tag. */
export const jsonBlock = (type: string, value: object): Html =>
  new Html(
    `<script type="${escapeMarkup(type)}">${toSanitizedJson(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`)}</script>`,
  );
