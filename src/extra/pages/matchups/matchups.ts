import { choiceForm } from "../choices/choice-form.ts";
import { carriedChoices, type Facts, rankChoice, stateWords, withState } from "../facts.ts";
import { calledIn, heroName } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { addressOf, type Choice } from "../query.ts";
import { column, FORMAT_CHOICE, type PageColumn, showTable } from "../report.ts";
import { sourceLinks } from "../source-links.ts";
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
      csv: ["hero_id", "hero", "role", ...heroes.map(({ hero_id }) => `${hero_id}`)],
      rows: heroes.map((hero) => ({ ...hero, ...Object.fromEntries(rows.get(hero.hero_id) ?? []) })),
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
        chosen ? words.titleOf[playedIn(context)]({ name: calledIn(chosen.hero_id, context) }) : words.heading,
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

function ofHero(context: PageContext, { rows: matrix }: Matrix, { hero_id: id }: MatrixHero): Html {
  const { facts, messages } = context;
  const { matchups: words } = messages.pairs;
  const played = playedIn(context);
  const rows = [...(matrix.get(id) ?? [])]
    .filter(([other]) => facts.roster.has(other))
    .map(([hero_id, points]) => ({ hero_id, points }));
  const query = { size: "200" };
  const links = sourceLinks(context, [
    { dataset: "academy-counters", hero: id, query, text: words.againstAsJson },
    { dataset: "teammates", hero: id, query, text: words.withAsJson },
  ]);
  const most = rows.reduce((all, { points }) => Math.max(all, Math.abs(points)), 0);
  const columns: PageColumn<(typeof rows)[number]>[] = [
    column.hero("hero_id", words.otherHero),
    column.gain("points", words.points),
    column.text(({ points }) => bar(points, most, messages.pairs), words.drawn),
  ];
  const caption = words.listed[played]({ heroes: rows.length });
  return html`<h2 id="of-hero">${words.ofHero[played]({ name: heroName(id, context) })}</h2>
<p class="onward"><a href="#every">${words.another}</a></p>
${showTable(context, { caption, columns, rows })}
${links}`;
}

const [BAR, BAR_HEIGHT] = [100, 10];

/** Draws a bar, to the right of the middle if the pairing is better than expected, to the left if it is worse. */
function bar(by: number, most: number, words: Messages["pairs"]): Html {
  const width = Math.round((10 * BAR * Math.abs(by)) / (most || 1)) / 10;
  return html`<svg class="bar" viewBox="${-BAR} 0 ${2 * BAR} ${BAR_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${pairingWords(by, words)}"><rect class="${by < 0 ? "worse" : "better"}" x="${by < 0 ? -width : 0}" width="${width}" height="${BAR_HEIGHT}"/><line y2="${BAR_HEIGHT}"/></svg>`;
}

/** The ends of each row: what a matrix is looked at for, without its seventeen thousand cells. */
function ofAll(context: PageContext, { heroes, rows: matrix }: Matrix): Html {
  const { matchups: words } = context.messages.pairs;
  const ends = words.ends[playedIn(context)];
  const rows = heroes.map(({ hero_id }) => {
    const row = [...(matrix.get(hero_id) ?? [])];
    const [[best, most] = [], [worst, least] = []] = [row[0], row.at(-1)];
    return { hero_id, best, most, worst, least };
  });
  const other = (head: string, field: "best" | "worst") =>
    column.text(({ [field]: id }: (typeof rows)[number]) => id && heroName(id, context), head);
  const columns: PageColumn<(typeof rows)[number]>[] = [
    column.text(
      ({ hero_id: id }) => html`<a href="${addressWith(context, { hero: `${id}` })}">${heroName(id, context)}</a>`,
      context.messages.frame.choices.hero,
    ),
    other(ends.best, "best"),
    column.points("most", words.points),
    other(ends.worst, "worst"),
    column.points("least", words.points),
  ];
  return html`<h2 id="every">${words.ofAll}</h2>${showTable(context, { caption: ends.caption, columns, rows })}`;
}
