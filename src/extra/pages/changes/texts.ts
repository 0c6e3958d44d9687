import { shownRuns } from "../../../api/apart.ts";
import { LANG_CODES } from "../../../api/enumerations.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, type PageColumn, showTable } from "../report.ts";
import { type ChangedText, type NightChanges, parseRuns } from "./read.ts";
import { type NewsSection, newsTable } from "./sections.ts";

/** Characters of a text at most; a longer one is cut. */
const MOST_CHARS = 1000;

/** The texts of the language of the page by words, and how many changed in the others. */
export function texts({ texts: changed }: NightChanges, context: PageContext): NewsSection | undefined {
  if (changed.length === 0) return undefined;
  const { lang, messages } = context;
  const { changes: words } = messages.mirror;
  const named = { id: "texts", head: words.texts };
  const inLanguage = changed.filter((text) => text.lang === lang);
  const columns: PageColumn<ChangedText>[] = [
    column.word("label", words.of),
    column.text(({ column }) => column.replace("_plain", ""), words.text),
    column.text(changedWords, words.change),
  ];
  const caption = words.textsCaption({ language: lang });
  const byWords = newsTable(context, { ...named, caption, columns, rows: inLanguage, note: words.textsNote });
  const counts = LANG_CODES.map((code) => ({ code, texts: changed.filter((text) => text.lang === code).length }));
  const byLanguage = {
    caption: words.textsByLanguage,
    columns: [column.text("code", messages.frame.choices.language), column.count("texts", words.textsColumn)],
    rows: counts.filter(({ texts }) => texts > 0),
  };
  const body = html`${byWords?.body ?? html`<p>${words.noTexts}</p>`}
${showTable(context, byLanguage)}`;
  return { ...named, count: inLanguage.length, body };
}

/** The changed words, as `npm run diff` prints them. */
function changedWords({ words: given, lang }: ChangedText): Html {
  let left = MOST_CHARS;
  const shown = shownRuns(parseRuns(given)).map(([what, text]) => {
    const part = cut(text, left);
    left -= part.length;
    if (part === "") return undefined;
    return what === "=" ? html`${part}` : what === "-" ? html`<del>${part}</del>` : html`<ins>${part}</ins>`;
  });
  return html`<span lang="${lang}" dir="auto">${shown}${left <= 0 && "…"}</span>`;
}

const cut = (text: string, most: number) => text.slice(0, Math.max(0, most));
