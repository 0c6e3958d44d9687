import type { Labels } from "./labels.ts";
import { isNews, measureSpread, type Spread, scoreOf } from "./noise.ts";
import type { Pair } from "./pair.ts";

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
  score: number | null;
}

export interface MatchupChanges {
  matchups: Matchup[];
  /** How many entries came, went and stayed, and how the ones that stayed moved. */
  spread: (Group & Spread & { entered: number; left: number; smallest: number })[];
}

type Entry = Pick<Matchup, "place_before" | "place_after" | "before" | "after" | "hero_id" | "side" | "other_hero_id"> &
  Group & { change: number };

/** `stats` does not state its window; it moves as a week does. */
const WINDOW_OF_STATS = 7;

export function compareMatchups(pair: Pair, labels: Labels, daysApart: number): MatchupChanges {
  const matchups: Matchup[] = [];
  const spread: MatchupChanges["spread"] = [];
  for (const entries of readEntries(pair)) {
    const { source, rank, days } = entries[0] as Entry;
    const smallest = SMALLEST * Math.min(1, daysApart / (days || WINDOW_OF_STATS));
    const stayed = entries.filter(({ before, after }) => before !== null && after !== null);
    const entered = entries.filter(({ before }) => before === null).length;
    const noise = measureSpread(stayed.map(({ change }) => change));
    spread.push({ source, rank, days, ...noise, entered, left: entries.length - stayed.length - entered, smallest });
    for (const entry of entries) {
      const score = scoreOf(noise, entry.change);
      if (!isNews(entry.change, score, smallest)) continue;
      matchups.push({
        ...entry,
        name: labels("hero_id", entry.hero_id),
        other: labels("hero_id", entry.other_hero_id),
        score,
      });
    }
  }
  const far = ({ score }: Matchup) => Math.abs(score ?? 0);
  return { matchups: matchups.sort((a, b) => far(b) - far(a) || Math.abs(b.change) - Math.abs(a.change)), spread };
}

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
    const change = (current ?? lastAfter).increase_win_rate - (old ?? lastBefore).increase_win_rate;
    return {
      ...{ source, rank, days, hero_id, side, other_hero_id },
      place_before: old?.position ?? null,
      place_after: current?.position ?? null,
      before: old?.increase_win_rate ?? null,
      after: current?.increase_win_rate ?? null,
      change: old && current ? change : atLeast(change, (old === undefined) === (side === "best")),
    };
  });
}

/** One that was outside lay beyond the edge of the list: it has moved at least from there, or nobody can tell (0). */
const atLeast = (change: number, upward: boolean) => (upward ? Math.max(0, change) : Math.min(0, change));
