import type { Lang } from "../../api/enumerations.ts";
import { isSample } from "../../api/sample-data.ts";
import { truncate } from "../../base/words.ts";
import { scriptPath } from "./assets.ts";
import { addressOn } from "./facts.ts";
import { directionOf } from "./format.ts";
import { searchForm } from "./heroes/search-form.ts";
import { type Html, html, jsonBlock } from "./html.ts";
import { describeIgnored } from "./ignored.ts";
import type { PageBody, PageContext } from "./page.ts";
import { addressOf, type Choice, type PageQuery } from "./query.ts";
import { absoluteLinks, ICON_LINKS, STYLE_LINK } from "./site/head-links.ts";
import { showLent } from "./words/lent.ts";
import { offerOf } from "./words/words.ts";

export interface FrameLink {
  path: string;
  text: string;
}

/** The parts of a page around its body. */
export interface Around extends PageQuery {
  links: readonly FrameLink[];
  /** Names of modules that the page loads. */
  scripts: readonly string[];
  /** Notes above the content. */
  notes: readonly Html[];
  /** Its words are in English in every language. */
  isEnglish: boolean;
  /** The text of the link to the CSV. */
  csvLink: string | undefined;
  /** Choices that the page shows something by; others only travel with its links. */
  own: readonly Choice[];
  /** All that its address may have; the first is the language. */
  choices: readonly [Choice, ...Choice[]];
}

/** A whole document, in the language and direction of its words. */
export const frame = (...given: Parameters<typeof layOut>): string => showLent(layOut(...given).text);

function layOut(context: PageContext, body: PageBody & { description: string }, around: Around): Html {
  const { snapshot, path, figures } = context;
  const { frame: words, language } = context.messages;
  const { title, description, main, hasNoRows = false, isEndless = false, linkedData } = body;
  const { version, started_at, attribution } = snapshot.head;
  const sample = isSample(snapshot.head);
  const madeUp = sample && ` (${words.madeUp.inTitle})`;
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isEndless && html`<meta name="robots" content="noindex, nofollow">`}
<title>${truncate(title)} · metasnap${madeUp}</title>
<meta name="description" content="${truncate(description)}${madeUp}">
<meta property="og:title" content="${truncate(title)}${madeUp}">
<meta property="og:description" content="${truncate(description)}${madeUp}">
${STYLE_LINK}
${ICON_LINKS}
<link rel="alternate" type="application/atom+xml" title="${context.messages.mirror.changes.heading}" href="/changes.atom">
${absoluteLinks(context, around)}
${linkedData && jsonBlock("application/ld+json", linkedData)}
${["page", ...around.scripts].map((name) => scriptTag(name))}
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
${sample && html`<aside class="made-up" aria-label="${words.madeUp.label}">${words.madeUp.text}</aside>`}
<header>
<nav aria-label="${words.pages}"><ul>${around.links.map(
    (link) =>
      html`<li><a href="${addressOn(context, link.path)}"${link.path === path && html` aria-current="page"`}>${link.text}</a></li>`,
  )}</ul></nav>
${searchForm(context)}
${languagePicker(context, around)}
</header>
<main id="main">
${describeIgnored(around.ignored, words).map((told) => html`<p class="note">${told}</p>`)}${around.notes}
${main}
${around.csvLink !== undefined && !hasNoRows && html`<p><a href="${addressOf(path, around.choices, { ...context.values, format: "csv" })}">${around.csvLink}</a></p>`}
</main>
<footer>
<p lang="en" dir="ltr">${credit(attribution)}</p>
<p>${words.snapshot({ version: html`<a href="${addressOn(context, "/data")}"><bdi>${version}</bdi></a>`, crawled: figures.time(started_at) })} ${words.servedBy} <a href="${addressOn(context, "/docs")}">${words.askThisMirror}</a></p>
</footer>
</body>
</html>
`;
}

function scriptTag(name: string): Html | undefined {
  const path = scriptPath(name);
  return path === undefined ? undefined : html`<script type="module" src="${path}"></script>`;
}

/** Links to the page in each language, under the own name of the language. `data-offer` is what the script says if the browser prefers it. */
function languagePicker(
  { path, values, lang, messages: { frame: words, language } }: PageContext,
  { choices, isEnglish }: Around,
): Html {
  const [{ options }] = choices;
  const chosen = options.find(({ value }) => value === lang);
  return html`<details class="languages"><summary>${words.languageOfNames({ language: html`<bdi lang="${lang}">${chosen?.label ?? lang}</bdi>` })}</summary>
${language !== lang && html`<p>${words.onlyEnglish}</p>`}
<nav aria-label="${words.languages}"><ul>${options.map(({ value, label }) => {
    const address = addressOf(path, choices, { ...values, lang: value });
    const offer = isEnglish ? undefined : offerOf(value as Lang);
    return html`<li><a href="${address}" hreflang="${value}"${value === lang && html` aria-current="true"`}${offer !== undefined && html` data-offer="${offer}"`}><bdi lang="${value}">${label}</bdi></a></li>`;
  })}</ul></nav></details>`;
}

const ADDRESS = /https:\/\/[\w.-]+(?:\/[\w./-]*)?/;

/** The words of the snapshot, with the first address as a link. */
function credit(attribution: string): Html {
  const link = ADDRESS.exec(attribution);
  if (!link) return html`${attribution}`;
  const [address] = link;
  const [before, after] = [attribution.slice(0, link.index), attribution.slice(link.index + address.length)];
  return html`${before}<a href="${address}">${address}</a>${after}`;
}
