import type { Snapshot } from "../../../snapshot/read/snapshot.ts";
import { END_DAYS } from "../../../snapshot/schema/views/rates.ts";
import { alongDays, lineChart, MOST_LINES } from "../charts/lines.ts";
import { choiceForm } from "../choices/choice-form.ts";
import { addressOn, type Facts, heroesChoice, rankChoice, stateWords, withState } from "../facts.ts";
import { table } from "../format.ts";
import { calledIn, HERO_TEXT, heroLink, heroName, NAMED_HERO, type NamedHero } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { type Choice, labelOf, listOf } from "../query.ts";

const rateChoice = ({ messages: { frame, heroes } }: Facts): Choice => ({
  name: "rate",
  label: heroes.trends.rate,
  options: [
    { value: "win_rate", label: frame.rates.winRate },
    { value: "appearance_rate", label: frame.rates.pickRate },
    { value: "ban_rate", label: frame.rates.banRate },
  ],
  fallback: "win_rate",
});

/** So many in colour of those that rose most, and of those that fell most, if nobody is chosen. */
const ENDS_SHOWN = MOST_LINES / 2;

const trendChoices = (facts: Facts): Choice[] => [
  rankChoice(facts),
  rateChoice(facts),
  heroesChoice(facts, MOST_LINES),
];

export const TRENDS: PageEntry = {
  route: "/trends",
  summary: "All heroes by day in one rank and rate, the chosen ones in colour; who rose and who fell",
  link: "trends",
  choices: trendChoices,
  shows: ["trends"],
  csvLink: ({ heroes }) => heroes.trends.asCsv,
  scripts: ["chart"],
  csv(context) {
    const { values } = context;
    const { rate = "" } = values;
    const { days, lines } = readTrends(context.snapshot, values.rank ?? "", rate as RateName);
    const heroes = readHeroes(context);
    const chosen = chosenOf(context, heroes);
    const rows = (chosen.length > 0 ? chosen : heroes).flatMap((hero) => {
      const line = lines.get(hero.hero_id) ?? [];
      return days.flatMap((day, index) => {
        const value = line[index] ?? null;
        return value === null ? [] : [[hero.hero_id, calledIn(hero), day, value]];
      });
    });
    return { columns: ["hero_id", "hero", "date", rate], rows };
  },
  render(context) {
    const { facts, snapshot, values } = context;
    const { trends: words } = context.messages.heroes;
    const rateName = labelOf(rateChoice(facts), values);
    const { rank = "", rate = "" } = values;
    const trends = readTrends(snapshot, rank, rate as RateName);
    const chosen = chosenOf(context, readHeroes(context));
    const subject =
      chosen.length === 0
        ? words.ofAll({ rate: rateName })
        : words.ofHeroes({ rate: rateName, heroes: chosen.map(calledIn).join(context.messages.frame.comma) });
    return {
      title: withState(context.messages, subject, stateWords(context, [rankChoice(facts)])),
      hasNoRows: trends.lines.size === 0,
      main: html`<h1>${words.heading}</h1>
${choiceForm(context, trendChoices(facts))}
${trends.lines.size === 0 ? noTrends(context) : shown(context, trends)}`,
    };
  },
};

const HEROES = `
  SELECT ${NAMED_HERO} FROM hero ${HERO_TEXT} ORDER BY hero.hero_id`;

const readHeroes = ({ snapshot, lang }: PageContext) => snapshot.select<NamedHero>(HEROES, { lang });

const chosenOf = ({ values }: PageContext, heroes: readonly NamedHero[]) =>
  listOf(values, "heroes").flatMap((id) => heroes.find((hero) => hero.hero_id === Number(id)) ?? []);

type RateName = "win_rate" | "appearance_rate" | "ban_rate";

/** One rate of all heroes in a rank, by day. */
interface Trends {
  days: string[];
  /** Values by hero; null for a missing day. */
  lines: ReadonlyMap<number, (number | null)[]>;
}

interface TrendRow {
  hero_id: number;
  date: string;
  value: number;
}

const sqlOf = (rate: RateName) =>
  `SELECT hero_id, date, ${rate} AS value FROM hero_trend WHERE rank = @rank ORDER BY hero_id, date`;

const RATE_SQL: Readonly<Record<RateName, string>> = {
  win_rate: sqlOf("win_rate"),
  appearance_rate: sqlOf("appearance_rate"),
  ban_rate: sqlOf("ban_rate"),
};

export function readTrends({ select }: Snapshot, rank: string, rate: RateName): Trends {
  const rows = select<TrendRow>(RATE_SQL[rate], { rank });
  const days = [...new Set(rows.map(({ date }) => date))].sort();
  const places = new Map(days.map((day, index) => [day, index]));
  const lines = new Map<number, (number | null)[]>();
  for (const { hero_id, date, value } of rows) {
    const line = lines.get(hero_id) ?? days.map(() => null);
    line[places.get(date) ?? 0] = value;
    lines.set(hero_id, line);
  }
  return { days, lines };
}

