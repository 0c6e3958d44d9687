import { EXIT, Failure } from "../../api/failure.ts";
import { type HeroWithName, resolveHeroes } from "../../api/request/identifier.ts";
import type { Pair } from "./pair.ts";
import type { Cell } from "./shared-tables.ts";
import { RATE_NAMES } from "./statistics/error-models.ts";

/** What is reported. Noise is estimated over everything all the same. */
export interface Filters<Hero = string> {
  rank?: readonly string[];
  days?: readonly number[];
  /** Rate columns of `hero_rate` and `hero_matchup`. */
  rate?: readonly string[];
  /** Ids or English names. */
  hero?: readonly Hero[];
  lang?: readonly string[];
  table?: readonly string[];
}

export const RATE_FILTERS = [...RATE_NAMES, "increase_win_rate"];

/**
 * What the filters let through. Rank, window and rate select statistics, the language selects texts: a filter of one
 * kind hides the other kind, filters of both kinds show both. With a filter of heroes or tables, what belongs to none
 * is hidden.
 */
export interface Scope {
  filters: Filters<number>;
  /** Whether there are no filters. */
  isUnfiltered: boolean;
  /** Whether at least one of these is let through. */
  includesHero(...heroes: number[]): boolean;
  /** Whether a rate of a table is let through. */
  includesStatistic(table: string, group: { rank: string; days: number; rate: string }): boolean;
  /** A predicate for rows, lists and texts of a table; undefined when the whole table is hidden. */
  rowFilter(table: string): ((row: Readonly<Record<string, Cell>>) => boolean) | undefined;
}

export function createScope(pair: Pair, { hero, ...others }: Filters): Scope {
  const filters = { ...others, ...(hero && { hero: idsOf(pair, hero) }) };
  const { rank, days, rate, lang, table } = filters;
  const hasStatisticFilter = Boolean(rank || days || rate);
  const ids = filters.hero && new Set<Cell>(filters.hero);
  return {
    filters,
    isUnfiltered: !hasStatisticFilter && !lang && !ids && !table,
    includesHero: (...heroes) => !ids || heroes.some((id) => ids.has(id)),
    includesStatistic: (name, group) =>
      (hasStatisticFilter || !lang) &&
      allows(table, name) &&
      allows(rank, group.rank) &&
      allows(days, group.days) &&
      allows(rate, group.rate),
    rowFilter(name) {
      if ((hasStatisticFilter && !lang) || !allows(table, name)) return undefined;
      const langs = lang && new Set<Cell>(lang);
      return (row) => (!ids || ids.has(row.hero_id ?? null)) && (!langs || langs.has(row.lang ?? null));
    },
  };
}

const allows = <T>(allowed: readonly T[] | undefined, value: T) => !allowed || allowed.includes(value);

function idsOf({ db }: Pair, words: readonly string[]): number[] {
  const heroes = db
    .prepare<[], HeroWithName>(
      "SELECT hero_id AS id, name FROM main.hero UNION SELECT hero_id, name FROM was.hero ORDER BY 1, 2",
    )
    .all();
  return resolveHeroes(words, heroes, (word, nearest) => {
    const hint = nearest ? `did you mean ${nearest}? ` : "";
    return new Failure(EXIT.usage, `--hero: neither snapshot has a hero ${word}`, `${hint}give ids or English names`);
  });
}
