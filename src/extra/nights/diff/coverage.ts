import { type CoverageSummary, summariseCoverage } from "../../../snapshot/read/summary.ts";
import type { Pair } from "./pair.ts";
import { countSamePictures } from "./same-pictures.ts";

type SliceCounts = Pick<CoverageSummary, "slices" | "captured" | "empty" | "failed" | "records">;

/**
 * One dataset: how many of its slices differ, by their hashes, and in which languages the counts differ. Slices that were carried
 * over, or not asked for one of the two, are none of these. The same pictures, behind a proxy or not, are no difference.
 */
export interface DatasetChange {
  dataset: string;
  slices: { added: number; gone: number; changed: number; same: number };
  /** The languages whose counts differ. */
  languages: { lang: string; before: SliceCounts | null; after: SliceCounts | null }[];
}

export function compareCoverage(pair: Pair): DatasetChange[] {
  const languages = Map.groupBy(compareCounts(pair), ({ dataset }) => dataset);
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

function compareSlices({ db, asked }: Pair): Slices[] {
  const only = asked ? " AND asked.state = 'compared'" : "";
  const isChanged = `was.status IS NOT NULL AND now.status IS NOT NULL AND (was.sha256, was.status) IS NOT (now.sha256, now.status)${only}`;
  const from = `main.coverage AS now FULL JOIN was.coverage AS was USING (dataset, slice)
       ${asked ? "LEFT JOIN temp.asked USING (dataset, slice)" : ""}`;
  const datasets = db
    .prepare<[], Slices>(
      `SELECT dataset, sum(was.status IS NULL${only}) AS added, sum(now.status IS NULL${only}) AS gone,
         sum(${isChanged}) AS changed, sum((was.sha256, was.status) IS (now.sha256, now.status)${only}) AS same
       FROM ${from} GROUP BY dataset ORDER BY dataset`,
    )
    .all();
  const samePictures = countSamePictures(db, from, isChanged);
  return datasets.map(({ dataset, changed, same, ...others }) => {
    const alike = samePictures.get(dataset) ?? 0;
    return { dataset, ...others, changed: changed - alike, same: same + alike };
  });
}

function compareCounts({ db }: Pair) {
  const idOf = ({ dataset, lang }: CoverageSummary) => `${dataset} ${lang}`;
  const was = new Map(summariseCoverage(db, "was").map((row) => [idOf(row), row]));
  const now = new Map(summariseCoverage(db).map((row) => [idOf(row), row]));
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((id) => {
    const [before, after] = [toCounts(was.get(id)), toCounts(now.get(id))];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    const [dataset = "", lang = ""] = id.split(" ");
    return [{ dataset, lang, before, after }];
  });
}

function toCounts(row: CoverageSummary | undefined): SliceCounts | null {
  if (!row) return null;
  const { slices, captured, empty, failed, records } = row;
  return { slices, captured, empty, failed, records };
}
