import type SQLite from "better-sqlite3";
import type { RowOf } from "../schema/definition.ts";
import { DAYS_OF_TREND, MOST_DAYS, type rateErrorTable } from "../schema/tables/rate-error.ts";

type RateError = RowOf<typeof rateErrorTable>;

const DAY_MS = 86_400_000;

/** Reads the errors of each hero, rank and window whose trend ends with all its days, one after the other. */
export function readRateErrors(db: SQLite.Database): RateError[] {
  const rows = db
    .prepare<[], { hero_id: number; rank: string; date: string; win_rate: number }>(
      "SELECT hero_id, rank, date, win_rate FROM hero_trend ORDER BY hero_id, rank, date",
    )
    .all();
  const windows = db.prepare<[], number>("SELECT days FROM day_window ORDER BY days").pluck().all();
  const trends = Map.groupBy(rows, ({ hero_id, rank }) => `${hero_id} ${rank}`);
  return [...trends.values()].flatMap((whole) => {
    // Series of different nights have more days together.
    const trend = whole.slice(-DAYS_OF_TREND);
    const [first, last] = [trend[0], trend.at(-1)];
    if (!first || !last || trend.length < DAYS_OF_TREND) return [];
    if (midnightOf(last) - midnightOf(first) !== (DAYS_OF_TREND - 1) * DAY_MS) return [];
    const rates = trend.map(({ win_rate }) => win_rate);
    const { rank, hero_id } = first;
    return windows
      .map((days) => ({ rank, days, hero_id, win_rate_error: Math.round(1e6 * errorOfMean(rates, days)) / 1e6 }))
      .filter(({ win_rate_error }) => Number.isFinite(win_rate_error));
  });
}

/** In milliseconds; NaN for another form than YYYY-MM-DD, which JavaScript would read in the time zone of the machine. */
const midnightOf = ({ date }: { date: string }) => (/^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN);

/**
 * Returns the standard error of a mean of so many days, by the scatter of a whole trend: of the means of as many consecutive days about a
 * line through them, which a steady rise does not touch. Differences from day to day would not do: if the upstream's days are means of
 * several, as captured trends look, they show a seventh of the chance. Means of more than a week are too few in a trend.
 */
export function errorOfMean(rates: readonly number[], days: number): number {
  const length = Math.min(days, MOST_DAYS);
  const means = rates
    .slice(length - 1)
    .map((_, start) => rates.slice(start, start + length).reduce((sum, rate) => sum + rate, 0) / length);
  const middle = means.reduce((sum, mean) => sum + mean, 0) / means.length;
  const rise =
    means.reduce((sum, mean, at) => sum + (mean - middle) * fromMiddle(at, means), 0) / squares(means.length);
  const apart = means.map((mean, at) => mean - middle - rise * fromMiddle(at, means));
  const variance = apart.reduce((sum, one) => sum + one * one, 0) / means.length / (LEFT.get(length) ?? 1);
  return Math.sqrt((variance * length) / days);
}

const fromMiddle = (at: number, { length }: ArrayLike<unknown>) => at - (length - 1) / 2;

/** Sums the squares of so many consecutive numbers about their middle. */
const squares = (count: number) => (count * (count * count - 1)) / 12;

/**
 * Returns the share that a line leaves of the variance of the means: it follows some of the chance, the more the fewer means have no day in
 * common. Exact if the days do not depend on each other: the squares of what is left of each day in all means.
 */
function shareLeft(length: number): number {
  const means = Array.from({ length: DAYS_OF_TREND - length + 1 });
  let left = 0;
  for (let day = 0; day < DAYS_OF_TREND; day++) {
    const having = means.flatMap((_, start) =>
      start <= day && day < start + length ? [fromMiddle(start, means)] : [],
    );
    const moment = having.reduce((sum, at) => sum + at, 0);
    left += having.length - having.length ** 2 / means.length - moment ** 2 / squares(means.length);
  }
  return left / length / means.length;
}

const LEFT = new Map(Array.from({ length: MOST_DAYS }, (_, index) => [index + 1, shareLeft(index + 1)]));
