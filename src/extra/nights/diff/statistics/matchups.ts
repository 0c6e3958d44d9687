import type { Moments } from "../asked.ts";
import type { LabelLookup } from "../labels.ts";
import type { Pair } from "../pair.ts";
import type { Scope } from "../scope.ts";
import { LEAST_MATCHUP_CHANGE, winErrors } from "./error-models.ts";
import { findNews, roundingStep, type Spread } from "./noise.ts";
import { createTiming, type Timing } from "./timing.ts";

/** A pair of opponents, told from the side of the one that does better than before. */
interface MovedMatchup extends Partial<Moments> {
  rank: string;
  hero_id: number;
  name: string;
  other_hero_id: number;
  other: string;
  before: number;
  after: number;
  change: number;
  /** The change minus the median of all pairs of the rank. */
  apart: number;
  /** `apart` in standard deviations. */
  score: number;
}

export interface MatchupChanges {
  matchups: MovedMatchup[];
  /** The noise of all pairs, for each rank. */
  spread: ({ rank: string } & Spread & Partial<Moments>)[];
}

interface PairOfHeroes {
  rank: string;
  match_type: number;
  hero_id: number;
  other_hero_id: number;
  before: number;
  after: number;
  pickShare: number;
  otherPickShare: number;
}

/**
 * Pairs of opponents of which one does better against the other, beyond chance, the biggest change first. Team mates are left out:
 * two heroes of one lane play together far less than others (a real record shows a fifteenth), so that nothing tells how far they move by
 * chance.
 */
export function compareMatchups(pair: Pair, labels: LabelLookup, scope: Scope): MatchupChanges {
  const matchups: MovedMatchup[] = [];
  const spread: MatchupChanges["spread"] = [];
  for (const { moments, pairs } of readPairs(pair)) {
    const { rank } = pairs[0] as PairOfHeroes;
    if (!scope.includesStatistic("hero_matchup", { rank, days: 0, rate: "increase_win_rate" })) continue;
    const changes = pairs.map((one) => ({
      ...one,
      change: one.after - one.before,
      relativeErrors: winErrors(one.pickShare, one.otherPickShare),
    }));
    const step = roundingStep(pairs.flatMap(({ before, after }) => [before, after]));
    const found = findNews(changes, LEAST_MATCHUP_CHANGE, step);
    spread.push({ rank, ...found.spread, ...moments });
    for (const news of found.news)
      if (scope.includesHero(news.hero_id, news.other_hero_id)) matchups.push({ ...tell(news, labels), ...moments });
  }
  return { matchups: matchups.sort((a, b) => b.change - a.change || a.hero_id - b.hero_id), spread };
}

function tell(news: PairOfHeroes & Pick<MovedMatchup, "change" | "apart" | "score">, labels: LabelLookup) {
  const { rank, hero_id: hero, other_hero_id: rival } = news;
  const [hero_id, other_hero_id, sign] = news.change < 0 ? [rival, hero, -1] : [hero, rival, 1];
  const [name, other] = [labels("hero_id", hero_id), labels("hero_id", other_hero_id)];
  const [before, after, change] = [sign * news.before, sign * news.after, sign * news.change];
  return {
    ...{ rank, hero_id, name, other_hero_id, other, before, after, change },
    ...{ apart: sign * news.apart, score: sign * news.score },
  };
}

/**
 * Reads pairs by rank, and by when they were asked. One hero's gain against the other is that one's loss: each pair is taken once, from the
 * first record that can be compared.
 */
function readPairs(pair: Pair): (Timing & { pairs: PairOfHeroes[] })[] {
  const timeOf = createTiming(pair, "hero_matchup");
  const share = (hero: string) =>
    `ifnull((SELECT appearance_rate FROM main.hero_batch WHERE source = 'academy-counters' AND hero_id = ${hero} AND rank = now.rank), 0)`;
  const rows = pair.db
    .prepare<[], PairOfHeroes>(
      `SELECT now.rank, match_type, now.hero_id, now.other_hero_id, was.increase_win_rate AS before, now.increase_win_rate AS after,
         ${share("now.hero_id")} AS pickShare, ${share("now.other_hero_id")} AS otherPickShare
       FROM main.hero_matchup AS now JOIN was.hero_matchup AS was USING (hero_id, rank, match_type, other_hero_id)
       WHERE match_type = 0 ORDER BY now.rank, now.hero_id, now.other_hero_id`,
    )
    .all();
  const groups = new Map<string, Timing & { pairs: PairOfHeroes[] }>();
  const taken = new Set<string>();
  for (const record of Map.groupBy(rows, ({ rank, hero_id }) => `${rank} ${hero_id}`).values()) {
    const { rank, match_type, hero_id } = record[0] as PairOfHeroes;
    const timing = timeOf({ rank, match_type, hero_id });
    if (!timing) continue;
    const { changed_after, changed_before } = timing.moments ?? {};
    const name = [rank, changed_after, changed_before].join(" ");
    const group = groups.get(name) ?? { ...timing, pairs: [] };
    groups.set(name, group);
    for (const one of record) {
      const id = `${rank} ${Math.min(hero_id, one.other_hero_id)} ${Math.max(hero_id, one.other_hero_id)}`;
      if (!taken.has(id)) group.pairs.push(one);
      taken.add(id);
    }
  }
  return [...groups.values()].filter(({ pairs }) => pairs.length > 0);
}
