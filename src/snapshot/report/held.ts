/** Reports about a snapshot. The page `/data` shows them, and the commands that make and verify a snapshot print them. */

import { isPoor, type QualityRow } from "../build/quality.ts";
import type { Misfit } from "../derive/misfits.ts";
import type { Drift } from "../documents/drift-document.ts";
import type { Ages, AskedTimes } from "../read/ages.ts";
import type { CoverageSummary, StaleRow } from "../read/summary.ts";
import type { Coverage } from "../schema/row-types.ts";
import type { AnyReport, Column, LineKinds, Report } from "./report.ts";
import { type Withheld, withheldReport } from "./withheld.ts";

/** The contents of a file, with what is missing and odd in it. */
export interface Held {
  coverage: readonly CoverageSummary[];
  ages: readonly Ages[];
  quality: readonly QualityRow[];
  misfits: readonly Misfit[];
  withheld: readonly Withheld[];
  holes: readonly Hole[];
  stale: readonly StaleRow[];
  drift: readonly Drift[];
}

/** Makes the reports that commands print, in their order. */
export const heldReports = (held: Held, withAges: boolean): AnyReport[] => [
  coverageByLanguage(held.coverage),
  ...(withAges ? [agesReport(held.ages)] : []),
  poorTextsReport(held.quality),
  misfitReport(held.misfits),
  withheldReport(held.withheld),
  holeReport(held.holes),
  staleReport(held.stale),
  driftReport(held.drift),
];

const STATES = ["slices", "captured", "empty", "failed"] as const;
const COUNTS = [...STATES, "records"] as const;

/** The coverage of some languages of an endpoint. */
export interface CoverageSum extends Omit<CoverageSummary, "lang"> {
  languages: readonly string[];
}

const ENDPOINT = { head: "Endpoint", kind: "text", of: "dataset" } as const;

const COVERAGE_COLUMNS: readonly Column<CoverageSum>[] = [
  ENDPOINT,
  { head: "Answers wanted", kind: "count", of: "slices" },
  { head: "With records", kind: "count", of: "captured" },
  { head: "Empty", kind: "count", of: "empty" },
  { head: "Missing", kind: "lack", of: "failed" },
  { head: "Records", kind: "count", of: "records" },
];

/** Counts the answers that were asked for and those that are here, by endpoint. */
export const coverageReport = (covered: readonly CoverageSummary[]): Report<CoverageSum> => ({
  caption: "Coverage",
  columns: [...COVERAGE_COLUMNS, { head: "Languages", kind: "count", of: ({ languages }) => languages.length }],
  rows: sumCoverage(covered, ({ dataset }) => dataset),
});

/** The same with the names of languages: those with the same counts share a row. */
const coverageByLanguage = (covered: readonly CoverageSummary[]): Report<CoverageSum> => ({
  caption: "Coverage",
  columns: [...COVERAGE_COLUMNS, { head: "Languages", kind: "text", of: ({ languages }) => languages.join(" ") }],
  rows: sumCoverage(covered, (row) => [row.dataset, ...STATES.map((state) => row[state])].join()),
});

const sumCoverage = (covered: readonly CoverageSummary[], groupOf: (row: CoverageSummary) => string): CoverageSum[] =>
  [...Map.groupBy(covered, groupOf).values()].map((group) => ({
    ...(group[0] as CoverageSummary),
    ...sumsOf(COUNTS, group),
    languages: group.map(({ lang }) => lang),
  }));

const sumsOf = <Name extends string>(names: readonly Name[], rows: readonly Readonly<Record<Name, number>>[]) =>
  Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as Record<
    Name,
    number
  >;

/** Tells when the answers were asked. */
export const askedReport = (rows: readonly AskedTimes[]): Report<AskedTimes> => ({
  caption: "When it was asked",
  columns: spreadColumns("time", rows),
  rows,
});

/** Tells how old the answers are, the oldest first. */
const agesReport = (ages: readonly Ages[]): Report<Ages, LineKinds> => ({
  caption: "How old the answers are",
  columns: spreadColumns("age", ages),
  rows: ages.toSorted((a, b) => b.never_asked - a.never_asked || (b.oldest ?? 0) - (a.oldest ?? 0)),
});

