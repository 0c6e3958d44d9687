import type { Snapshot } from "../../../snapshot/read/snapshot.ts";
import { END_DAYS } from "../../../snapshot/schema/views/rates.ts";
import { alongDays, lineChart, MOST_LINES } from "../charts/lines.ts";
import { choiceForm } from "../choices/choice-form.ts";
import { addressOn, type Facts, heroesChoice, rankChoice, stateWords, withState } from "../facts.ts";
import { calledIn, heroName } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { type Choice, labelOf, listOf } from "../query.ts";
import { column, type RateName, showTable } from "../report.ts";

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

/** So many of those that rose most, and of those that fell most, are coloured if nobody is chosen. */
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
    const { snapshot, values } = context;
    const rate = values.rate as RateName;
    const chosen = chosenOf(context);
    const rows = snapshot
      .select<TrendRow>(RATE_SQL[rate], { rank: values.rank ?? "" })
      .filter(({ hero_id }) => chosen.length === 0 || chosen.includes(hero_id))
      .sort((a, b) => chosen.indexOf(a.hero_id) - chosen.indexOf(b.hero_id));
    return { csv: ["hero_id", "hero", "date", rate], rows };
  },
  render(context) {
    const { facts, snapshot, values } = context;
    const { trends: words } = context.messages.heroes;
    const rateName = labelOf(rateChoice(facts), values);
    const { rank = "", rate = "" } = values;
    const trends = readTrends(snapshot, rank, rate as RateName);
    const chosen = chosenOf(context).map((id) => calledIn(id, context));
    const subject =
      chosen.length === 0
        ? words.ofAll({ rate: rateName })
        : words.ofHeroes({ rate: rateName, heroes: chosen.join(context.messages.frame.comma) });
    return {
      title: withState(context.messages, subject, stateWords(context, [rankChoice(facts)])),
      hasNoRows: trends.lines.size === 0,
      main: html`<h1>${words.heading}</h1>
${choiceForm(context, trendChoices(facts))}
${trends.lines.size === 0 ? noTrends(context) : shown(context, trends)}`,
    };
  },
};

const chosenOf = ({ values }: PageContext): number[] => listOf(values, "heroes").map(Number);

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
  `SELECT hero_id, date, ${rate}, ${rate} AS value FROM hero JOIN hero_trend USING (hero_id) WHERE rank = @rank ORDER BY hero_id, date`;

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
  const { trends: words } = messages.heroes;
  const rises = readRises(trends, context);
  const chosen = chosenOf(context);
  const ends = [...rises.slice(0, ENDS_SHOWN), ...rises.slice(Math.max(ENDS_SHOWN, rises.length - ENDS_SHOWN))];
  const coloured = chosen.length > 0 ? chosen : ends.map(({ hero_id }) => hero_id);
  const lineOf = (id: number) => ({ name: calledIn(id, context), values: trends.lines.get(id) ?? [] });
  const chart = lineChart(context, {
    title: words.byDay({ rate: labelOf(rateChoice(facts), values) }),
    steps: alongDays(trends.days, figures),
    lines: coloured.map(lineOf),
    others: [...trends.lines.keys()].filter((id) => !coloured.includes(id)).map(lineOf),
  });
  const table = (caption: string) => byDay(caption, trends, coloured, context);
  return html`<div class="columns"><div>${chart}
${chosen.length > 0 ? table(words.chosenByDay) : coloured.length > 0 && html`<p>${words.ends}</p><details><summary>${words.endsByDay}</summary>${table(words.endsByDay)}</details>`}</div>
<div>${movers(trends, rises, context)}</div></div>`;
}

function byDay(caption: string, { days, lines }: Trends, chosen: readonly number[], context: PageContext): Html {
  const rateOf = (id: number) =>
    column.share(({ index }: { index: number }) => lines.get(id)?.[index], heroName(id, context));
  const columns = [column.day("date", context.messages.heroes.trends.day), ...chosen.map(rateOf)];
  return showTable(context, { caption, columns, rows: days.map((date, index) => ({ date, index })).toReversed() });
}

interface Rise {
  hero_id: number;
  first: number;
  last: number;
  change: number;
  pickRate: number;
}

/**
 * The change from the mean of the first days that a hero has to the mean of the last, as the view `trend_rise` has it; the biggest
 * rise first.
 */
function readRises({ lines }: Trends, { snapshot, values: { rank = "" } }: PageContext): Rise[] {
  const picks = readTrends(snapshot, rank, "appearance_rate").lines;
  const rises = [...lines].flatMap(([hero_id, line]) => {
    const values = line.filter((value) => value !== null);
    if (values.length < 2 * END_DAYS) return [];
    const [first, last] = [mean(values.slice(0, END_DAYS)), mean(values.slice(-END_DAYS))];
    const picked = (picks.get(hero_id) ?? []).filter((value) => value !== null);
    return [{ hero_id, first, last, change: last - first, pickRate: mean(picked.slice(-END_DAYS)) }];
  });
  return rises.sort((a, b) => b.change - a.change || a.hero_id - b.hero_id);
}

function movers({ days }: Trends, rows: readonly Rise[], context: PageContext): Html | undefined {
  if (rows.length === 0) return undefined;
  const { frame, heroes } = context.messages;
  const { writeDay } = context.figures;
  const { trends: words } = heroes;
  const span = { first: writeDay(days[0] ?? ""), last: writeDay(days.at(-1) ?? ""), days: END_DAYS };
  const columns = [
    column.hero("hero_id", frame.choices.hero),
    column.share("first", words.firstDays(span)),
    column.share("last", words.lastDays(span)),
    column.points("change", words.points),
    column.share("pickRate", frame.rates.pickRate),
  ];
  return html`<h2>${words.roseAndFell}</h2>${showTable(context, { caption: words.moversCaption(span), columns, rows })}`;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
