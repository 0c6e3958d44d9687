import { alongDays, lineChart, MOST_LINES } from "../charts/lines.ts";
import { choiceForm } from "../choices/choice-form.ts";
import { addressOn, daysChoice, type Facts, heroesChoice, rankChoice, stateWords, withState } from "../facts.ts";
import { table } from "../format.ts";
import { calledIn, HERO_TEXT, heroLink, heroName, NAMED_HERO, type NamedHero } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { type Choice, listOf } from "../query.ts";
import { readTrends } from "./trends.ts";

const compareChoices = (facts: Facts): Choice[] => [
  heroesChoice(facts, MOST_LINES),
  rankChoice(facts),
  daysChoice(facts),
];

export const COMPARE: PageEntry = {
  route: "/compare",
  summary: "Two to four heroes side by side: rates, trend, strengths, how they do against and beside each other",
  link: "compare",
  choices: compareChoices,
  shows: ["rank", "trends", "hero", "academy-counters", "teammates"],
  csvLink: ({ heroes }) => heroes.compare.asCsv,
  scripts: ["chart"],
  csv(context) {
    const { facts, values } = context;
    const allRates = readRates(context);
    const rows = readHeroes(context).flatMap((hero) =>
      facts.ranks.flatMap(({ value: rank }) => {
        const heroRate = allRates.find((rate) => rate.hero_id === hero.hero_id && rate.rank === rank);
        if (!heroRate) return [];
        const rates = [heroRate.win_rate, heroRate.appearance_rate, heroRate.ban_rate];
        return [[hero.hero_id, calledIn(hero), rank, Number(values.days), ...rates]];
      }),
    );
    return { columns: ["hero_id", "hero", "rank", "days", "win_rate", "appearance_rate", "ban_rate"], rows };
  },
  render(context) {
    const { compare: words } = context.messages.heroes;
    const heroes = readHeroes(context);
    return {
      title:
        heroes.length === 0
          ? words.heading
          : withState(context.messages, heroes.map(calledIn).join(context.messages.frame.comma), stateWords(context)),
      hasNoRows: heroes.length === 0,
      main: html`<h1>${words.heading}</h1>
${choiceForm(context, compareChoices(context.facts))}
${
  heroes.length === 0
    ? html`<p>${words.choose}</p>`
    : html`${rates(context, heroes)}
<div class="columns"><div>${trends(context, heroes)}</div><div>${marks(context, heroes)}</div></div>
${matchups(context, heroes)}`
}`,
    };
  },
};

interface Compared extends NamedHero {
  durability: number | null;
  offense: number | null;
  ability_effects: number | null;
  difficulty: number | null;
}

const HEROES = `
  SELECT ${NAMED_HERO}, durability, offense, ability_effects, difficulty
  FROM json_each(@ids) AS wanted JOIN hero ON hero.hero_id = wanted.value ${HERO_TEXT} ORDER BY wanted.rowid`;

const idsOf = ({ values }: PageContext) => `[${listOf(values, "heroes").join(",")}]`;

const readHeroes = (context: PageContext) =>
  context.snapshot.select<Compared>(HEROES, { ids: idsOf(context), lang: context.lang });

interface Rate {
  hero_id: number;
  rank: string;
  win_rate: number;
  ban_rate: number;
  appearance_rate: number;
}

const RATES = `
  SELECT hero_id, rank, win_rate, ban_rate, appearance_rate FROM hero_rate
  WHERE days = @days AND hero_id IN (SELECT value FROM json_each(@ids))`;

const readRates = (context: PageContext) =>
  context.snapshot.select<Rate>(RATES, { ids: idsOf(context), days: Number(context.values.days) });

