import type { Labels } from "./labels.ts";
import { isNews, judge, measureNoise, type Spread, stepOf, toSpread } from "./noise.ts";
import type { Pair } from "./pair.ts";
import type { Scope } from "./scope.ts";

/** The smallest change of a day that matters, in the increase of a win rate. */
export const SMALLEST = 0.005;

interface Group {
  source: string;
  rank: string;
  days: number;
}

/**
 * A hero that does another good or ill by another amount than before. The lists hold five: of one that came or went
 * only the side inside is known, and `change` is what it must have moved at least to cross the edge of the list.
 */
export interface Matchup extends Group {
  hero_id: number;
  name: string;
  side: "best" | "worst";
  other_hero_id: number;
  other: string;
  place_before: number | null;
  place_after: number | null;
  before: number | null;
  after: number | null;
  change: number;
  /** The change beyond that of all who stayed in the lists of that source, rank and window. */
  apart: number;
  score: number | null;
}

export interface MatchupChanges {
  matchups: Matchup[];
  /** How many entries came, went and stayed, and how the ones that stayed moved. */
  spread: (Group & Spread & { entered: number; left: number; smallest: number })[];
}

type Entry = Pick<Matchup, "place_before" | "place_after" | "before" | "after" | "hero_id" | "side" | "other_hero_id"> &
  Group & {
    change: number;
    /** Of one that came or went: what moved everybody may have moved it so far. */
    beyond(median: number): number;
  };

/** `stats` does not state its window; it moves as a week does. */
const WINDOW_OF_STATS = 7;

export function compareMatchups(pair: Pair, labels: Labels, scope: Scope, nights: number): MatchupChanges {
  const matchups: Matchup[] = [];
  const spread: MatchupChanges["spread"] = [];
  for (const entries of readEntries(pair)) {
    const { source, rank, days } = entries[0] as Entry;
    if (!scope.shows("hero_pairing", { rank, days, rate: "increase_win_rate" })) continue;
    const smallest = SMALLEST * Math.min(1, nights / (days || WINDOW_OF_STATS));
    const stayed = entries.filter(({ before, after }) => before !== null && after !== null);
    const entered = entries.filter(({ before }) => before === null).length;
    const step = stepOf(entries.flatMap(({ before, after }) => [before ?? 0, after ?? 0]));
    const measured = stayed.map(({ change }) => ({ change, errors: ALIKE }));
    const noise = measureNoise(measured);
    const counts = { entered, left: entries.length - stayed.length - entered };
    spread.push({ source, rank, days, ...toSpread(noise, measured, step), ...counts, smallest });
    for (const { beyond, ...entry } of entries) {
      const verdict = judge(noise, { change: beyond(noise.median) + noise.median, errors: ALIKE }, step);
      if (!isNews(verdict, smallest) || !scope.has(entry.hero_id, entry.other_hero_id)) continue;
      const [name, other] = [labels("hero_id", entry.hero_id), labels("hero_id", entry.other_hero_id)];
      matchups.push({ ...entry, name, other, ...verdict });
    }
  }
  return { matchups: matchups.sort(byNews), spread };
}

/** How often two heroes meet is not told in any way. */
const ALIKE = [1];

const byNews = (a: Matchup, b: Matchup) =>
  Math.abs(b.score ?? 0) - Math.abs(a.score ?? 0) || Math.abs(b.apart) - Math.abs(a.apart);

interface Place extends Group {
  hero_id: number;
  side: "best" | "worst";
  other_hero_id: number;
  position: number;
  increase_win_rate: number;
}

/** By source, rank and window: whoever is in a list before or after. Lists of heroes that came or went are left out. */
function readEntries({ db }: Pair): Entry[][] {
  const [was, now] = [readLists(db, "was"), readLists(db, "main")];
  const entries = [...now].flatMap(([id, after]) => mergeLists(was.get(id) ?? [], after));
  return [...Map.groupBy(entries, ({ source, rank, days }) => `${source} ${rank} ${days}`).values()];
}

const readLists = (db: Pair["db"], schema: string) =>
  Map.groupBy(
    db
      .prepare<[], Place>(
        `SELECT source, rank, days, hero_id, side, other_hero_id, position, increase_win_rate
         FROM ${schema}.hero_pairing WHERE other_hero_id IN (SELECT hero_id FROM main.hero INTERSECT SELECT hero_id FROM was.hero)
         ORDER BY source, rank, days, hero_id, side, position`,
      )
      .all(),
    ({ source, rank, days, hero_id, side }) => `${source} ${rank} ${days} ${hero_id} ${side}`,
  );

function mergeLists(before: readonly Place[], after: readonly Place[]): Entry[] {
  const [lastBefore, lastAfter] = [before.at(-1), after.at(-1)];
  if (!lastBefore || !lastAfter) return [];
  const was = new Map(before.map((place) => [place.other_hero_id, place]));
  const now = new Map(after.map((place) => [place.other_hero_id, place]));
  return [...new Set([...now.keys(), ...was.keys()])].map((other_hero_id) => {
    const [old, current] = [was.get(other_hero_id), now.get(other_hero_id)];
    const { source, rank, days, hero_id, side } = lastAfter;
    const seen = (current ?? lastAfter).increase_win_rate - (old ?? lastBefore).increase_win_rate;
    const upward = (old === undefined) === (side === "best");
    const beyond = (median: number) => (old && current ? seen - median : atLeast(seen - median, upward));
    return {
      ...{ source, rank, days, hero_id, side, other_hero_id },
      place_before: old?.position ?? null,
      place_after: current?.position ?? null,
      before: old?.increase_win_rate ?? null,
      after: current?.increase_win_rate ?? null,
      change: beyond(0),
      beyond,
    };
  });
}

/** One that was outside lay beyond the edge of the list: it has moved at least from there, or nobody can tell (0). */
const atLeast = (change: number, upward: boolean) => (upward ? Math.max(0, change) : Math.min(0, change));
