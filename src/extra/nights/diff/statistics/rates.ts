import { RANK_CODES } from "../../../../api/enumerations.ts";
import type { Moments } from "../asked.ts";
import type { LabelLookup } from "../labels.ts";
import type { Pair } from "../pair.ts";
import type { Scope } from "../scope.ts";
import { LEAST_CHANGE, RATE_NAMES, type Rate, relativeErrors } from "./error-models.ts";
import { findNews, roundingStep, type Spread } from "./noise.ts";
import { createTiming } from "./timing.ts";

interface Group {
  rank: string;
  days: number;
  rate: Rate;
}

/** A rate in one window, before and after. */
interface Moved {
  days: number;
  before: number;
  after: number;
  change: number;
  /** The change minus the median of all heroes of the rank and window. */
  apart: number;
  /** `apart` in standard deviations. */
  score: number;
}

/** A rate of a hero in a rank that moved, in the window in which it stands out most. */
export interface RateMover extends Moved, Partial<Moments> {
  hero_id: number;
  name: string;
  rank: string;
  rate: Rate;
  /** A jump shows in every window that contains it. */
  also_in: Moved[];
}

export interface RateChanges {
  movers: RateMover[];
  /** The noise of each group: the changes of all its heroes together. */
  spread: (Group & Spread & Partial<Moments>)[];
}

interface RateRow {
  rank: string;
  days: number;
  hero_id: number;
  before: number;
  after: number;
  /** Share of all picks, averaged over both snapshots. */
  pickShare: number;
}

/** Heroes whose rates changed differently from the others', the biggest change first. A list that was carried over has not moved, and is left out. */
export function findMovers(pair: Pair, labels: LabelLookup, scope: Scope): RateChanges {
  const moved: (Omit<RateMover, "also_in"> & Group)[] = [];
  const spread: RateChanges["spread"] = [];
  const timeOf = createTiming(pair, "hero_rate");
  for (const rate of RATE_NAMES) {
    for (const rows of readRates(pair, rate)) {
      const { rank, days } = rows[0] as RateRow;
      const group = { rank, days, rate };
      const timing = timeOf(group);
      if (!timing || !scope.includesStatistic("hero_rate", group)) continue;
      const changes = rows.map(({ hero_id, before, after, pickShare }) => ({
        ...{ hero_id, before, after, change: after - before },
        relativeErrors: relativeErrors(rate, before, after, pickShare),
      }));
      const step = roundingStep(rows.flatMap(({ before, after }) => [before, after]));
      const found = findNews(changes, LEAST_CHANGE[rate], step);
      spread.push({ ...group, ...found.spread, ...timing.moments });
      for (const { relativeErrors: _, hero_id, ...values } of found.news)
        if (scope.includesHero(hero_id))
          moved.push({ ...group, hero_id, name: labels("hero_id", hero_id), ...values, ...timing.moments });
    }
  }
  const same = Map.groupBy(moved, ({ rank, rate, hero_id }) => `${rank} ${rate} ${hero_id}`);
  const movers = [...same.values()].flatMap((windows) => {
    const [first, ...others] = windows.sort((a, b) => Math.abs(b.score) - Math.abs(a.score) || a.days - b.days);
    const also_in = others.map(({ days, before, after, change, apart, score }) => ({
      ...{ days, before, after, change, apart, score },
    }));
    return first ? [{ ...first, also_in }] : [];
  });
  return { movers: movers.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.hero_id - b.hero_id), spread };
}

function readRates({ db }: Pair, rate: Rate): RateRow[][] {
  const rows = db
    .prepare<[], RateRow>(
      `SELECT rank, days, hero_id, was.${rate} AS before, now.${rate} AS after,
         (was.appearance_rate + now.appearance_rate) / 2 AS pickShare
       FROM main.hero_rate AS now JOIN was.hero_rate AS was USING (rank, days, hero_id) ORDER BY rank, days, hero_id`,
    )
    .all();
  const ranks: readonly string[] = RANK_CODES;
  return [...Map.groupBy(rows, ({ rank, days }) => `${rank} ${days}`).values()].sort(
    ([a], [b]) => ranks.indexOf(a?.rank ?? "") - ranks.indexOf(b?.rank ?? "") || (a?.days ?? 0) - (b?.days ?? 0),
  );
}
