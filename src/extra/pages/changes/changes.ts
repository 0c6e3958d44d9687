import type { PublishedFile, PublishedFiles } from "../../../snapshot/read/shown.ts";
import { choiceForm } from "../choices/choice-form.ts";
import { daysChoice, type Facts } from "../facts.ts";
import { factList, jsonLinks } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { addressOf, type Choice } from "../query.ts";
import type { Messages } from "../words/messages.ts";
import { newHeroes } from "./heroes.ts";
import { EVERY_RANK, movedPairs, movers, moversOfRank, moversReport } from "./movers.ts";
import { type NightChanges, type NightDiff, readDiff } from "./read.ts";
import { askedAnew, countsOf, records } from "./rows.ts";
import { MOST_ROWS, type NewsSection } from "./sections.ts";
import { texts } from "./texts.ts";

const LATEST = "latest";

const nightsOf = (others: PublishedFiles) => others.list().filter(({ changes }) => changes !== undefined);

/** The published nights of which is known what changed. */
const nightChoice = ({ messages: { mirror }, figures: { writeMinute } }: Facts, others: PublishedFiles): Choice => ({
  name: "night",
  label: mirror.changes.night,
  options: [
    { value: LATEST, label: mirror.changes.servedNight },
    ...nightsOf(others).map(({ version, started_at, withdrawn }) => ({
      value: version,
      label: withdrawn ? mirror.changes.withdrawn({ night: writeMinute(started_at) }) : writeMinute(started_at),
    })),
  ],
  fallback: LATEST,
});

const choicesOf = (facts: Facts, others: PublishedFiles) => [nightChoice(facts, others), moversOfRank(facts)];

export const CHANGES: PageEntry = {
  route: "/changes",
  summary:
    "What changed from night to night: new and gone heroes and records, texts by words, movers, counts by endpoint",
  link: "changes",
  choices: choicesOf,
  tellsOthers: true,
  csvLink: ({ mirror }) => mirror.changes.moversAsCsv,
  csv: (context) => moversReport(readNight(context).diff?.changes, context),
  render(context) {
    const { facts, others, messages } = context;
    const { changes: words } = messages.mirror;
    const { night, diff } = readNight(context);
    return {
      title: words.heading,
      hasNoRows: moversReport(diff?.changes, context).rows.length === 0,
      main: html`<h1>${words.heading}</h1>
${choiceForm(context, choicesOf(facts, others))}
${night === undefined ? notCompared(others, words) : diff === undefined ? unreadable(night, context) : shown(diff, night, context)}`,
    };
  },
};

interface FoundNight {
  night?: PublishedFile | undefined;
  diff?: NightDiff | undefined;
}

function readNight({ others, snapshot, values }: PageContext): FoundNight {
  const wanted = values.night === LATEST ? snapshot.head.version : values.night;
  const night = nightsOf(others).find(({ version }) => version === wanted);
  return { night, diff: night && readDiff(others, night) };
}

type ChangesMessages = Messages["mirror"]["changes"];

const notCompared = (others: PublishedFiles, words: ChangesMessages): Html =>
  others.list().length < 2
    ? html`<p>${words.nothingYet}</p>`
    : html`<p>${words.notCompared} ${nightsOf(others).length > 0 && words.chooseAnother}</p>`;

const changesPath = (version: string) => `/snapshots/${version}/changes.json`;

function unreadable({ version, changes }: PublishedFile, { messages, figures }: PageContext): Html {
  const { changes: words } = messages.mirror;
  return html`<p>${words.unreadable} <a href="${changesPath(version)}">${words.hereAsJson}</a> (${figures.bytes(changes?.size ?? 0)})</p>`;
}

function shown(diff: NightDiff, { version, changes: file }: PublishedFile, context: PageContext): Html {
  const { before, after, changes } = diff;
  const { changes: words, home } = context.messages.mirror;
  const { bytes, count, time } = context.figures;
  const links = jsonLinks(context.messages.frame.asJson, [
    { path: changesPath(version), text: words.allAsJson },
    { path: `/snapshots/${version}.json`, text: words.manifest },
  ]);
  if (changes === null)
    return html`<p>${words.same}</p>${askedAnew(diff, context)}${nights(before, after, context)}${links}`;
  const sections = newsOf(changes, context);
  return html`<p>${words.between({ first: time(before.started_at), last: time(after.started_at) })} ${words.apart({ nights: changes.days_apart })}</p>
${before.game_version !== after.game_version && html`<p>${words.gameVersion({ before: before.game_version ?? home.unknown, after: after.game_version ?? home.unknown })}</p>`}
<nav aria-label="${context.messages.heroes.glance.onThisPage}"><ul class="links">${sections.map(
    ({ id, head, count: changed }) => html`<li><a href="#${id}">${head}</a> <small>${count(changed)}</small></li>`,
  )}</ul></nav>
${sections.map(({ id, head, body }) => html`<section><h2 id="${id}">${head}</h2>${body}</section>`)}
${askedAnew(diff, context)}
${countsOf(changes, context)}
${nights(before, after, context)}
<p>${words.mostRows({ rows: MOST_ROWS })} (${bytes(file?.size ?? 0)})</p>
${links}`;
}

/** Lists the sections of news. Those that change rarely come first; numbers change every night. */
function newsOf(changes: NightChanges, context: PageContext): NewsSection[] {
  const found = [
    newHeroes(changes, context),
    texts(changes, context),
    ...records(changes, context),
    movers(changes, everyRank(context), context),
    movedPairs(changes, context),
  ];
  return found.filter((section) => section !== undefined);
}

/** The same night for every rank. */
const everyRank = ({ facts, others, path, values }: PageContext): string =>
  addressOf(path, [facts.langChoice, ...choicesOf(facts, others), daysChoice(facts)], { ...values, rank: EVERY_RANK });

function nights(before: NightDiff["before"], after: NightDiff["before"], context: PageContext): Html {
  const { changes: words } = context.messages.mirror;
  return factList([
    [words.from, nightName(before, context)],
    [words.to, nightName(after, context)],
  ]);
}

function nightName(
  { version, started_at, game_version }: NightDiff["before"],
  { messages, figures }: PageContext,
): Html {
  const { changes: words } = messages.mirror;
  return html`${words.crawled({ version: html`<bdi>${version}</bdi>`, time: figures.time(started_at) })}${game_version !== null && html`${messages.frame.comma}${words.game({ version: game_version })}`}`;
}
