import type { Moments } from "../asked.ts";
import type { LabelLookup } from "../labels.ts";
import type { Pair } from "../pair.ts";
import type { Scope } from "../scope.ts";
import { estimateNoise, isOutlier, roundingStep, type Spread, scoreChange, summariseNoise } from "./noise.ts";
import { createTiming, type Timing } from "./timing.ts";

/** The smallest change of `increase_win_rate` within one day that is worth reporting. */
const MIN_DAILY_MATCHUP_CHANGE = 0.005;

interface Group {
  source: string;
  rank: string;
  days: number;
}

/**
 * A pair of heroes whose effect on each other's win rate changed. The upstream lists the five best and worst only:
 * where one entered or left the list, its rate is known on one side, and `change` is how far it must have moved at
 * least.
 */
interface MovedMatchup extends Group, Partial<Moments> {
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
  /** The change minus the median of all pairs that stayed in the lists of that source, rank and window. */
  apart: number;
  /** `apart` in standard deviations; null with too few changes to estimate one. */
  score: number | null;
}

export interface MatchupChanges {
  matchups: MovedMatchup[];
  /** For each group: the noise of the pairs that stayed, and how many entered and left the lists. */
  spread: (Group & Spread & { entered: number; left: number; smallest: number } & Partial<Moments>)[];
}

type Entry = Pick<
  MovedMatchup,
  "place_before" | "place_after" | "before" | "after" | "hero_id" | "side" | "other_hero_id"
> &
  Group & {
    change: number;
    /** The change minus a median; for a pair that entered or left, the part of it that is certain. */
    changeBeyond(median: number): number;
  };

/** `stats` does not state its window; its rates move like those of a week. */
const STATS_WINDOW_DAYS = 7;

export function compareMatchups(pair: Pair, labels: LabelLookup, scope: Scope): MatchupChanges {
  const matchups: MovedMatchup[] = [];
  const spread: MatchupChanges["spread"] = [];
  for (const { entries, nights, moments } of readEntries(pair)) {
    const { source, rank, days } = entries[0] as Entry;
    if (!scope.includesStatistic("hero_pairing", { rank, days, rate: "increase_win_rate" })) continue;
    const smallest = MIN_DAILY_MATCHUP_CHANGE * Math.min(1, nights / (days || STATS_WINDOW_DAYS));
    const stayed = entries.filter(({ before, after }) => before !== null && after !== null);
    const entered = entries.filter(({ before }) => before === null).length;
    const step = roundingStep(entries.flatMap(({ before, after }) => [before ?? 0, after ?? 0]));
    const measured = stayed.map(({ change }) => ({ change, relativeErrors: EQUAL_ERRORS }));
    const noise = estimateNoise(measured);
    const counts = { entered, left: entries.length - stayed.length - entered };
    spread.push({ source, rank, days, ...summariseNoise(noise, measured, step), ...counts, smallest, ...moments });
    for (const { changeBeyond, ...entry } of entries) {
      const scored = scoreChange(
        noise,
        { change: changeBeyond(noise.median) + noise.median, relativeErrors: EQUAL_ERRORS },
        step,
      );
      if (!isOutlier(scored, smallest) || !scope.includesHero(entry.hero_id, entry.other_hero_id)) continue;
      const [name, other] = [labels("hero_id", entry.hero_id), labels("hero_id", entry.other_hero_id)];
      matchups.push({ ...entry, name, other, ...scored, ...moments });
    }
  }
  return { matchups: matchups.sort(byScore), spread };
}

/** Nothing tells how often two heroes meet, so all errors count as equal. */
const EQUAL_ERRORS = [1];

const byScore = (a: MovedMatchup, b: MovedMatchup) =>
  Math.abs(b.score ?? 0) - Math.abs(a.score ?? 0) || Math.abs(b.apart) - Math.abs(a.apart);

interface ListedPairing extends Group {
  hero_id: number;
  side: "best" | "worst";
  other_hero_id: number;
  position: number;
  increase_win_rate: number;
}

/**
 * Pairs that are in a list of both or either snapshot, grouped by source, rank and window, and by when they were asked. Lists of
 * heroes that only one snapshot has are left out, and those that were carried over.
 */
function readEntries(pair: Pair): (Timing & { entries: Entry[] })[] {
  const [was, now] = [readLists(pair.db, "was"), readLists(pair.db, "main")];
  const timeOf = createTiming(pair, "hero_pairing");
  const groups = new Map<string, Timing & { entries: Entry[] }>();
  for (const [id, after] of now) {
    const [first] = after;
    const timing = first && timeOf({ ...first });
    const entries = timing ? mergeLists(was.get(id) ?? [], after) : [];
    if (!first || !timing || entries.length === 0) continue;
    const { changed_after, changed_before } = timing.moments ?? {};
    const name = [first.source, first.rank, first.days, changed_after, changed_before].join(" ");
    const group = groups.get(name) ?? { ...timing, entries: [] };
    group.entries.push(...entries);
    groups.set(name, group);
  }
  return [...groups.values()];
}

const readLists = (db: Pair["db"], schema: string) =>
  Map.groupBy(
    db
      .prepare<[], ListedPairing>(
        `SELECT source, rank, days, hero_id, side, other_hero_id, position, increase_win_rate
         FROM ${schema}.hero_pairing WHERE other_hero_id IN (SELECT hero_id FROM main.hero INTERSECT SELECT hero_id FROM was.hero)
         ORDER BY source, rank, days, hero_id, side, position`,
      )
      .all(),
    ({ source, rank, days, hero_id, side }) => `${source} ${rank} ${days} ${hero_id} ${side}`,
  );

function mergeLists(before: readonly ListedPairing[], after: readonly ListedPairing[]): Entry[] {
  const [lastBefore, lastAfter] = [before.at(-1), after.at(-1)];
  if (!lastBefore || !lastAfter) return [];
  const was = new Map(before.map((pairing) => [pairing.other_hero_id, pairing]));
  const now = new Map(after.map((pairing) => [pairing.other_hero_id, pairing]));
  return [...new Set([...now.keys(), ...was.keys()])].map((other_hero_id) => {
    const [old, current] = [was.get(other_hero_id), now.get(other_hero_id)];
    const { source, rank, days, hero_id, side } = lastAfter;
    const seen = (current ?? lastAfter).increase_win_rate - (old ?? lastBefore).increase_win_rate;
    const upward = (old === undefined) === (side === "best");
    const changeBeyond = (median: number) => (old && current ? seen - median : lowerBound(seen - median, upward));
    return {
      ...{ source, rank, days, hero_id, side, other_hero_id },
      place_before: old?.position ?? null,
      place_after: current?.position ?? null,
      before: old?.increase_win_rate ?? null,
      after: current?.increase_win_rate ?? null,
      change: changeBeyond(0),
      changeBeyond,
    };
  });
}

/**
 * Outside the list its rate was beyond the last one listed: it moved at least from there, or possibly not at all (0).
 */
const lowerBound = (change: number, upward: boolean) => (upward ? Math.max(0, change) : Math.min(0, change));