const RANKS_WITH_TRENDS = "SELECT rank FROM hero_trend GROUP BY rank";

/** The way to a rank that has them. */
function noTrends(context: PageContext): Html {
  const { snapshot, facts, path } = context;
  const { trends: words } = context.messages.heroes;
  const held = new Set(snapshot.select<{ rank: string }>(RANKS_WITH_TRENDS).map(({ rank }) => rank));
  const ranks = facts.ranks.filter(({ value }) => held.has(value));
  if (ranks.length === 0) return html`<p>${words.none}</p>`;
  return html`<p>${words.noneOfRank}</p>
<ul class="chips">${ranks.map(
    ({ value, label }) =>
      html`<li><a href="${addressOn(context, path, [rateChoice(facts), heroesChoice(facts, MOST_LINES)], { rank: value })}">${label}</a></li>`,
  )}</ul>`;
}

function shown(context: PageContext, trends: Trends): Html {
  const { values, facts, messages, figures } = context;
  const { trends: words, charts } = messages.heroes;
  const heroes = readHeroes(context);
  const rises = readRises(trends, heroes, context);
  const chosen = chosenOf(context, heroes);
  const ends = [...rises.slice(0, ENDS_SHOWN), ...rises.slice(Math.max(ENDS_SHOWN, rises.length - ENDS_SHOWN))];
  const coloured = chosen.length > 0 ? chosen : ends.map(({ hero }) => hero);
  const lineOf = (hero: NamedHero) => ({ name: calledIn(hero), values: trends.lines.get(hero.hero_id) ?? [] });
  const chart = lineChart({
    words: charts,
    figures,
    title: words.byDay({ rate: labelOf(rateChoice(facts), values) }),
    steps: alongDays(trends.days, figures),
    lines: coloured.map(lineOf),
    others: heroes.filter((hero) => trends.lines.has(hero.hero_id) && !coloured.includes(hero)).map(lineOf),
  });
  const table = (caption: string) => byDay(caption, trends, coloured, context);
  return html`<div class="columns"><div>${chart}
${chosen.length > 0 ? table(words.chosenByDay) : coloured.length > 0 && html`<p>${words.ends}</p><details><summary>${words.endsByDay}</summary>${table(words.endsByDay)}</details>`}</div>
<div>${movers(trends, rises, context)}</div></div>`;
}

const byDay = (
  caption: string,
  { days, lines }: Trends,
  chosen: readonly NamedHero[],
  { lang, messages, figures }: PageContext,
): Html =>
  table(
    caption,
    [{ head: messages.heroes.trends.day }, ...chosen.map((hero) => ({ head: heroName(hero, lang), number: true }))],
    days
      .map((day, index) => [
        figures.day(day),
        ...chosen.map(({ hero_id }) => figures.percent(lines.get(hero_id)?.[index])),
      ])
      .toReversed(),
  );

interface Rise {
  hero: NamedHero;
  first: number;
  last: number;
  change: number;
  pickRate: number;
}

/**
 * The change from the mean of the first days that a hero has to the mean of the last, as the view `trend_rise` has it; the biggest
 * rise first.
 */
function readRises({ lines }: Trends, heroes: readonly NamedHero[], context: PageContext): Rise[] {
  const picks = readTrends(context.snapshot, context.values.rank ?? "", "appearance_rate").lines;
  const rises = heroes.flatMap((hero) => {
    const values = (lines.get(hero.hero_id) ?? []).filter((value) => value !== null);
    if (values.length < 2 * END_DAYS) return [];
    const [first, last] = [mean(values.slice(0, END_DAYS)), mean(values.slice(-END_DAYS))];
    const picked = (picks.get(hero.hero_id) ?? []).filter((value) => value !== null);
    return [{ hero, first, last, change: last - first, pickRate: mean(picked.slice(-END_DAYS)) }];
  });
  return rises.sort((a, b) => b.change - a.change || a.hero.hero_id - b.hero.hero_id);
}

function movers({ days }: Trends, rises: readonly Rise[], context: PageContext): Html {
  if (rises.length === 0) return html``;
  const { heroes, frame } = context.messages;
  const { percent, points, writeDay } = context.figures;
  const { trends: words } = heroes;
  const ends = [words.firstDays({ days: END_DAYS }), words.lastDays({ days: END_DAYS })];
  return html`<h2>${words.roseAndFell}</h2>${table(
    words.moversCaption({ first: writeDay(days[0] ?? ""), last: writeDay(days.at(-1) ?? ""), days: END_DAYS }),
    [
      { head: frame.choices.hero },
      ...[...ends, words.points, frame.rates.pickRate].map((head) => ({ head, number: true })),
    ],
    rises.map(({ hero, first, last, change, pickRate }) => [
      heroLink(hero, context),
      percent(first),
      percent(last),
      points(change),
      percent(pickRate),
    ]),
  )}`;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
