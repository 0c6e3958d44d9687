import type { Lang } from "../../../api/enumerations.ts";
import { FAVICON, stylePath, TOUCH_ICON } from "../assets.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { addressOf, type Choice } from "../query.ts";
import { offerOf } from "../words/words.ts";

/** The background in both colour schemes, as in `styles/page.css`. */
const PAPER = { light: "#ffffff", dark: "#11151a" };

const STYLESHEET = stylePath();

/** The link to the stylesheet; none if no assets were built. */
export const STYLE_LINK = STYLESHEET !== undefined && html`<link rel="stylesheet" href="${STYLESHEET}">`;

/** The icons, and the colour that a phone gives to what is around the page. */
export const ICON_LINKS = html`<link rel="icon" href="${FAVICON.path}">
<link rel="apple-touch-icon" href="${TOUCH_ICON.path}">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${PAPER.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${PAPER.dark}">`;

interface AddressChoices {
  /** The choices that select what the page shows. */
  own: readonly Choice[];
  /** The first is the language. */
  choices: readonly [Choice, ...Choice[]];
  /** The words of the page are in English in every language. */
  isEnglish: boolean;
}

/** Links to the page itself and to its other languages; none without a public address, which no request may set. */
export function absoluteLinks(
  { publicUrl, path, values }: PageContext,
  { own, choices, isEnglish }: AddressChoices,
): Html | undefined {
  if (publicUrl === undefined) return undefined;
  const [lang] = choices;
  const addressIn = (code: string) => publicUrl + addressOf(path, own, { ...values, [lang.name]: code });
  const here = isEnglish ? addressIn(lang.fallback) : publicUrl + addressOf(path, own, values);
  const spoken = lang.options.filter(({ value }) => offerOf(value as Lang) !== undefined);
  const alternates = isEnglish
    ? []
    : [{ value: "x-default", code: lang.fallback }, ...spoken.map(({ value }) => ({ value, code: value }))];
  return html`<link rel="canonical" href="${here}">
<meta property="og:url" content="${here}">
${alternates.map(
  ({ value, code }) => html`<link rel="alternate" hreflang="${value}" href="${addressIn(code)}">
`,
)}`;
}
