import { choiceForm } from "../choices/choice-form.ts";
import type { Facts } from "../facts.ts";
import { bytes, jsonLinks, time } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry, PublishedFile, PublishedFiles } from "../page.ts";
import type { Choice } from "../query.ts";
import { csvOfMovers, movedMatchups, movers, moversOfRank } from "./movers.ts";
import { type NightDiff, parseDiff } from "./read.ts";
import { askedAnew, countsOf, heroes, MOST_ROWS, records } from "./rows.ts";
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
    "What changed from night to night: movers, texts by words, new and gone heroes and records, counts by endpoint",
  link: "changes",
  choices: choicesOf,
  tellsOthers: true,
  csv(context) {
    const { changes } = readNight(context).diff ?? {};
    return changes ? csvOfMovers(changes, context) : { columns: [], rows: [] };
  },
  render(context) {
    const { facts, others } = context;
    const { night, diff } = readNight(context);
    return {
      title: "What changed",
      main: html`<h1>What changed</h1>
${choiceForm(context, choicesOf(facts, others))}
${night === undefined ? unknown : diff === undefined ? unreadable(night) : shown(diff, night, context)}`,
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

const unknown = html`<p>This night was not compared: it is the first one here, or the night before was not here when it was published. Choose another night, if there is one.</p>`;

const changesPath = (version: string) => `/snapshots/${version}/changes.json`;

const unreadable = ({ version, changes }: PublishedFile): Html =>
  html`<p>This is too much for a page, or of another program. <a href="${changesPath(version)}">It is here as JSON</a>, ${bytes(changes?.size ?? 0)}.</p>`;

function shown(diff: NightDiff, { version, changes: file }: PublishedFile, context: PageContext): Html {
  const { before, after, changes } = diff;
  return html`<dl class="facts"><dt>From</dt><dd>${nightName(before)}</dd><dt>To</dt><dd>${nightName(after)}</dd></dl>
${
  changes === null
    ? html`<p>Both nights hold the same data.</p>${askedAnew(diff)}`
    : html`${apart(changes.days_apart)}
<p>A table has at most ${MOST_ROWS} rows; the JSON has all, ${bytes(file?.size ?? 0)}.</p>
${movers(changes, context)}
${movedMatchups(changes, context)}
${heroes(changes)}
${texts(changes, context)}
${records(changes)}
${askedAnew(diff)}
${countsOf(changes)}`
}
${jsonLinks([
  { path: changesPath(version), text: "All changes as JSON" },
  { path: `/snapshots/${version}.json`, text: "The manifest of the night" },
])}`;
}

const nightName = ({ version, started_at, game_version }: NightDiff["before"]): Html =>
  html`${version}, crawled ${time(started_at)}${game_version !== null && html`, game ${game_version}`}`;

const apart = (nights: number): Html =>
  html`<p>${nights === 1 ? "One night" : `${nights} nights`} apart, by the dates of the upstream.</p>`;
