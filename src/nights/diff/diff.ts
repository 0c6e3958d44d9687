import { Failure } from "../../api/failure.ts";
import { compareShapes, type Drift } from "../../snapshot/build/drift.ts";
import { readShape } from "../../snapshot/read/summary.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import { compareCoverage, type DatasetChange } from "./coverage.ts";
import { type Labels, readLabels } from "./labels.ts";
import { compareLists, type ListChange } from "./lists.ts";
import { compareMatchups, type MatchupChanges } from "./matchups.ts";
import { openPair, type Pair } from "./pair.ts";
import { compareRates, type RateChanges } from "./rates.ts";
import { compareRows, type TableChange } from "./rows.ts";
import { createScope, type Filters, type Scope } from "./scope.ts";
import { compareTexts, type TextChange } from "./texts.ts";
import { countDays } from "./through.ts";
import { LEAST_NIGHTS, readUsual, type UsualChanges } from "./usual.ts";

/** A new number is a new form of the JSON; new fields may come without one. */
export const FORMAT = 2;

/** Where it was learned how far rates go from night to night. */
export interface Learned {
  history: string | null;
  /** Changes between nights that lie as far apart as these two; with fewer than `least` these two speak for themselves. */
  nights: number;
  least: number;
  /** Why the history that lies there was not read. */
  problem: string | null;
}

// A type, not an interface, so that it passes for a row.
type Hero = { hero_id: number; name: string };

export interface DiffOptions {
  filters?: Filters;
  history?: string;
  /** Nobody has asked for this history: what is wrong with it is told and does not matter. */
  optional?: boolean;
}

export interface Changes {
  /** Nights between the two, by the upstream's own dates. */
  days_apart: number;
  noise: Learned;
  heroes: { added: Hero[]; gone: Hero[] };
  rates: RateChanges;
  matchups: MatchupChanges;
  texts: TextChange[];
  lists: ListChange[];
  tables: TableChange[];
  shape: Drift[];
  coverage: DatasetChange[];
}

export type Diff = {
  format: number;
  before: SnapshotTable;
  after: SnapshotTable;
  /** Those that were applied; heroes by their ids. */
  filters: Filters<number>;
} & ({ identical: true; changes: null } | { identical: false; changes: Changes });

/** What is different between two snapshot files. */
export function diffSnapshots(before: string, after: string, options: DiffOptions = {}): Diff {
  const pair = openPair(before, after);
  try {
    const scope = createScope(pair, options.filters ?? {});
    const heads = { format: FORMAT, before: pair.was, after: pair.now, filters: scope.filters };
    if (pair.was.content_hash === pair.now.content_hash) return { ...heads, identical: true, changes: null };
    return { ...heads, identical: false, changes: compare(pair, readLabels(pair), scope, options) };
  } finally {
    pair.close();
  }
}

function compare(pair: Pair, labels: Labels, scope: Scope, options: DiffOptions): Changes {
  const days_apart = countDays(pair);
  const nights = Math.max(1, days_apart);
  const { usual, ...noise } = learn(options, nights);
  const tables = compareRows(pair, labels, scope);
  const shown = scope.rows("hero") ?? (() => false);
  return {
    days_apart,
    noise,
    heroes: {
      added: readHeroes(pair, "main", "was").filter(shown),
      gone: readHeroes(pair, "was", "main").filter(shown),
    },
    rates: compareRates(pair, labels, scope, nights, usual),
    matchups: compareMatchups(pair, labels, scope, nights),
    texts: compareTexts(tables),
    lists: compareLists(pair, labels, scope),
    tables,
    shape: scope.whole ? compareShapes(readShape(pair.db, "was"), readShape(pair.db)) : [],
    coverage: scope.whole ? compareCoverage(pair) : [],
  };
}

function learn({ history, optional }: DiffOptions, nights: number): Learned & { usual?: UsualChanges } {
  const nothing = { history: history ?? null, nights: 0, least: LEAST_NIGHTS, problem: null };
  if (history === undefined) return nothing;
  try {
    const usual = readUsual(history, nights);
    return { ...nothing, nights: usual.nights, usual };
  } catch (error) {
    if (!optional || !(error instanceof Failure)) throw error;
    return { ...nothing, problem: error.message };
  }
}

const readHeroes = ({ db }: Pair, here: string, there: string) =>
  db
    .prepare<[], Hero>(
      `SELECT hero_id, name FROM ${here}.hero WHERE hero_id NOT IN (SELECT hero_id FROM ${there}.hero) ORDER BY hero_id`,
    )
    .all();
