import { existsSync } from "node:fs";
import SQLite from "better-sqlite3";
import { EXIT, Failure } from "../../../api/failure.ts";
import { requireHistory } from "../../history/open.ts";
import { RATE_NAMES, type Rate, relativeErrors } from "./error-models.ts";
import { type Baseline, estimateNoise, type MeasuredChange, scaledDistances, scalesOf } from "./noise.ts";

/** With fewer pairs of nights in the history, the noise is estimated from the two snapshots alone. */
export const MIN_NIGHTS = 8;

/** Only the newest dates of the history are read: older ones say little about today, and cost time. */
const MAX_DATES = 31;

/** Baselines of each rate in each rank and window, for snapshots a given number of nights apart. */
export interface Baselines {
  /** The largest number of pairs of nights that one of them was measured over. */
  nights: number;
  /** Undefined with fewer than `MIN_NIGHTS` pairs of nights. */
  of(group: { rank: string; days: number; rate: Rate }): Baseline | undefined;
}

/**
 * Reads a history file without writing to it. Throws `Failure(EXIT.usage)` for a file that is none or cannot be read.
 */
export function readBaselines(file: string, nightsApart: number): Baselines {
  const db = openHistory(file);
  try {
    const { dates, groups } = db.transaction(() => readGroups(db))();
    const pairs = pairDates(dates, nightsApart);
    const baselines = new Map<string, Baseline>();
    for (const [id, heroes] of groups)
      for (const rate of RATE_NAMES) baselines.set(`${id} ${rate}`, toBaseline([...heroes.values()], rate, pairs));
    return {
      nights: Math.max(0, ...[...baselines.values()].map(({ nights }) => nights)),
      of({ rank, days, rate }) {
        const baseline = baselines.get(`${rank} ${days} ${rate}`);
        return baseline && baseline.nights >= MIN_NIGHTS ? baseline : undefined;
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
    // The views of a file from elsewhere must not call functions.
    db.pragma("trusted_schema = OFF");
    requireHistory(db, file, hint);
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof Failure) throw error;
    throw new Failure(EXIT.usage, `${file}: cannot be read (${(error as Error).message})`, hint, error);
  }
}

/** The rates of a hero, by the index of the date. */
type Series = ({ [rate in Rate]: number } | undefined)[];

interface Span extends Record<Rate, number> {
  rank: string;
  days: number;
  hero_id: number;
  date_from: string;
  date_to: string | null;
}

/**
 * The daily series of each hero, by rank and window. Of two nights with one date the later one counts; a list that it carried over
 * from an earlier date says nothing of its own.
 */
function readGroups(db: SQLite.Database) {
  const dates = db
    .prepare<[number], string>("SELECT DISTINCT date FROM night ORDER BY date DESC LIMIT ?")
    .pluck()
    .all(MAX_DATES)
    .reverse();
  const carried = readCarried(db);
  const groups = new Map<string, Map<number, Series>>();
  const spans = db.prepare<[string], Span>(
    `SELECT rank, days, hero_id, ${RATE_NAMES.join(", ")}, date_from, date_to FROM hero_rate WHERE date_to IS NULL OR date_to > ?`,
  );
  for (const { rank, days, hero_id, date_from, date_to, ...rates } of spans.iterate(dates[0] ?? "")) {
    const heroes = groups.get(`${rank} ${days}`) ?? new Map<number, Series>();
    groups.set(`${rank} ${days}`, heroes);
    const series = heroes.get(hero_id) ?? [];
    heroes.set(hero_id, series);
    for (const [index, date] of dates.entries())
      if (date_from <= date && (date_to === null || date < date_to) && !carried.has(`${rank} ${days} ${date}`))
        series[index] = rates;
  }
  return { dates, groups };
}

/** The lists, by rank, window and date, that were asked on another date; earlier histories know none. */
function readCarried(db: SQLite.Database): Set<string> {
  const knowsCarried = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'carried_slice_fact'").get();
  if (!knowsCarried) return new Set();
  const found = db
    .prepare<[], string>(
      `SELECT rank || ' ' || days || ' ' || date FROM (SELECT max(night_id) AS night_id, date FROM night GROUP BY date) AS last
       JOIN slice ON dataset = 'rank' JOIN carried_slice_fact USING (slice_id) WHERE asked_at < date
         AND from_night <= last.night_id AND ifnull(to_night > last.night_id, true)`,
    )
    .pluck();
  return new Set(found.all());
}

/** Indexes of the pairs of dates that are `nightsApart` apart. */
function pairDates(dates: readonly string[], nightsApart: number): [number, number][] {
  const later = (date: string) => new Date(Date.parse(date) + nightsApart * 86_400_000).toISOString().slice(0, 10);
  return dates.flatMap((date, index): [number, number][] => {
    const other = dates.indexOf(later(date));
    return other < 0 ? [] : [[index, other]];
  });
}

/**
 * Scales over all pairs of nights, after the median of each pair was subtracted. A pair without any change is ignored.
 */
function toBaseline(heroes: readonly Series[], rate: Rate, pairs: readonly [number, number][]): Baseline {
  const distances: number[][] = [];
  let nights = 0;
  for (const [from, to] of pairs) {
    const changes = heroes.flatMap((series): MeasuredChange[] => {
      const [before, after] = [series[from], series[to]];
      if (!before || !after) return [];
      const pickShare = (before.appearance_rate + after.appearance_rate) / 2;
      return [
        {
          change: after[rate] - before[rate],
          relativeErrors: relativeErrors(rate, before[rate], after[rate], pickShare),
        },
      ];
    });
    if (changes.every(({ change }) => change === 0)) continue;
    nights += 1;
    for (const [model, ofModel] of scaledDistances(changes, estimateNoise(changes).median).entries()) {
      const known = distances[model] ?? [];
      distances[model] = known;
      known.push(...ofModel);
    }
  }
  return { scales: scalesOf(distances), nights };
}
