import { compareShapes } from "../../../snapshot/build/drift.ts";
import type { Drift } from "../../../snapshot/documents/drift-document.ts";
import { readShape } from "../../../snapshot/read/summary.ts";
import type { SnapshotTable } from "../../../snapshot/schema/row-types.ts";
import type { DatasetMoments } from "./asked.ts";
import { compareCoverage, type DatasetChange } from "./coverage.ts";
import { type LabelLookup, readLabels } from "./labels.ts";
import { type News, type Tellable, type ToldHero, tellNews } from "./news.ts";
import { openPair, type Pair } from "./pair.ts";
import { compareBuilds } from "./rows/builds.ts";
import { compareLists } from "./rows/lists.ts";
import { compareRows } from "./rows/rows.ts";
import { compareTexts } from "./rows/texts.ts";
import { createScope, type Filters, type Scope } from "./scope.ts";
import { compareMatchups } from "./statistics/matchups.ts";
import { findMovers } from "./statistics/rates.ts";

/** Version of the JSON; new fields may come without a new number. */
const DIFF_FORMAT = 3;

export interface DiffOptions {
  filters?: Filters;
  /** Those of the two files that were just read in full: they are opened without another read. */
  verified?: readonly string[];
}

export interface Changes extends Tellable {
  /** Nights between the two snapshots, by the upstream's own dates. */
  days_apart: number;
  shape: Drift[];
  coverage: DatasetChange[];
}

export type Diff = {
  format: number;
  before: SnapshotTable;
  after: SnapshotTable;
  /** The filters, with heroes by id. */
  filters: Filters<number>;
  /** The slices of each dataset that were asked anew, and so compared; only if one night is rolling or has refused slices. */
  asked?: DatasetMoments[];
  news: News;
} & ({ identical: true; changes: null } | { identical: false; changes: Changes });

/** Compares two snapshot files. Throws a `Failure` for a file or filter that is wrong. */
export function diffSnapshots(before: string, after: string, options: DiffOptions = {}): Diff {
  const pair = openPair(before, after, options.verified);
  try {
    const scope = createScope(pair, options.filters ?? {});
    const { before: was, after: now, asked } = pair;
    const heads = { format: DIFF_FORMAT, before: was, after: now, filters: scope.filters, ...(asked && { asked }) };
    if (was.content_hash === now.content_hash)
      return { ...heads, news: tellNews(null), identical: true, changes: null };
    const changes = compare(pair, readLabels(pair), scope);
    return { ...heads, news: tellNews(changes, scope.isUnfiltered), identical: false, changes };
  } finally {
    pair.close();
  }
}

function compare(pair: Pair, labels: LabelLookup, scope: Scope): Changes {
  const tables = compareRows(pair, labels, scope);
  const shown = scope.rowFilter("hero") ?? (() => false);
  return {
    days_apart: countNightsApart(pair),
    heroes: {
      added: readHeroes(pair, "main", "was").filter(shown),
      gone: readHeroes(pair, "was", "main").filter(shown),
    },
    rates: findMovers(pair, labels, scope),
    matchups: compareMatchups(pair, labels, scope),
    texts: compareTexts(tables),
    lists: [...compareLists(pair, labels, scope), ...compareBuilds(pair, labels, scope)],
    tables,
    shape: scope.isUnfiltered ? compareShapes(readShape(pair.db, "was"), readShape(pair.db)) : [],
    coverage: scope.isUnfiltered ? compareCoverage(pair) : [],
  };
}

/**
 * Counts by the newest date of the upstream's daily series; by the start of the crawl if there is none, or if the series may be of an
 * earlier night.
 */
function countNightsApart({ db, asked, before, after }: Pair): number {
  const lastDate = (schema: string) =>
    asked ? null : db.prepare<[], string | null>(`SELECT max(date) FROM ${schema}.hero_trend`).pluck().get();
  const [from, to] = [lastDate("was") ?? before.started_at, lastDate("main") ?? after.started_at];
  return Math.abs(Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)) || 0;
}

const readHeroes = ({ db }: Pair, here: string, there: string) =>
  db
    .prepare<[], ToldHero>(
      `SELECT hero_id, name FROM ${here}.hero WHERE hero_id NOT IN (SELECT hero_id FROM ${there}.hero) ORDER BY hero_id`,
    )
    .all();
