import { alongDays, lineChart } from "../charts/lines.ts";
import { calledIn } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, rateColumns, showTable } from "../report.ts";

export interface TrendDay {
  date: string;
  win_rate: number;
  ban_rate: number;
  appearance_rate: number;
}

const TREND = `
  SELECT date, win_rate, ban_rate, appearance_rate FROM hero_trend WHERE hero_id = @id AND rank = @rank ORDER BY date`;

/** The rates by day in the rank of the page, as far back as the upstream goes. */
export const readDays = ({ snapshot, values: { rank = "" } }: PageContext, id: number): TrendDay[] =>
  snapshot.select<TrendDay>(TREND, { id, rank });

/** The win rate by day as a line, and all rates as a table. */
export function trend(context: PageContext, id: number, days: readonly TrendDay[]): Html | undefined {
  if (days.length === 0) return undefined;
  const { messages, figures } = context;
  const { trends: words, charts } = messages.heroes;
  const rows = days.toReversed();
  const shown = showTable(
    { caption: words.daysOfHero, columns: [column.day("date", words.day), ...rateColumns(messages)], rows },
    context,
  );
  const chart = lineChart({
    words: charts,
    figures,
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
