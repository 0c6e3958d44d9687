import { isDeepStrictEqual } from "node:util";
import type SQLite from "better-sqlite3";
import type { Moments } from "../asked.ts";
import type { Pair } from "../pair.ts";
import type { Rate } from "./error-models.ts";

/**
 * Why the rate of a longer window changed: because of the days that entered it, or of those that left it. Null:
 * unknown.
 */
export type WindowCause = "entered" | "left" | null;

interface ChangedRate {
  rank: string;
  days: number;
  hero_id: number;
  before: number;
}

/**
 * Compares, in the daily series, which days were farther from the earlier rate: those that entered the window or those
 * that left. Where the two snapshots are of several nights, only series that were asked with the rate tell.
 */
export function createWindowExplainer(
  pair: Pair,
): (changed: ChangedRate, rate: Rate, moments: Moments | undefined) => WindowCause {
  const [was, now] = [lastTrendDate(pair, "was"), lastTrendDate(pair, "main")];
  if (was === null || now === null || was === now) return () => null;
  const nights = Math.abs(nightsBetween(was, now));
  const statements = new Map<string, SQLite.Statement<unknown[], number | null>>();
  const prepare = (schema: string, rate: Rate) => {
    const sql = `SELECT CASE WHEN count(*) = ${nights} THEN avg(${rate}) END FROM ${schema}.hero_trend
                 WHERE rank = ? AND hero_id = ? AND date > date(?, ?) AND date <= date(?, ?)`;
    const statement = statements.get(sql) ?? pair.db.prepare<unknown[], number | null>(sql).pluck();
    statements.set(sql, statement);
    return statement;
  };
  const series = pair.tables.find(({ name }) => name === "hero_trend");
  return ({ rank, days, hero_id, before }, rate, moments) => {
    const asked = moments && series && pair.origins?.comparedAt(series, { rank, hero_id });
    if (days <= nights || !isDeepStrictEqual(asked, moments)) return null;
    // Each snapshot is asked for the days that only its own window holds. Compared backwards, older days enter.
    const averageOf = (schema: string, last: string, other: string) => {
      const back = last > other ? "0 days" : `-${days} days`;
      const [from, to] = last > other ? [other, last] : [last, other];
      return prepare(schema, rate).get(rank, hero_id, from, back, to, back) ?? null;
    };
    const [entered, left] = [averageOf("main", now, was), averageOf("was", was, now)];
    if (entered === null || left === null) return null;
    return Math.abs(entered - before) >= Math.abs(left - before) ? "entered" : "left";
  };
}

const lastTrendDate = ({ db }: Pair, schema: string) =>
  db.prepare<[], string | null>(`SELECT max(date) FROM ${schema}.hero_trend`).pluck().get() ?? null;

/** 0 where one is no date. */
export const countNightsBetween = (from: string, to: string): number => Math.abs(nightsBetween(from, to)) || 0;

const nightsBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/**
 * Nights between the two snapshots: by the newest date of the upstream's daily series, by the start of the crawl
 * without one, and where the series may be of an earlier night.
 */
export function countNightsApart(pair: Pair): number {
  if (pair.asked) return countNightsBetween(pair.before.started_at, pair.after.started_at);
  const [from, to] = [
    lastTrendDate(pair, "was") ?? pair.before.started_at,
    lastTrendDate(pair, "main") ?? pair.after.started_at,
  ];
  return Math.abs(nightsBetween(from, to));
}
