import { isSample } from "../api/sample-data.ts";
import { truncate } from "../base/words.ts";
import { FAVICON, STYLESHEET, scriptPath } from "./assets.ts";
import { addressOn } from "./facts.ts";
import { directionOf, time } from "./format.ts";
import { type Html, html, jsonBlock } from "./html.ts";
import type { PageBody, PageContext } from "./page.ts";
import { addressOf, type Choice, type PageQuery } from "./query.ts";

export interface FrameLink {
  path: string;
  text: string;
}

/** What stands around a page besides its body. */
export interface Around extends PageQuery {
  links: readonly FrameLink[];
  /** Names of modules that the page loads. */
  scripts: readonly string[];
  /** Notes above the content. */
  notes: readonly Html[];
  /** What the link to the CSV says. */
  csvOf: string | undefined;
  /** Choices that the page shows something by; others only travel with its links. */
  own: readonly Choice[];
  /** All that its address may have; the first is the language. */
  choices: readonly [Choice, ...Choice[]];
}

const MADE_UP = " (made-up data)";

/** A whole document. The frame is in English, from left to right; the middle has the direction of its language. */
export function frame(context: PageContext, body: PageBody & { description: string }, around: Around): Html {
  const { snapshot, path, lang, publicUrl } = context;
  const { title, description, main, linkedData } = body;
  const { version, started_at, attribution } = snapshot.head;
  const sample = isSample(snapshot.head);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${truncate(title)} · metasnap${sample && MADE_UP}</title>
<meta name="description" content="${truncate(description)}${sample && MADE_UP}">
<meta property="og:title" content="${truncate(title)}${sample && MADE_UP}">
<meta property="og:description" content="${truncate(description)}${sample && MADE_UP}">
<link rel="stylesheet" href="${STYLESHEET.path}">
<link rel="icon" href="${FAVICON.path}">
<link rel="alternate" type="application/atom+xml" title="What changed" href="/changes.atom">
${publicUrl !== undefined && html`<link rel="canonical" href="${publicUrl}${addressOf(path, around.own, context.values)}">`}
${linkedData && jsonBlock("application/ld+json", linkedData)}
${["page", ...around.scripts].map((name) => scriptTag(name))}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${sample && html`<aside class="made-up" aria-label="Where the numbers are from">Made-up data to try things on: no number is of the game.</aside>`}
<header>
<nav aria-label="Pages"><ul>${around.links.map(
    (link) =>
      html`<li><a href="${addressOn(context, link.path)}"${link.path === path && html` aria-current="page"`}>${link.text}</a></li>`,
  )}</ul></nav>
${languagePicker(context, around.choices)}
</header>
<main id="main" dir="${directionOf(lang)}">
${around.ignored.map((name) => html`<p class="note" dir="ltr">The value of <b>${name}</b> is invalid and ignored.</p>`)}${around.notes}
${main}
${around.csvOf !== undefined && html`<p dir="ltr"><a href="${addressOf(path, around.choices, { ...context.values, format: "csv" })}">${around.csvOf} as CSV</a></p>`}
</main>
<footer>
<p>${credit(attribution)}</p>
<p>Snapshot <a href="${addressOn(context, "/data")}">${version}</a>, crawled ${time(started_at)}. Served by metasnap; any site may <a href="${addressOn(context, "/docs")}">ask this mirror</a>.</p>
</footer>
</body>
</html>
`;
}

function scriptTag(name: string): Html | undefined {
  const path = scriptPath(name);
  return path === undefined ? undefined : html`<script type="module" src="${path}"></script>`;
}

function languagePicker({ path, values, lang }: PageContext, choices: Around["choices"]): Html {
  const [{ options }] = choices;
  const chosen = options.find(({ value }) => value === lang);
  return html`<details class="languages"><summary>Language of names and texts: <bdi lang="${lang}">${chosen?.label ?? lang}</bdi></summary>
<nav aria-label="Languages"><ul>${options.map(
    ({ value, label }) =>
      html`<li><a href="${addressOf(path, choices, { ...values, lang: value })}" hreflang="${value}"${value === lang && html` aria-current="true"`}><bdi lang="${value}">${label}</bdi></a></li>`,
  )}</ul></nav></details>`;
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
