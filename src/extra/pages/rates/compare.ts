import { alongDays, lineChart, MOST_LINES } from "../charts/lines.ts";
import { choiceForm } from "../choices/choice-form.ts";
import { addressOn, daysChoice, type Facts, heroesChoice, rankChoice, stateWords, withState } from "../facts.ts";
import { calledIn, heroName } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { type Choice, listOf, type Option } from "../query.ts";
import { column, type RatesOfHero, rateColumns, showTable } from "../report.ts";
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
  csv: (context) => ({
    csv: ["hero_id", "hero", "rank", "days", "win_rate", "appearance_rate", "ban_rate"],
    rows: readRates(context),
  }),
  render(context) {
    const { compare: words } = context.messages.heroes;
    const heroes = readHeroes(context);
    return {
      title:
        heroes.length === 0
          ? words.heading
          : withState(
              context.messages,
              heroes.map(({ hero_id }) => calledIn(hero_id, context)).join(context.messages.frame.comma),
              stateWords(context),
            ),
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

interface Compared {
  hero_id: number;
  durability: number | null;
  offense: number | null;
  ability_effects: number | null;
  difficulty: number | null;
}

const HEROES = `
  SELECT hero_id, durability, offense, ability_effects, difficulty
  FROM json_each(@ids) AS wanted JOIN hero ON hero.hero_id = wanted.value ORDER BY wanted.rowid`;

const idsOf = ({ values }: PageContext) => `[${listOf(values, "heroes").join(",")}]`;

const readHeroes = (context: PageContext) => context.snapshot.select<Compared>(HEROES, { ids: idsOf(context) });

interface Rate extends RatesOfHero {
  rank: string;
}

/** Reads rates by hero and rank, in the order of both choices. */
const RATES = `
  SELECT rate.* FROM json_each(@ids) AS wanted
  JOIN hero_rate AS rate ON rate.hero_id = wanted.value JOIN rank USING (rank) WHERE days = @days ORDER BY wanted.rowid, rank.position`;

const readRates = (context: PageContext) =>
  context.snapshot.select<Rate>(RATES, { ids: idsOf(context), days: Number(context.values.days) });

function rates(context: PageContext, heroes: readonly Compared[]): Html {
  const { facts, values, messages } = context;
  const { compare: words } = messages.heroes;
  const named = column.hero("hero_id", messages.frame.choices.hero);
  const all = new Map(readRates(context).map((rate) => [`${rate.hero_id} ${rate.rank}`, rate]));
  const chosen = showTable(context, {
    caption: words.chosen,
    columns: [named, ...rateColumns(messages)],
    rows: heroes.map(({ hero_id }) => ({ hero_id, ...all.get(`${hero_id} ${values.rank}`) })),
  });
  const inRank = ({ value, label }: Option) =>
    column.share(({ hero_id }: Compared) => all.get(`${hero_id} ${value}`)?.win_rate, label);
  const columns = [named, ...facts.ranks.map(inRank)];
  return html`<h2>${words.rates}</h2>${chosen}${showTable(context, { caption: words.inEachRank, columns, rows: heroes })}`;
}

function trends(context: PageContext, heroes: readonly Compared[]): Html | undefined {
  const { snapshot, facts, values, messages, figures } = context;
  const { compare: words } = messages.heroes;
  const { days, lines } = readTrends(snapshot, values.rank ?? "", "win_rate");
  const shown = heroes.map((hero) => ({
    name: calledIn(hero.hero_id, context),
    values: lines.get(hero.hero_id) ?? [],
  }));
  const chart = lineChart(context, { title: words.winRateByDay, steps: alongDays(days, figures), lines: shown });
  if (!chart) return undefined;
  const address = addressOn(context, "/trends", [heroesChoice(facts, MOST_LINES)]);
  return html`<h2>${words.winRateByDay}</h2>${chart}<p><a href="${address}">${words.asTable}</a></p>`;
}

function marks(context: PageContext, rows: readonly Compared[]): Html {
  const { compare: words, strengths } = context.messages.heroes;
  const columns = [
    column.hero("hero_id", context.messages.frame.choices.hero),
    column.number("durability", strengths.durability),
    column.number("offense", strengths.offense),
    column.number("ability_effects", strengths.abilityEffects),
    column.number("difficulty", strengths.difficulty),
  ];
  return html`<h2>${words.strengths}</h2>${showTable(context, { caption: words.strengthsCaption, columns, rows })}`;
}

interface Matchup {
  hero_id: number;
  played: "against" | "with";
  other_hero_id: number;
  increase_win_rate: number;
}

const MATCHUPS = `
  SELECT hero_id, played, other_hero_id, increase_win_rate FROM matchup_list
  WHERE rank = @rank AND hero_id IN (SELECT value FROM json_each(@ids)) AND other_hero_id IN (SELECT value FROM json_each(@ids))`;

/** Matchups come from the matrix of all heroes, whose window the upstream does not state. */
function matchups(context: PageContext, heroes: readonly Compared[]): Html | undefined {
  const { snapshot, values, messages, figures } = context;
  const { compare: words } = messages.heroes;
  const listed = snapshot.select<Matchup>(MATCHUPS, { ids: idsOf(context), rank: values.rank ?? "" });
  if (listed.length === 0) return undefined;
  const nameOf = (one: Omit<Matchup, "increase_win_rate">) => `${one.played} ${one.hero_id} ${one.other_hero_id}`;
  const pairs = new Map(listed.map((pair) => [nameOf(pair), pair.increase_win_rate]));
  const matrix = (caption: string, versus: (named: { hero: Html }) => Html, played: Matchup["played"]) => {
    const beside = ({ hero_id: other_hero_id }: Compared) =>
      column.number(
        ({ hero_id }: Compared) =>
          hero_id === other_hero_id ? "·" : figures.points(pairs.get(nameOf({ played, hero_id, other_hero_id }))),
        versus({ hero: heroName(other_hero_id, context) }),
      );
    const columns = [column.hero("hero_id", messages.frame.choices.hero), ...heroes.map(beside)];
    return showTable(context, { caption, columns, rows: heroes });
  };
  return html`<h2>${words.pairs}</h2>
<p>${messages.pairs.points} ${words.noWindow}</p>
${matrix(words.against, words.againstHero, "against")}
${matrix(words.with, words.withHero, "with")}`;
}