function rates(context: PageContext, heroes: readonly Compared[]): Html {
  const { facts, values, messages, figures } = context;
  const { percent } = figures;
  const { compare: words } = messages.heroes;
  const { winRate, pickRate, banRate } = messages.frame.rates;
  const allRates = readRates(context);
  const rateOf = (hero: NamedHero, rank: string | undefined) =>
    allRates.find((rate) => rate.hero_id === hero.hero_id && rate.rank === rank);
  const head = { head: messages.frame.choices.hero };
  const numbers = (names: readonly string[]) => names.map((name) => ({ head: name, number: true }));
  const chosen = table(
    words.chosen,
    [head, ...numbers([winRate, pickRate, banRate])],
    heroes.map((hero) => {
      const rate = rateOf(hero, values.rank);
      return [heroLink(hero, context), ...[rate?.win_rate, rate?.appearance_rate, rate?.ban_rate].map(percent)];
    }),
  );
  const ranks = table(
    words.inEachRank,
    [head, ...numbers(facts.ranks.map(({ label }) => label))],
    heroes.map((hero) => [
      heroLink(hero, context),
      ...facts.ranks.map(({ value }) => percent(rateOf(hero, value)?.win_rate)),
    ]),
  );
  return html`<h2>${words.rates}</h2>${chosen}${ranks}`;
}

function trends(context: PageContext, heroes: readonly Compared[]): Html | undefined {
  const { snapshot, facts, values, messages, figures } = context;
  const { compare: words } = messages.heroes;
  const { days, lines } = readTrends(snapshot, values.rank ?? "", "win_rate");
  const shown = heroes.map((hero) => ({ name: calledIn(hero), values: lines.get(hero.hero_id) ?? [] }));
  const chart = lineChart({
    words: messages.heroes.charts,
    figures,
    title: words.winRateByDay,
    steps: alongDays(days, figures),
    lines: shown,
  });
  if (!chart) return undefined;
  const address = addressOn(context, "/trends", [heroesChoice(facts, MOST_LINES)]);
  return html`<h2>${words.winRateByDay}</h2>${chart}<p><a href="${address}">${words.asTable}</a></p>`;
}

function marks(context: PageContext, heroes: readonly Compared[]): Html {
  const { compare: words, strengths } = context.messages.heroes;
  const { durability, offense, abilityEffects, difficulty } = strengths;
  return html`<h2>${words.strengths}</h2>${table(
    words.strengthsCaption,
    [
      { head: context.messages.frame.choices.hero },
      ...[durability, offense, abilityEffects, difficulty].map((head) => ({ head, number: true })),
    ],
    heroes.map((hero) => [
      heroLink(hero, context),
      ...[hero.durability, hero.offense, hero.ability_effects, hero.difficulty].map((mark) => mark ?? "–"),
    ]),
  )}`;
}

interface Matchup {
  match_type: number;
  hero_id: number;
  other_hero_id: number;
  increase_win_rate: number;
}

const MATCHUPS = `
  SELECT match_type, hero_id, other_hero_id, increase_win_rate FROM hero_matchup
  WHERE rank = @rank AND hero_id IN (SELECT value FROM json_each(@ids)) AND other_hero_id IN (SELECT value FROM json_each(@ids))`;

/** Matchups come from the matrix of all heroes, whose window the upstream does not state. */
function matchups(context: PageContext, heroes: readonly Compared[]): Html | undefined {
  const { snapshot, values, lang, messages, figures } = context;
  const { compare: words } = messages.heroes;
  const pairs = snapshot.select<Matchup>(MATCHUPS, { ids: idsOf(context), rank: values.rank ?? "" });
  if (pairs.length === 0) return undefined;
  const matrix = (caption: string, versus: (named: { hero: Html }) => Html, type: number) =>
    table(
      caption,
      [
        { head: messages.frame.choices.hero },
        ...heroes.map((hero) => ({ head: versus({ hero: heroName(hero, lang) }), number: true })),
      ],
      heroes.map((hero) => [
        heroLink(hero, context),
        ...heroes.map((other) => {
          const by = pairs.find(
            (matchup) =>
              matchup.match_type === type &&
              matchup.hero_id === hero.hero_id &&
              matchup.other_hero_id === other.hero_id,
          );
          return hero === other ? "·" : figures.points(by?.increase_win_rate);
        }),
      ]),
    );
  return html`<h2>${words.pairs}</h2>
<p>${messages.pairs.points} ${words.noWindow}</p>
${matrix(words.against, words.againstHero, 0)}
${matrix(words.with, words.withHero, 1)}`;
}
