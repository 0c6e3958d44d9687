import { closest } from "fastest-levenshtein";
import { EXIT, Failure } from "../../api/failure.ts";
import { nameKey, parseIdentifier } from "../../api/request/identifier.ts";
import { RATE_NAMES } from "./chance.ts";
import type { Cell, Pair } from "./pair.ts";

/** Filters of what is shown; what is measured is measured over everything all the same. */
export interface Filters<Hero = string> {
  rank?: readonly string[];
  days?: readonly number[];
  /** Columns of hero_rate and hero_pairing. */
  rate?: readonly string[];
  /** Ids or English names. */
  hero?: readonly Hero[];
  lang?: readonly string[];
  table?: readonly string[];
}

export const RATE_FILTERS = [...RATE_NAMES, "increase_win_rate"];

/**
 * What the filters leave. Rank, window and rate are of numbers, the language is of texts: either leaves its own kind and
 * not the other, both together leave both. What has no part in heroes or tables is left out where those are named.
 */
export interface Scope {
  filters: Filters<number>;
  /** Whether nothing is left out. */
  whole: boolean;
  /** Whether one of these is asked for. */
  has(...heroes: number[]): boolean;
  /** Numbers that are judged. */
  shows(table: string, numbers: { rank: string; days: number; rate: string }): boolean;
  /** Rows, lists and texts; undefined: none of that table. */
  rows(table: string): ((row: Readonly<Record<string, Cell>>) => boolean) | undefined;
}

export function createScope(pair: Pair, { hero, ...others }: Filters): Scope {
  const filters = { ...others, ...(hero && { hero: findHeroes(pair, hero) }) };
  const { rank, days, rate, lang, table } = filters;
  const ofNumbers = Boolean(rank || days || rate);
  const ids = filters.hero && new Set<Cell>(filters.hero);
  return {
    filters,
    whole: !ofNumbers && !lang && !ids && !table,
    has: (...heroes) => !ids || heroes.some((id) => ids.has(id)),
    shows: (name, numbers) =>
      (ofNumbers || !lang) &&
      allows(table, name) &&
      allows(rank, numbers.rank) &&
      allows(days, numbers.days) &&
      allows(rate, numbers.rate),
    rows(name) {
      if ((ofNumbers && !lang) || !allows(table, name)) return undefined;
      const langs = lang && new Set<Cell>(lang);
      return (row) => (!ids || ids.has(row.hero_id ?? null)) && (!langs || langs.has(row.lang ?? null));
    },
  };
}

const allows = <T>(allowed: readonly T[] | undefined, value: T) => !allowed || allowed.includes(value);

function findHeroes({ db }: Pair, words: readonly string[]): number[] {
  const known = db
    .prepare<[], { id: number; name: string }>(
      "SELECT hero_id AS id, name FROM main.hero UNION SELECT hero_id, name FROM was.hero ORDER BY 1, 2",
    )
    .all();
  const ids = words.map((word) => {
    const wanted = parseIdentifier(word);
    const found = known.find(({ id, name }) => ("id" in wanted ? wanted.id === id : wanted.key === nameKey(name)));
    if (found) return found.id;
    const names = new Map(known.map(({ name }) => [nameKey(name), name]));
    // Very long names only cost time: nothing is close to them.
    const near =
      "id" in wanted || names.size === 0 ? "" : names.get(closest(wanted.key.slice(0, 64), [...names.keys()]));
    const hint = near ? `did you mean ${near}? ` : "";
    throw new Failure(EXIT.usage, `--hero: neither snapshot has a hero ${word}`, `${hint}give ids or English names`);
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}
