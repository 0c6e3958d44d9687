import { existsSync } from "node:fs";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../../api/failure.ts";
import { refuseForeign } from "../history/open.ts";
import { errorsOf, RATE_NAMES, type Rate } from "./chance.ts";
import { distancesOf, factorsOf, type Measured, measureNoise, type Usual } from "./noise.ts";

/** With fewer changes from night to night the two nights speak for themselves. */
export const LEAST_NIGHTS = 8;

/** The newest days of the history; what was usual a year ago need not be, and more of them only cost time. */
const NEWEST = 31;

/** What is usual from one night to another so many nights later, of each rate in each rank and window. */
export interface UsualChanges {
  /** The most changes that were found for any of them. */
  nights: number;
  /** Undefined where too few were found. */
  of(group: { rank: string; days: number; rate: Rate }): Usual | undefined;
}

/** Reads the history, and nothing but reads. */
export function readUsual(file: string, nightsApart: number): UsualChanges {
  const db = openHistory(file);
  try {
    const { dates, groups } = db.transaction(() => readGroups(db))();
    const pairs = pairDates(dates, nightsApart);
    const usual = new Map<string, Usual>();
    for (const [id, heroes] of groups)
      for (const rate of RATE_NAMES) usual.set(`${id} ${rate}`, learn([...heroes.values()], rate, pairs));
    return {
      nights: Math.max(0, ...[...usual.values()].map(({ nights }) => nights)),
      of({ rank, days, rate }) {
        const found = usual.get(`${rank} ${days} ${rate}`);
        return found && found.nights >= LEAST_NIGHTS ? found : undefined;
      },
    };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (!String(code).startsWith("SQLITE_")) throw error;
    throw new Failure(EXIT.usage, `${file}: cannot be read (${message})`, "fold it with `npm run history`", error);
  } finally {
    db.close();
  }
}

function openHistory(file: string): SQLite.Database {
  const hint = "fold one with `npm run history`, or name another with --history";
  if (!existsSync(file)) throw new Failure(EXIT.usage, `${file}: does not exist`, hint);
  let db: SQLite.Database | undefined;
  try {
    db = new SQLite(file, { readonly: true, fileMustExist: true });
    // A history from somewhere else must not run functions through its own views.
    db.pragma("trusted_schema = OFF");
    refuseForeign(db, file, hint);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.usage, `${file}: cannot be read (${(error as Error).message})`, hint, error);
  }
}

/** The rates of a hero, by the place of the day. */
type Series = ({ [rate in Rate]: number } | undefined)[];

interface Span extends Record<Rate, number> {
  rank: string;
  days: number;
  hero_id: number;
  date_from: string;
  date_to: string | null;
}

/** Series of the heroes by rank and window, day by day; of two nights on a day the later one counts. */
function readGroups(db: SQLite.Database) {
  const dates = db
    .prepare<[number], string>("SELECT DISTINCT date FROM night ORDER BY date DESC LIMIT ?")
    .pluck()
    .all(NEWEST)
    .reverse();
  const groups = new Map<string, Map<number, Series>>();
  const spans = db.prepare<[string], Span>(
    `SELECT rank, days, hero_id, ${RATE_NAMES.join(", ")}, date_from, date_to FROM hero_rate WHERE date_to IS NULL OR date_to > ?`,
  );
  for (const { rank, days, hero_id, date_from, date_to, ...rates } of spans.iterate(dates[0] ?? "")) {
    const heroes = groups.get(`${rank} ${days}`) ?? new Map<number, Series>();
    groups.set(`${rank} ${days}`, heroes);
    const series = heroes.get(hero_id) ?? [];
    heroes.set(hero_id, series);
    for (const [place, date] of dates.entries())
      if (date_from <= date && (date_to === null || date < date_to)) series[place] = rates;
  }
  return { dates, groups };
}

/** Places of days that lie so far apart. */
function pairDates(dates: readonly string[], nightsApart: number): [number, number][] {
  const later = (date: string) => new Date(Date.parse(date) + nightsApart * 86_400_000).toISOString().slice(0, 10);
  return dates.flatMap((date, place): [number, number][] => {
    const other = dates.indexOf(later(date));
    return other < 0 ? [] : [[place, other]];
  });
}

/** Over all nights together, after what moved everybody was taken off each. A night that brought nothing new says nothing. */
function learn(heroes: readonly Series[], rate: Rate, pairs: readonly [number, number][]): Usual {
  const distances: number[][] = [];
  let nights = 0;
  for (const [from, to] of pairs) {
    const changes = heroes.flatMap((series): Measured[] => {
      const [before, after] = [series[from], series[to]];
      if (!before || !after) return [];
      const played = (before.appearance_rate + after.appearance_rate) / 2;
      return [{ change: after[rate] - before[rate], errors: errorsOf(rate, before[rate], after[rate], played) }];
    });
    if (changes.every(({ change }) => change === 0)) continue;
    nights += 1;
    for (const [law, ofLaw] of distancesOf(changes, measureNoise(changes).median).entries()) {
      const known = distances[law] ?? [];
      distances[law] = known;
      known.push(...ofLaw);
    }
  }
  return { factors: factorsOf(distances), nights };
}
