import { alongDays, lineChart } from "../charts/lines.ts";
import { table } from "../format.ts";
import { calledIn, type NamedHero } from "../hero-link.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

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
export function trend(context: PageContext, hero: NamedHero, days: readonly TrendDay[]): Html | undefined {
  if (days.length === 0) return undefined;
  const { heroes, frame } = context.messages;
  const { figures } = context;
  const { day, percent } = figures;
  const { trends: words } = heroes;
  const { winRate, pickRate, banRate } = frame.rates;
  const shown = table(
    words.daysOfHero,
    [{ head: words.day }, ...[winRate, pickRate, banRate].map((head) => ({ head, number: true }))],
    days
      .toReversed()
      .map(({ date, win_rate, appearance_rate, ban_rate }) => [
        day(date),
        percent(win_rate),
        percent(appearance_rate),
        percent(ban_rate),
      ]),
  );
  const chart = lineChart({
    words: heroes.charts,
    figures,
    title: words.byDay({ rate: winRate }),
    steps: alongDays(
      days.map(({ date }) => date),
      figures,
    ),
    lines: [{ name: calledIn(hero), values: days.map(({ win_rate }) => win_rate) }],
  });
  return html`${chart}
<details><summary>${words.allRates({ days: days.length })}</summary>${shown}</details>`;
}
