import { runsApart } from "../../../api/apart.ts";
import { LANG_CODES } from "../../../api/enumerations.ts";
import { nameIn, table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { type ChangedText, type NightChanges, parseRuns } from "./read.ts";
import { MOST_ROWS, type NewsSection, newsTable, numberColumn } from "./sections.ts";

const CONTEXT = 30;

/** Characters of a text at most; a longer one is cut. */
const MOST_CHARS = 1000;

/** The texts of the language of the page by words, and how many changed in the others. */
export function texts(
  { texts: changed }: NightChanges,
  { lang, messages, figures }: PageContext,
): NewsSection | undefined {
  if (changed.length === 0) return undefined;
  const { changes: words } = messages.mirror;
  const inLanguage = changed.filter((text) => text.lang === lang);
  const byWords = newsTable({
    id: "texts",
    head: words.texts,
    caption: words.textsCaption({ language: lang }),
    columns: [{ head: words.of }, { head: words.text }, { head: words.change }],
    rows: inLanguage.map((text, index) => [
      nameIn("en", text.label),
      text.column.replace("_plain", ""),
      index < MOST_ROWS && changedWords(text),
    ]),
    note: html`<p>${words.textsNote}</p>`,
    words,
  });
  const rows = LANG_CODES.flatMap((code) => {
    const texts = changed.filter((text) => text.lang === code).length;
    return texts > 0 ? [[code, figures.count(texts)]] : [];
  });
  const body = html`${byWords?.body ?? html`<p>${words.noTexts}</p>`}
${table(words.textsByLanguage, [{ head: messages.frame.choices.language }, numberColumn(words.textsColumn)], rows)}`;
  return { id: "texts", head: words.texts, count: inLanguage.length, body };
}

/** The changed words, as `npm run diff` prints them. */
function changedWords({ words: given, lang }: ChangedText): Html {
  const runs = runsApart(parseRuns(given));
  let left = MOST_CHARS;
  const shown = runs.map(([what, text], index) => {
    const part = cut(what === "=" ? shorten(text, index === 0, index === runs.length - 1) : text, left);
    left -= part.length;
    if (part === "") return undefined;
    return what === "=" ? html`${part}` : what === "-" ? html`<del>${part}</del>` : html`<ins>${part}</ins>`;
  });
  return html`<span lang="${lang}" dir="auto">${shown}${left <= 0 && "…"}</span>`;
}

const cut = (text: string, most: number) => text.slice(0, Math.max(0, most));

function shorten(text: string, first: boolean, last: boolean): string {
  const letters = [...text];
  if (letters.length <= (first || last ? CONTEXT : 2 * CONTEXT)) return text;
  return `${first ? "" : letters.slice(0, CONTEXT).join("")}…${last ? "" : letters.slice(-CONTEXT).join("")}`;
}
