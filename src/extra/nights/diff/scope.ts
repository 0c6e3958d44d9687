import { EXIT, Failure } from "../../../api/failure.ts";
import { type HeroWithName, resolveHeroes } from "../../../api/request/identifier.ts";
import type { Pair } from "./pair.ts";
import type { Cell } from "./shared-tables.ts";
import { RATE_NAMES } from "./statistics/error-models.ts";

/** Filters of the report. Noise is still estimated over everything. */
export interface Filters<Hero = string> {
  rank?: readonly string[];
  days?: readonly number[];
  /** Rate columns of `hero_rate` and `hero_matchup`. */
  rate?: readonly string[];
  /** Hero ids or English names. */
  hero?: readonly Hero[];
  lang?: readonly string[];
  table?: readonly string[];
}

export const RATE_FILTERS = [...RATE_NAMES, "increase_win_rate"];

/**
 * The columns of filters: a change is kept if it has one of the values there, and is left out without the column. Filters of numbers and of
 * languages are a choice each: with both, a change that fits one of them is kept. All that is said about changes is said about the kept
 * ones.
 */
const CHOICES = [["rank", "days", "rate"], ["lang"]] as const;

type Row = Readonly<Record<string, Cell>>;

export interface Scope {
  filters: Filters<number>;
  /** True if there are no filters. */
  isUnfiltered: boolean;
  /** Tells whether at least one of these passes the filters. */
  includesHero(...heroes: Cell[]): boolean;
  /** Tells whether a number of a table passes the filters, whoever's it is. */
  includesStatistic(table: string, group: { rank: string; days: number; rate: string }): boolean;
  /** Returns a predicate for rows, lists and texts of a table; undefined if the whole table is hidden. */
  rowFilter(table: string): ((row: Row) => boolean) | undefined;
}

export function createScope(pair: Pair, { hero, ...others }: Filters): Scope {
  const filters = { ...others, ...(hero && { hero: idsOf(pair, hero) }) };
  const choices = CHOICES.map((names) => names.filter((name) => filters[name])).filter(({ length }) => length > 0);
  const fits = (row: Row) =>
    choices.length === 0 ||
    choices.some((names) => names.every((name) => allows<Cell>(filters[name], cellOf(row, name))));
  const includesHero = (...heroes: Cell[]) => heroes.some((id) => allows<Cell>(filters.hero, id));
  return {
    filters,
    isUnfiltered: choices.length === 0 && !filters.hero && !filters.table,
    includesHero,
    includesStatistic: (table, group) => allows(filters.table, table) && fits(group),
    rowFilter: (table) =>
      allows(filters.table, table) ? (row) => includesHero(row.hero_id ?? null) && fits(row) : undefined,
  };
}

/** Returns a cell. Numbers of a rank that have no window are of no stated one. */
const cellOf = (row: Row, name: (typeof CHOICES)[number][number]): Cell =>
  row[name] ?? (name === "days" && row.rank !== undefined ? 0 : null);

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
