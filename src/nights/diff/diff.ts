import { compareShapes, type Drift } from "../../snapshot/drift.ts";
import { readShape } from "../../snapshot/summary.ts";
import type { SnapshotTable } from "../../snapshot/tables.ts";
import { compareCoverage, type DatasetChange } from "./coverage.ts";
import { type Labels, readLabels } from "./labels.ts";
import { compareLists, type ListChange } from "./lists.ts";
import { compareMatchups, type MatchupChanges } from "./matchups.ts";
import { openPair, type Pair } from "./pair.ts";
import { compareRates, countDays, type RateChanges } from "./rates.ts";
import { compareRows, type TableChange } from "./rows.ts";
import { compareTexts, type TextChange } from "./texts.ts";

/** A new number is a new form of the JSON; new fields may come without one. */
export const FORMAT = 2;

export interface Changes {
  /** Nights between the two, by the upstream's own dates. */
  days_apart: number;
  heroes: { added: { hero_id: number; name: string }[]; gone: { hero_id: number; name: string }[] };
  rates: RateChanges;
  matchups: MatchupChanges;
  texts: TextChange[];
  lists: ListChange[];
  tables: TableChange[];
  shape: Drift[];
  coverage: DatasetChange[];
}

export type Diff = { format: number; before: SnapshotTable; after: SnapshotTable } & (
  | { identical: true; changes: null }
  | { identical: false; changes: Changes }
);

/** What is different between two snapshot files. */
export function diffSnapshots(before: string, after: string): Diff {
  const pair = openPair(before, after);
  try {
    const heads = { format: FORMAT, before: pair.was, after: pair.now };
    if (pair.was.content_hash === pair.now.content_hash) return { ...heads, identical: true, changes: null };
    return { ...heads, identical: false, changes: compare(pair, readLabels(pair)) };
  } finally {
    pair.close();
  }
}

function compare(pair: Pair, labels: Labels): Changes {
  const days_apart = countDays(pair);
  const nights = Math.max(1, days_apart);
  const tables = compareRows(pair, labels);
  return {
    days_apart,
    heroes: { added: readHeroes(pair, "main", "was"), gone: readHeroes(pair, "was", "main") },
    rates: compareRates(pair, labels, nights),
    matchups: compareMatchups(pair, labels, nights),
    texts: compareTexts(tables),
    lists: compareLists(pair, labels),
    tables,
    shape: compareShapes(readShape(pair.db, "was"), readShape(pair.db)),
    coverage: compareCoverage(pair),
  };
}

const readHeroes = ({ db }: Pair, here: string, there: string) =>
  db
    .prepare<[], { hero_id: number; name: string }>(
      `SELECT hero_id, name FROM ${here}.hero WHERE hero_id NOT IN (SELECT hero_id FROM ${there}.hero) ORDER BY hero_id`,
    )
    .all();
