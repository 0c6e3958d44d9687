import { alongNames, lineChart } from "../charts/lines.ts";
import { table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { CsvTable, PageContext } from "../page.ts";

const RATES =
  "SELECT rank, days, win_rate, win_rate_error, ban_rate, appearance_rate FROM rate_list WHERE hero_id = @id";

interface RateRow {
  rank: string;
  days: number;
  win_rate: number;
  /** Null if the trend of the rank is not whole. */
  win_rate_error: number | null;
  ban_rate: number;
  appearance_rate: number;
}

/** With the names of its rank and window. */
export interface NamedRate extends RateRow {
  label: string;
  window: string;
}

/** The rates by rank and window, in their order. */
export function readHeroRates({ snapshot, facts }: PageContext, id: number): NamedRate[] {
  const rows = snapshot.select<RateRow>(RATES, { id });
  const rowOf = new Map(rows.map((rate) => [`${rate.rank} ${rate.days}`, rate]));
  return facts.ranks.flatMap(({ value: rank, label }) =>
    facts.windows.flatMap(({ value: days, label: window }) => {
      const rate = rowOf.get(`${rank} ${days}`);
      return rate ? [{ ...rate, label, window }] : [];
    }),
  );
}

export const csvOfRates = (context: PageContext, id: number): CsvTable => ({
  columns: ["hero_id", "rank", "days", "win_rate", "win_rate_error", "appearance_rate", "ban_rate"],
  rows: readHeroRates(context, id).map((rate) => [
    id,
    rate.rank,
    rate.days,
    rate.win_rate,
    rate.win_rate_error,
    rate.appearance_rate,
    rate.ban_rate,
  ]),
});

export function rates(context: PageContext, listed: readonly NamedRate[]): Html | undefined {
  const { facts, messages, figures } = context;
  const { percent } = figures;
  const { charts: words } = messages.heroes;
  const { winRate, pickRate, banRate } = messages.frame.rates;
  if (listed.length === 0) return undefined;
  const rows = listed.map((rate) => [
    rate.label,
    rate.window,
    html`${percent(rate.win_rate)}${errorOf(rate, context)}`,
    percent(rate.appearance_rate),
    percent(rate.ban_rate),
  ]);
  const columns = [
    { head: messages.frame.choices.rank },
    { head: messages.frame.choices.window },
    ...[winRate, pickRate, banRate].map((head) => ({ head, number: true })),
  ];
  const find = (rank: string, days: string) => listed.find((rate) => rate.rank === rank && rate.days === Number(days));
  const climbed = facts.ranks.filter(({ value }) => value !== "all");
  const chart = lineChart({
    words,
    figures,
    title: words.fromRankToRank,
    steps: alongNames(climbed.map(({ label }) => label)),
    lines: facts.windows.map(({ value: days, label }) => ({
      name: label,
      values: climbed.map(({ value: rank }) => find(rank, days)?.win_rate ?? null),
    })),
  });
  const hasErrors = listed.some(({ win_rate_error }) => win_rate_error !== null);
  return html`${chart}${table(words.inEachRankAndWindow, columns, rows)}${hasErrors && html`<p class="none">${messages.heroes.hero.error}</p>`}`;
}

/** How sure the win rate is. */
export const errorOf = ({ win_rate_error }: Pick<NamedRate, "win_rate_error">, { figures }: PageContext) =>
  win_rate_error !== null && html` <small><bdi>± ${figures.percent(win_rate_error)}</bdi></small>`;