const spreadColumns = <Kind extends "time" | "age">(kind: Kind, rows: readonly Pick<Ages, "closed">[]) => [
  ENDPOINT,
  { head: "Answers", kind: "count", of: "slices" } as const,
  { head: "Half are not older than", kind, of: "p50" } as const,
  { head: "95 of 100", kind, of: "p95" } as const,
  { head: "The oldest", kind, of: "oldest" } as const,
  { head: "Not asked yet", kind: "count", of: "never_asked" } as const,
  { head: "May have changed since", kind: "count", of: "suspect" } as const,
  ...(rows.some(({ closed }) => closed > 0) ? [{ head: "Closed", kind: "count", of: "closed" } as const] : []),
];

const TEXTS = ["texts", "missing", "same_as_english", "wrong_script", "placeholder"] as const;

type TextCounts = Pick<QualityRow, (typeof TEXTS)[number]>;

const TEXT_COLUMNS: readonly Column<TextCounts & { lang: string }>[] = [
  { head: "Language", kind: "text", of: "lang" },
  { head: "Texts", kind: "count", of: "texts" },
  { head: "Missing", kind: "count", of: "missing" },
  { head: "The English text", kind: "count", of: "same_as_english" },
  { head: "Another script", kind: "count", of: "wrong_script" },
  { head: "Placeholder", kind: "count", of: "placeholder" },
];

/** Counts texts that are not as they should be, by language. */
export const textsReport = (quality: readonly QualityRow[], langs: readonly string[]) => ({
  caption: "By language, over all endpoints",
  columns: TEXT_COLUMNS,
  rows: langs.map((lang) => ({
    lang,
    ...sumsOf(
      TEXTS,
      quality.filter((row) => row.lang === lang),
    ),
  })),
});

/** The same by endpoint, where many are not as they should be. */
const poorTextsReport = (quality: readonly QualityRow[]): Report<QualityRow> => ({
  caption: "Poor texts",
  columns: [ENDPOINT, ...TEXT_COLUMNS],
  rows: quality.filter(isPoor),
});

/** Lists the values that did not fit the tables. */
export const misfitReport = (rows: readonly Misfit[]): Report<Misfit> => ({
  caption: "What did not fit the tables",
  note: "They are in the archive and the answers as they were sent.",
  columns: [
    { head: "Table", kind: "text", of: "table_name" },
    { head: "Column", kind: "text", of: "column_name" },
    ENDPOINT,
    { head: "Field", kind: "word", of: "path" },
    { head: "What happened", kind: "text", of: "kind" },
    { head: "How often", kind: "count", of: "count" },
    { head: "Example", kind: "word", of: "example" },
  ],
  rows,
});

export type Hole = Pick<Coverage, "dataset" | "slice" | "reason">;

/** Lists answers that are not here, and why. */
export const holeReport = (rows: readonly Hole[]): Report<Hole> => ({
  caption: "What is missing",
  columns: [ENDPOINT, { head: "Answer", kind: "word", of: "slice" }, { head: "Why", kind: "text", of: "reason" }],
  rows,
});

/** Lists answers of another batch than the rest of their table. */
const staleReport = (rows: readonly StaleRow[]): Report<StaleRow> => ({
  caption: "Stale at the upstream",
  note: "They are of another batch than most of the table, and the same when asked again.",
  columns: [
    ENDPOINT,
    { head: "Rank", kind: "text", of: "rank" },
    { head: "Days", kind: "count", of: "days" },
    { head: "Lane", kind: "text", of: "lane" },
    { head: "Language", kind: "text", of: "lang" },
    { head: "Answers", kind: "count", of: "slices" },
    { head: "Of", kind: "count", of: "of" },
    { head: "Batch", kind: "text", of: "batch" },
    { head: "Most", kind: "text", of: "most" },
    { head: "Example", kind: "text", of: "example" },
  ],
  rows,
});

/** The fields of a drift that every manifest has. */
type Drifted = Pick<Drift, "dataset" | "path" | "before" | "now"> & { count?: number | undefined };

/** Fields of other types than in the night before. */
export const DRIFTED: Pick<Report<Drifted>, "caption" | "columns"> = {
  caption: "Fields of other types than the night before",
  columns: [
    ENDPOINT,
    { head: "Field", kind: "word", of: "path" },
    { head: "Before", kind: "word", of: "before" },
    { head: "Now", kind: "word", of: "now" },
    { head: "How often", kind: "count", of: "count" },
  ],
};

/** The same with an example of each, needed ones first. */
export const driftReport = (rows: readonly Drift[]): Report<Drift> => ({
  ...DRIFTED,
  columns: [
    ...DRIFTED.columns,
    { head: "Example", kind: "word", of: "example" },
    { head: "", kind: "text", of: ({ needed }) => (needed ? "needed" : "") },
  ],
  rows,
});
