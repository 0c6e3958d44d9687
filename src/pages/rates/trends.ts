import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { END_DAYS } from "../../snapshot/schema/views/rates.ts";
import { alongDays, lineChart, MOST_LINES } from "../charts/lines.ts";
import { choiceForm } from "../choices/choice-form.ts";
import { type Facts, heroesChoice, rankChoice, stateWords, withState } from "../facts.ts";
import { percent, points, table } from "../format.ts";
import { calledIn, HERO_TEXT, heroLink, heroName, NAMED_HERO, type NamedHero } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { type Choice, labelOf, listOf } from "../query.ts";

const RATE: Choice = {
  name: "rate",
  label: "Rate",
  options: [
    { value: "win_rate", label: "Win rate" },
    { value: "appearance_rate", label: "Pick rate" },
    { value: "ban_rate", label: "Ban rate" },
  ],
  fallback: "win_rate",
};

const trendChoices = (facts: Facts): Choice[] => [rankChoice(facts), RATE, heroesChoice(facts, MOST_LINES)];

export const TRENDS: PageEntry = {
  route: "/trends",
  summary: "All heroes by day in one rank and rate, the chosen ones in colour; who rose and who fell",
  link: "trends",
  choices: trendChoices,
  shows: ["trends"],
  csvLink: ({ heroes }) => heroes.trends.asCsv,
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
    return { columns: ["hero_id", "name", "date", rate], rows };
  },
  render(context) {
    const { facts, snapshot, values } = context;
    const { rank = "", rate = "" } = values;
    const trends = readTrends(snapshot, rank, rate as RateName);
    const chosen = chosenOf(context, readHeroes(context));
    const subject = chosen.length === 0 ? "all heroes" : chosen.map(calledIn).join(", ");
    return {
      title: withState(`${labelOf(RATE, values)} by day of ${subject}`, stateWords(context, [rankChoice(facts)])),
      hasNoRows: trends.lines.size === 0,
      main: html`<h1>Trends</h1>
${choiceForm(context, trendChoices(facts))}
${trends.lines.size === 0 ? html`<p>This snapshot has no trends for this rank.</p>` : shown(context, trends)}`,
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

function shown(context: PageContext, trends: Trends): Html {
  const { values, lang } = context;
  const heroes = readHeroes(context);
  const chosen = chosenOf(context, heroes);
  const lineOf = (hero: NamedHero) => ({ name: calledIn(hero), values: trends.lines.get(hero.hero_id) ?? [] });
  const chart = lineChart({
    title: `${labelOf(RATE, values)} by day`,
    steps: alongDays(trends.days),
    lines: chosen.map(lineOf),
    others: heroes.filter((hero) => !chosen.includes(hero)).map(lineOf),
  });
  return html`<div class="columns"><div>${chart}
${chosen.length === 0 ? html`<p>Choose up to four heroes to see them in colour.</p>` : byDay(trends, chosen, lang)}</div>
<div>${movers(trends, heroes, context)}</div></div>`;
}

const byDay = ({ days, lines }: Trends, chosen: readonly NamedHero[], lang: PageContext["lang"]): Html =>
  table(
    "The chosen heroes by day, the newest first",
    [{ head: "Day" }, ...chosen.map((hero) => ({ head: heroName(hero, lang), number: true }))],
    days
      .map((day, index) => [
        html`<time datetime="${day}">${day}</time>`,
        ...chosen.map(({ hero_id }) => percent(lines.get(hero_id)?.[index])),
      ])
      .toReversed(),
  );

/** The change from the mean of the first days that a hero has to the mean of the last, as the view `trend_rise` has it. */
function movers({ lines, days }: Trends, heroes: readonly NamedHero[], context: PageContext): Html {
  const picks = readTrends(context.snapshot, context.values.rank ?? "", "appearance_rate").lines;
  const rows = heroes.flatMap((hero) => {
    const values = (lines.get(hero.hero_id) ?? []).filter((value) => value !== null);
    if (values.length < 2 * END_DAYS) return [];
    const [first, last] = [mean(values.slice(0, END_DAYS)), mean(values.slice(-END_DAYS))];
    const picked = (picks.get(hero.hero_id) ?? []).filter((value) => value !== null);
    return [{ hero, first, last, change: last - first, pickRate: mean(picked.slice(-END_DAYS)) }];
  });
  if (rows.length === 0) return html``;
  rows.sort((a, b) => b.change - a.change || a.hero.hero_id - b.hero.hero_id);
  const ends = [`First ${END_DAYS} days`, `Last ${END_DAYS} days`];
  return html`<h2>Who rose, who fell</h2>${table(
    `From ${days[0]} to ${days.at(-1)}, by means of ${END_DAYS} days, the biggest rise first`,
    [{ head: "Hero" }, ...[...ends, "Points", "Pick rate"].map((head) => ({ head, number: true }))],
    rows.map(({ hero, first, last, change, pickRate }) => [
      heroLink(hero, context),
      percent(first),
      percent(last),
      points(change),
      percent(pickRate),
    ]),
  )}`;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
