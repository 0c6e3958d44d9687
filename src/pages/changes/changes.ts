import { choiceForm } from "../choices/choice-form.ts";
import { daysChoice, type Facts } from "../facts.ts";
import { bytes, count, jsonLinks, time } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry, PublishedFile, PublishedFiles } from "../page.ts";
import { addressOf, type Choice } from "../query.ts";
import { linkHeroes, newHeroes } from "./heroes.ts";
import { csvOfMovers, EVERY_RANK, movers, moversOfRank } from "./movers.ts";
import { movedPairs } from "./pairs.ts";
import { type NightChanges, type NightDiff, parseDiff } from "./read.ts";
import { askedAnew, countsOf, records } from "./rows.ts";
import { MOST_ROWS, type NewsSection } from "./sections.ts";
import { texts } from "./texts.ts";

const LATEST = "latest";

const nightsOf = (others: PublishedFiles) => others.list().filter(({ changes }) => changes !== undefined);

/** The published nights of which is known what changed. */
const nightChoice = (others: PublishedFiles): Choice => ({
  name: "night",
  label: "Night",
  options: [
    { value: LATEST, label: "The served night" },
    ...nightsOf(others).map(({ version, started_at, withdrawn }) => ({
      value: version,
      label: `${started_at.slice(0, 16).replace("T", " ")}${withdrawn ? " (withdrawn)" : ""}`,
    })),
  ],
  fallback: LATEST,
});

const choicesOf = (facts: Facts, others: PublishedFiles) => [nightChoice(others), moversOfRank(facts)];

export const CHANGES: PageEntry = {
  route: "/changes",
  summary:
    "What changed from night to night: new and gone heroes and records, texts by words, movers, counts by endpoint",
  link: "changes",
  choices: choicesOf,
  tellsOthers: true,
  csvLink: () => "The movers as CSV",
  csv(context) {
    return csvOfMovers(readNight(context).diff?.changes, context);
  },
  render(context) {
    const { facts, others } = context;
    const { night, diff } = readNight(context);
    return {
      title: "What changed",
      hasNoRows: csvOfMovers(diff?.changes, context).rows.length === 0,
      main: html`<h1>What changed</h1>
${choiceForm(context, choicesOf(facts, others))}
${night === undefined ? notCompared(others) : diff === undefined ? unreadable(night) : shown(diff, night, context)}`,
    };
  },
};

interface FoundNight {
  night?: PublishedFile | undefined;
  /** Undefined if the file is too large for a page, or not of this program. */
  diff?: NightDiff | undefined;
}

function readNight({ others, snapshot, values }: PageContext): FoundNight {
  const wanted = values.night === LATEST ? snapshot.head.version : values.night;
  const night = nightsOf(others).find(({ version }) => version === wanted);
  const json = night && others.readChanges(night.version);
  return { night, diff: json === undefined ? undefined : parseDiff(json) };
}

const notCompared = (others: PublishedFiles): Html =>
  others.list().length < 2
    ? html`<p>There is nothing to compare yet. This page fills with the second night that is published here.</p>`
    : html`<p>This night was not compared: it is the first one here, or the night before was not here when it was published.${
        nightsOf(others).length > 0 && " Choose another night above."
      }</p>`;

const changesPath = (version: string) => `/snapshots/${version}/changes.json`;

const unreadable = ({ version, changes }: PublishedFile): Html =>
  html`<p>This is too much for a page, or of another program. <a href="${changesPath(version)}">It is here as JSON</a>, ${bytes(changes?.size ?? 0)}.</p>`;

function shown(diff: NightDiff, { version, changes: file }: PublishedFile, context: PageContext): Html {
  const { before, after, changes } = diff;
  const links = jsonLinks([
    { path: changesPath(version), text: "All changes as JSON" },
    { path: `/snapshots/${version}.json`, text: "The manifest of the night" },
  ]);
  if (changes === null)
    return html`<p>Both nights hold the same data.</p>${askedAnew(diff)}${nights(before, after)}${links}`;
  const sections = newsOf(changes, context);
  return html`<p>From ${time(before.started_at)} to ${time(after.started_at)}. ${
    changes.days_apart === 1
      ? "By the dates of the upstream this is one night."
      : `By the dates of the upstream these are ${changes.days_apart} nights.`
  }</p>
${before.game_version !== after.game_version && html`<p>The game went from version ${before.game_version ?? "unknown"} to ${after.game_version ?? "unknown"}.</p>`}
<nav aria-label="On this page"><ul class="links">${sections.map(
    ({ id, head, count: changed }) => html`<li><a href="#${id}">${head}</a> <small>${count(changed)}</small></li>`,
  )}</ul></nav>
${sections.map(({ id, head, body }) => html`<section><h2 id="${id}">${head}</h2>${body}</section>`)}
${askedAnew(diff)}
${countsOf(changes)}
${nights(before, after)}
<p>A table has at most ${MOST_ROWS} rows. The JSON has all, ${bytes(file?.size ?? 0)}.</p>
${links}`;
}

/** What changes rarely comes first; numbers change every night. */
function newsOf(changes: NightChanges, context: PageContext): NewsSection[] {
  const [link, linkOther] = [linkHeroes(context), linkHeroes(context, false)];
  const found = [
    newHeroes(changes, link),
    texts(changes, context),
    ...records(changes),
    movers(changes, link, everyRank(context), context),
    movedPairs(changes, link, linkOther, context),
  ];
  return found.filter((section) => section !== undefined);
}

/** The same night for every rank. */
const everyRank = ({ facts, others, path, values }: PageContext): string =>
  addressOf(path, [facts.langChoice, ...choicesOf(facts, others), daysChoice(facts)], { ...values, rank: EVERY_RANK });

const nights = (before: NightDiff["before"], after: NightDiff["before"]): Html =>
  html`<dl class="facts"><dt>From</dt><dd>${nightName(before)}</dd><dt>To</dt><dd>${nightName(after)}</dd></dl>`;

const nightName = ({ version, started_at, game_version }: NightDiff["before"]): Html =>
  html`${version}, crawled ${time(started_at)}${game_version !== null && html`, game ${game_version}`}`;
