import { Failure } from "../../api/failure.ts";
import { compareShapes, type Drift } from "../../snapshot/build/drift.ts";
import { readShape } from "../../snapshot/read/summary.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";
import type { DatasetMoments } from "./asked.ts";
import { compareCoverage, type DatasetChange } from "./coverage.ts";
import { type LabelLookup, readLabels } from "./labels.ts";
import { openPair, type Pair } from "./pair.ts";
import { compareLists, type ListChange } from "./rows/lists.ts";
import { compareRows, type TableChange } from "./rows/rows.ts";
import { compareTexts, type TextChange } from "./rows/texts.ts";
import { createScope, type Filters, type Scope } from "./scope.ts";
import { type Baselines, MIN_NIGHTS, readBaselines } from "./statistics/baseline.ts";
import { compareMatchups, type MatchupChanges } from "./statistics/matchups.ts";
import { findMovers, type NoiseOver, type RateChanges } from "./statistics/rates.ts";
import { countNightsApart } from "./statistics/window-cause.ts";

/** Version of the JSON; new fields may come without a new number. */
export const DIFF_FORMAT = 2;

/** What the noise of the rates was estimated from. */
interface NoiseSource {
  history: string | null;
  /**
   * Pairs of nights in it that are as far apart as these two; with fewer than `least` only the two snapshots are used.
   */
  nights: number;
  least: number;
  /** Why an optional history could not be read. */
  problem: string | null;
}

// A type, not an interface, so that it passes for a row.
type HeroName = { hero_id: number; name: string };

export interface DiffOptions {
  filters?: Filters;
  history?: string;
  /** A history that cannot be read is reported in the result, not thrown. */
  historyOptional?: boolean;
  /** Those of the two files that somebody has just read whole: they are opened without. */
  verified?: readonly string[];
}

export interface Changes {
  /** Nights between the two snapshots, by the upstream's own dates. */
  days_apart: number;
  noise: NoiseSource;
  heroes: { added: HeroName[]; gone: HeroName[] };
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
  /** The filters, with heroes by id. */
  filters: Filters<number>;
  /** Only if one of them is rolling or has refused slices: what of each dataset was asked anew, and so compared. */
  asked?: DatasetMoments[];
} & ({ identical: true; changes: null } | { identical: false; changes: Changes });

/** Compares two snapshot files. Throws a `Failure` for a file, history or filter that is wrong. */
export function diffSnapshots(before: string, after: string, options: DiffOptions = {}): Diff {
  const pair = openPair(before, after, options.verified);
  try {
    const scope = createScope(pair, options.filters ?? {});
    const { before: was, after: now, asked } = pair;
    const heads = { format: DIFF_FORMAT, before: was, after: now, filters: scope.filters, ...(asked && { asked }) };
    if (was.content_hash === now.content_hash) return { ...heads, identical: true, changes: null };
    return { ...heads, identical: false, changes: compare(pair, readLabels(pair), scope, options) };
  } finally {
    pair.close();
  }
}

function compare(pair: Pair, labels: LabelLookup, scope: Scope, options: DiffOptions): Changes {
  const days_apart = countNightsApart(pair);
  const nights = Math.max(1, days_apart);
  const { noiseOver, ...noise } = findNoiseSource(options, nights);
  const tables = compareRows(pair, labels, scope);
  const shown = scope.rowFilter("hero") ?? (() => false);
  return {
    days_apart,
    noise,
    heroes: {
      added: readHeroes(pair, "main", "was").filter(shown),
      gone: readHeroes(pair, "was", "main").filter(shown),
    },
    rates: findMovers(pair, labels, scope, noiseOver),
    matchups: compareMatchups(pair, labels, scope),
    texts: compareTexts(tables),
    lists: compareLists(pair, labels, scope),
    tables,
    shape: scope.isUnfiltered ? compareShapes(readShape(pair.db, "was"), readShape(pair.db)) : [],
    coverage: scope.isUnfiltered ? compareCoverage(pair) : [],
  };
}

/** Of rolling snapshots, lists of several nights apart are held against nights as far apart as they are. */
function findNoiseSource(
  { history, historyOptional }: DiffOptions,
  nights: number,
): NoiseSource & { noiseOver: NoiseOver } {
  const none = { history: history ?? null, nights: 0, least: MIN_NIGHTS, problem: null, noiseOver: () => undefined };
  if (history === undefined) return none;
  const remembered = new Map<number, Baselines>();
  const noiseOver = (apart: number) => {
    const baselines = remembered.get(apart) ?? readBaselines(history, apart);
    remembered.set(apart, baselines);
    return baselines;
  };
  try {
    return { ...none, nights: noiseOver(nights).nights, noiseOver };
  } catch (error) {
    if (!historyOptional || !(error instanceof Failure)) throw error;
    return { ...none, problem: error.message };
  }
}

const readHeroes = ({ db }: Pair, here: string, there: string) =>
  db
    .prepare<[], HeroName>(
      `SELECT hero_id, name FROM ${here}.hero WHERE hero_id NOT IN (SELECT hero_id FROM ${there}.hero) ORDER BY hero_id`,
    )
    .all();
