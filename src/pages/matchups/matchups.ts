import { choiceForm } from "../choices/choice-form.ts";
import { carriedChoices, type Facts, FORMAT_CHOICE, rankChoice, stateWords, withState } from "../facts.ts";
import { jsonLinks, points, table } from "../format.ts";
import { calledIn, heroLink, heroName } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { addressOf, type Choice } from "../query.ts";
import { type Matrix, type MatrixHero, readMatrix, SORT } from "./matrix.ts";
import { describePairing, PLAYED, POINTS } from "./played.ts";

const heroChoice = ({ heroes }: Facts): Choice => ({
  name: "hero",
  label: "Hero",
  options: heroes,
  fallback: heroes[0]?.value ?? "",
});

const matchupChoices = (facts: Facts): Choice[] => [rankChoice(facts), PLAYED, SORT, heroChoice(facts)];

export const MATCHUPS: PageEntry = {
  route: "/matchups",
  summary:
    "Every hero against, or with, every other one in a rank: as a matrix by name, role or similarity, and in words",
  link: "matchups",
  choices: matchupChoices,
  shows: ["academy-counters", "teammates"],
  scripts: ["matrix"],
  csv(context) {
    const { heroes, rows } = readMatrix(context);
    return {
      columns: ["hero_id", "name", "role", ...heroes.map(({ hero_id }) => `${hero_id}`)],
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
    const matrix = readMatrix(context);
    const chosen = matrix.heroes.find(({ hero_id }) => `${hero_id}` === values.hero);
    return {
      title: withState(
        chosen ? `${calledIn(chosen)} ${values.played} each other hero` : "Matchups",
        stateWords(context, [rankChoice(facts)]),
      ),
      hasNoRows: isEmpty(matrix),
      main: html`<h1>Matchups</h1>
${choiceForm(context, matchupChoices(facts))}
${isEmpty(matrix) || !chosen ? html`<p>This snapshot has no matchups for this rank.</p>` : html`${drawn(context)}<p>${POINTS} It does not state the window either; a pair that has met too rarely is missing.</p>${ofHero(context, matrix, chosen)}${ofAll(context, matrix)}`}`,
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

/** What a script makes a picture of, from the CSV. */
function drawn(context: PageContext): Html {
  const { facts, values } = context;
  const source = addressWith(context, { format: "csv", hero: heroChoice(facts).fallback });
  return html`<section id="matrix" class="matrix" data-source="${source}" data-played="${values.played}" hidden><h2>All of them, drawn</h2></section>`;
}

function ofHero(context: PageContext, { heroes, rows }: Matrix, hero: MatrixHero): Html {
  const { lang, values } = context;
  const { rank = "", played } = values;
  const others = new Map(heroes.map((other) => [other.hero_id, other]));
  const name = heroName(hero, lang);
  const pairs = [...(rows.get(hero.hero_id) ?? [])].flatMap(([id, by]) => {
    const other = others.get(id);
    return other ? [{ other, by }] : [];
  });
  const query = new URLSearchParams({ rank, size: "200", lang });
  const links = [
    { path: `/api/academy/heroes/${hero.hero_id}/counters?${query}`, text: "Against all, as JSON" },
    { path: `/api/academy/heroes/${hero.hero_id}/teammates?${query}`, text: "With all, as JSON" },
  ];
  return html`<h2>${name} ${played} each other hero</h2>
${table(
  `${pairs.length} heroes, the best ${played === "with" ? "team mate" : "matchup"} first`,
  [{ head: "Other hero" }, { head: "Points", number: true }, { head: "What that means" }],
  pairs.map(({ other, by }) => [
    heroLink(other, context),
    html`<span class="${by < 0 ? "down" : "up"}">${points(by)}</span>`,
    describePairing(played === "with" ? "with" : "against", name, heroName(other, lang), by),
  ]),
)}
${jsonLinks(links)}`;
}

/** The ends of each row: what a matrix is looked at for, without its seventeen thousand cells. */
function ofAll(context: PageContext, { heroes, rows }: Matrix): Html {
  const { lang, values } = context;
  const named = new Map(heroes.map((hero) => [hero.hero_id, heroName(hero, lang)]));
  const cells = (end: [other: number, by: number] | undefined) =>
    end ? [named.get(end[0]), points(end[1])] : ["–", points(null)];
  return html`<h2>Every hero</h2>${table(
    `What each hero does best and worst ${values.played}`,
    [
      { head: "Hero" },
      { head: `Best ${values.played}` },
      { head: "Points", number: true },
      { head: `Worst ${values.played}` },
      { head: "Points", number: true },
    ],
    heroes.map((hero) => {
      const row = [...(rows.get(hero.hero_id) ?? [])];
      const address = addressWith(context, { hero: `${hero.hero_id}` });
      return [html`<a href="${address}">${named.get(hero.hero_id)}</a>`, ...cells(row[0]), ...cells(row.at(-1))];
    }),
  )}`;
}
