import { type CoverageSummary, selectCoverage } from "../../../snapshot/read/summary.ts";
import { coverageReport, type Hole, holeReport } from "../../../snapshot/report/held.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, showTable } from "../report.ts";

const COVERAGE = selectCoverage();

export const coverageRows = ({ snapshot }: PageContext) => ({
  csv: ["dataset", "lang", "slices", "captured", "empty", "failed", "records"],
  rows: snapshot.select<CoverageSummary>(COVERAGE),
});

/** Counts the answers by endpoint, and the records by endpoint and language. */
export function coverage(context: PageContext): Html {
  const covered = coverageRows(context).rows;
  const report = coverageReport(covered);
  const inLanguage = new Map(covered.map((row) => [`${row.dataset} ${row.lang}`, row]));
  const recordsIn = (lang: string) =>
    column.number(({ dataset }: { dataset: string }, { figures: { count } }) => {
      const { records, failed } = inLanguage.get(`${dataset} ${lang}`) ?? {};
      const shown = records === undefined ? "·" : count(records);
      return failed ? html`${shown} <b class="down">${count(failed)}</b> missing` : shown;
    }, lang);
  const languages = {
    caption: "Records by endpoint and language; of numbers only English is asked, as they are the same in all",
    columns: [column.text("dataset", "Endpoint"), ...context.facts.langs.map(recordsIn)],
    rows: report.rows,
  };
  return html`<h2>${report.caption}</h2>${showTable(context, { ...report, caption: "By endpoint" })}<details><summary>By endpoint and language</summary>${showTable(context, languages)}</details>`;
}

const MOST_HOLES = 50;

const HOLES = `
  SELECT dataset, slice, reason FROM coverage
  WHERE status = 'failed' AND part_id IS NULL AND ifnull(reason, '') <> 'left-out'
  ORDER BY dataset, slice LIMIT ${MOST_HOLES}`;

/** Lists the slices that are not here, and why; what is closed or left out is counted. */
export function holes(context: PageContext): Html {
  const { snapshot, facts, figures } = context;
  const excused = facts.withheld.reduce(
    (sum, { missing, dimension }) => sum + (dimension === "single" ? 0 : missing),
    0,
  );
  const report = holeReport(snapshot.select<Hole>(HOLES));
  const head = html`<h2 id="holes">${report.caption}</h2>`;
  const more =
    excused > 0 &&
    html`<p>${figures.count(excused)} answers are missing because they are <a href="#withheld">closed or left out</a>.</p>`;
  if (report.rows.length === 0) return html`${head}${more || html`<p>Nothing.</p>`}`;
  const caption = `The first ${report.rows.length}; the view coverage_hole of the file has all`;
  return html`${head}${more}${showTable(context, { ...report, caption })}`;
}
