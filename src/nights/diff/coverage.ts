import { type CoverageSummary, summariseCoverage } from "../../snapshot/read/summary.ts";
import type { Pair } from "./pair.ts";

type Figures = Pick<CoverageSummary, "slices" | "captured" | "empty" | "failed" | "records">;

/** One endpoint: how many of its answers differ, by their hashes, and where it holds more or less than before. */
export interface DatasetChange {
  dataset: string;
  slices: { added: number; gone: number; changed: number; same: number };
  /** Only languages whose figures differ. */
  languages: { lang: string; before: Figures | null; after: Figures | null }[];
}

export function compareCoverage(pair: Pair): DatasetChange[] {
  const languages = Map.groupBy(compareFigures(pair), ({ dataset }) => dataset);
  return compareSlices(pair).map(({ dataset, ...slices }) => ({
    dataset,
    slices,
    languages: (languages.get(dataset) ?? []).map(({ lang, before, after }) => ({ lang, before, after })),
  }));
}

interface Slices {
  dataset: string;
  added: number;
  gone: number;
  changed: number;
  same: number;
}

const compareSlices = ({ db }: Pair) =>
  db
    .prepare<[], Slices>(
      `SELECT dataset, sum(was.status IS NULL) AS added, sum(now.status IS NULL) AS gone,
         sum(was.status IS NOT NULL AND now.status IS NOT NULL AND (was.sha256, was.status) IS NOT (now.sha256, now.status)) AS changed,
         sum((was.sha256, was.status) IS (now.sha256, now.status)) AS same
       FROM main.coverage AS now FULL JOIN was.coverage AS was USING (dataset, slice) GROUP BY dataset ORDER BY dataset`,
    )
    .all();

function compareFigures({ db }: Pair) {
  const idOf = ({ dataset, lang }: CoverageSummary) => `${dataset} ${lang}`;
  const was = new Map(summariseCoverage(db, "was").map((row) => [idOf(row), row]));
  const now = new Map(summariseCoverage(db).map((row) => [idOf(row), row]));
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((id) => {
    const [before, after] = [figuresOf(was.get(id)), figuresOf(now.get(id))];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    const [dataset = "", lang = ""] = id.split(" ");
    return [{ dataset, lang, before, after }];
  });
}

function figuresOf(row: CoverageSummary | undefined): Figures | null {
  if (!row) return null;
  const { slices, captured, empty, failed, records } = row;
  return { slices, captured, empty, failed, records };
}
