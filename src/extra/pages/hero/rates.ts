import { alongDays, alongNames, lineChart } from "../charts/lines.ts";
import { calledIn } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, type PageReport, type RatesOfHero, rateColumns, showTable } from "../report.ts";

const RATES =
  "SELECT hero_id, rank, days, win_rate, win_rate_error, ban_rate, appearance_rate FROM rate_list WHERE hero_id = @id";

interface RateRow extends RatesOfHero {
  rank: string;
  days: number;
  /** Null if the trend of the rank is not whole. */
  win_rate_error: number | null;
}

/** A rate with the names of its rank and window. */
export interface NamedRate extends RateRow {
  label: string;
  window: string;
}

/** The rates by rank and window, in their order. */
export function ratesReport(context: PageContext, id: number): Required<PageReport<NamedRate>> {
  const { snapshot, facts, messages, figures } = context;
  const { choices } = messages.frame;
  const rowOf = new Map(snapshot.select<RateRow>(RATES, { id }).map((rate) => [`${rate.rank} ${rate.days}`, rate]));
  return {
    caption: messages.heroes.charts.inEachRankAndWindow,
    columns: [
      column.text("label", choices.rank),
      column.text("window", choices.window),
      column.number(
        (rate: NamedRate) => html`${figures.percent(rate.win_rate)}${errorOf(rate, context)}`,
        messages.frame.rates.winRate,
      ),
      ...rateColumns(messages).slice(1),
    ],
    rows: facts.ranks.flatMap(({ value: rank, label }) =>
      facts.windows.flatMap(({ value: days, label: window }) => {
        const rate = rowOf.get(`${rank} ${days}`);
        return rate ? [{ ...rate, label, window }] : [];
      }),
    ),
    csv: ["hero_id", "rank", "days", "win_rate", "win_rate_error", "appearance_rate", "ban_rate"],
  };
}

export function rates(context: PageContext, report: PageReport<NamedRate>): Html | undefined {
  const { facts, messages } = context;
  const { charts: words } = messages.heroes;
  const { rows } = report;
  if (rows.length === 0) return undefined;
  const winRates = new Map(rows.map(({ rank, days, win_rate }) => [`${rank} ${days}`, win_rate]));
  const climbed = facts.ranks.filter(({ value }) => value !== "all");
  const chart = lineChart(context, {
    title: words.fromRankToRank,
    steps: alongNames(climbed.map(({ label }) => label)),
    lines: facts.windows.map(({ value: days, label }) => ({
      name: label,
      values: climbed.map(({ value: rank }) => winRates.get(`${rank} ${days}`) ?? null),
    })),
  });
  const hasErrors = rows.some(({ win_rate_error }) => win_rate_error !== null);
  return html`${chart}${showTable(context, report)}${hasErrors && html`<p class="none">${messages.heroes.hero.error}</p>`}`;
}

/** Shows the standard error of a win rate. */
export const errorOf = ({ win_rate_error }: Pick<NamedRate, "win_rate_error">, { figures }: PageContext) =>
  win_rate_error !== null && html` <small><bdi>± ${figures.percent(win_rate_error)}</bdi></small>`;

export interface TrendDay extends RatesOfHero {
  date: string;
}

const TREND = `
  SELECT hero_id, date, win_rate, ban_rate, appearance_rate FROM hero_trend WHERE hero_id = @id AND rank = @rank ORDER BY date`;

/** The rates by day in the rank of the page, as far back as the upstream goes. */
export const readDays = ({ snapshot, values: { rank = "" } }: PageContext, id: number): TrendDay[] =>
  snapshot.select<TrendDay>(TREND, { id, rank });

/** The win rate by day as a line, and all rates as a table. */
export function trend(context: PageContext, id: number, days: readonly TrendDay[]): Html | undefined {
  if (days.length === 0) return undefined;
  const { messages, figures } = context;
  const { trends: words } = messages.heroes;
  const rows = days.toReversed();
  const shown = showTable(context, {
    caption: words.daysOfHero,
    columns: [column.day("date", words.day), ...rateColumns(messages)],
    rows,
  });
  const chart = lineChart(context, {
    title: words.byDay({ rate: messages.frame.rates.winRate }),
    steps: alongDays(
      days.map(({ date }) => date),
      figures,
    ),
    lines: [{ name: calledIn(id, context), values: days.map(({ win_rate }) => win_rate) }],
  });
  return html`${chart}
<details><summary>${words.allRates({ days: days.length })}</summary>${shown}</details>`;
}
