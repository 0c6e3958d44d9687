import type SQLite from "better-sqlite3";
import type { Rate } from "./chance.ts";
import type { Pair } from "./pair.ts";

/** Why a longer window moved: through the days that came in, or through those that fell out. */
export type Through = "entered" | "left" | null;

interface Moved {
  rank: string;
  days: number;
  hero_id: number;
  before: number;
}

/** By the daily series: were the days that entered the window, or those that left it, farther from what it was? */
export function createExplain(pair: Pair): (moved: Moved, rate: Rate) => Through {
  const [was, now] = [lastDay(pair, "was"), lastDay(pair, "main")];
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
  return ({ rank, days, hero_id, before }, rate) => {
    if (days <= nights) return null;
    // Either snapshot is asked for the days that only its own window holds: backwards, the older ones come in.
    const own = (schema: string, last: string, other: string) => {
      const back = last > other ? "0 days" : `-${days} days`;
      const [from, to] = last > other ? [other, last] : [last, other];
      return prepare(schema, rate).get(rank, hero_id, from, back, to, back) ?? null;
    };
    const [entered, left] = [own("main", now, was), own("was", was, now)];
    if (entered === null || left === null) return null;
    return Math.abs(entered - before) >= Math.abs(left - before) ? "entered" : "left";
  };
}

const lastDay = ({ db }: Pair, schema: string) =>
  db.prepare<[], string | null>(`SELECT max(date) FROM ${schema}.hero_trend`).pluck().get() ?? null;

const nightsBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** Nights between the two, by the newest day of the upstream's own series; by the clock where there is none. */
export function countDays(pair: Pair): number {
  const [from, to] = [lastDay(pair, "was") ?? pair.was.started_at, lastDay(pair, "main") ?? pair.now.started_at];
  return Math.abs(nightsBetween(from, to));
}
