import { choiceForm } from "../choices/choice-form.ts";
import { carriedChoices, type Facts, FORMAT_CHOICE, rankChoice, stateWords, withState } from "../facts.ts";
import { jsonLinks, table } from "../format.ts";
import { calledIn, heroLink, heroName } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { addressOf, type Choice } from "../query.ts";
import type { Messages } from "../words/messages.ts";
import { type Matrix, type MatrixHero, matrixSort, readMatrix } from "./matrix.ts";
import { matrixPlane } from "./plane.ts";
import { pairingWords, playedChoice } from "./played.ts";

const heroChoice = ({ heroes, firstHero, findHero, messages: { frame } }: Facts): Choice => ({
  name: "hero",
  label: frame.choices.hero,
  options: heroes,
  find: findHero,
  fallback: firstHero,
});

const matchupChoices = (facts: Facts): Choice[] => [
  ...[rankChoice(facts), playedChoice(facts)],
  ...[matrixSort(facts), heroChoice(facts)],
];

export const MATCHUPS: PageEntry = {
  route: "/matchups",
  summary:
    "Every hero against, or with, every other one in a rank: as a matrix by name, role or similarity, and in words",
  link: "matchups",
  choices: matchupChoices,
  shows: ["academy-counters", "teammates"],
  scripts: ["matrix"],
  csvLink: ({ pairs }) => pairs.matchups.asCsv,
  csv(context) {
    const { heroes, rows } = readMatrix(context);
    return {
      columns: ["hero_id", "hero", "role", ...heroes.map(({ hero_id }) => `${hero_id}`)],
      rows: heroes.map((hero) => [
        hero.hero_id,
        calledIn(hero),
        hero.role,
        ...heroes.map((other) => rows.get(hero.hero_id)?.get(other.hero_id) ?? null),
      ]),
    };
  },
  render(context) {
    const { facts, values } = context;
    const { matchups: words } = context.messages.pairs;
    const matrix = readMatrix(context);
    const chosen = matrix.heroes.find(({ hero_id }) => `${hero_id}` === values.hero);
    return {
      title: withState(
        context.messages,
        chosen ? words.titleOf[playedIn(context)]({ name: calledIn(chosen) }) : words.heading,
        stateWords(context, [rankChoice(facts)]),
      ),
      hasNoRows: isEmpty(matrix),
      main: html`<h1>${words.heading}</h1>
${choiceForm(context, matchupChoices(facts))}
<div class="matchups">${isEmpty(matrix) || !chosen ? html`<p>${words.empty}</p>` : shown(context, matrix, chosen)}</div>`,
    };
  },
};

const isEmpty = ({ rows }: Matrix) => rows.values().every((row) => row.size === 0);

const addressWith = ({ facts, path, values }: PageContext, changed: Readonly<Record<string, string>>) =>
  addressOf(
    path,
    [...carriedChoices(facts), ...matchupChoices(facts).filter(({ name }) => name !== "rank"), FORMAT_CHOICE],
    { ...values, ...changed },
  );

function shown(context: PageContext, matrix: Matrix, chosen: MatrixHero): Html {
  const source = addressWith(context, { format: "csv", hero: heroChoice(context.facts).fallback });
  const { matchups: words, points } = context.messages.pairs;
  return html`${matrixPlane(context, matrix, playedIn(context), source)}
<details><summary>${words.numbers}</summary><p>${points} ${words.window}</p></details>
${ofHero(context, matrix, chosen)}
${ofAll(context, matrix)}`;
}

const playedIn = ({ values }: PageContext) => (values.played === "with" ? "with" : "against");

function ofHero(context: PageContext, { heroes, rows }: Matrix, hero: MatrixHero): Html {
  const { lang, values, messages, figures } = context;
  const { matchups: words } = messages.pairs;
  const { rank = "" } = values;
  const played = playedIn(context);
  const others = new Map(heroes.map((other) => [other.hero_id, other]));
  const name = heroName(hero, lang);
  const pairs = [...(rows.get(hero.hero_id) ?? [])].flatMap(([id, by]) => {
    const other = others.get(id);
    return other ? [{ other, by }] : [];
  });
  const query = new URLSearchParams({ rank, size: "200", lang });
  const links = [
    { path: `/api/academy/heroes/${hero.hero_id}/counters?${query}`, text: words.againstAsJson },
    { path: `/api/academy/heroes/${hero.hero_id}/teammates?${query}`, text: words.withAsJson },
  ];
  const most = pairs.reduce((all, { by }) => Math.max(all, Math.abs(by)), 0);
  return html`<h2 id="of-hero">${words.ofHero[played]({ name })}</h2>
<p class="onward"><a href="#every">${words.another}</a></p>
${table(
  words.listed[played]({ heroes: pairs.length }),
  [{ head: words.otherHero }, { head: words.points, number: true }, { head: words.drawn }],
  pairs.map(({ other, by }) => [
    heroLink(other, context),
    html`<span class="${by < 0 ? "down" : "up"}">${figures.points(by)}</span>`,
    bar(by, most, messages.pairs),
  ]),
)}
${jsonLinks(messages.frame.asJson, links)}`;
}

const [BAR, BAR_HEIGHT] = [100, 10];

/** To the right of the middle if it is better than expected, to the left if it is worse. */
function bar(by: number, most: number, words: Messages["pairs"]): Html {
  const width = Math.round((10 * BAR * Math.abs(by)) / (most || 1)) / 10;
  return html`<svg class="bar" viewBox="${-BAR} 0 ${2 * BAR} ${BAR_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${pairingWords(by, words)}"><rect class="${by < 0 ? "worse" : "better"}" x="${by < 0 ? -width : 0}" width="${width}" height="${BAR_HEIGHT}"/><line y2="${BAR_HEIGHT}"/></svg>`;
}

/** The ends of each row: what a matrix is looked at for, without its seventeen thousand cells. */
function ofAll(context: PageContext, { heroes, rows }: Matrix): Html {
  const { lang, messages, figures } = context;
  const { points } = figures;
  const { matchups: words } = messages.pairs;
  const ends = words.ends[playedIn(context)];
  const named = new Map(heroes.map((hero) => [hero.hero_id, heroName(hero, lang)]));
  const cells = (end: [other: number, by: number] | undefined) =>
    end ? [named.get(end[0]), points(end[1])] : ["–", points(null)];
  return html`<h2 id="every">${words.ofAll}</h2>${table(
    ends.caption,
    [
      { head: messages.frame.choices.hero },
      { head: ends.best },
      { head: words.points, number: true },
      { head: ends.worst },
      { head: words.points, number: true },
    ],
    heroes.map((hero) => {
      const row = [...(rows.get(hero.hero_id) ?? [])];
      const address = addressWith(context, { hero: `${hero.hero_id}` });
      return [html`<a href="${address}">${named.get(hero.hero_id)}</a>`, ...cells(row[0]), ...cells(row.at(-1))];
    }),
  )}`;
}
