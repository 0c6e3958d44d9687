import type { Figures } from "../figures.ts";
import { type Html, html } from "../html.ts";
import type { CsvReport, PageContext } from "../page.ts";
import { column, showTable } from "../report.ts";

interface Covered {
  dataset: string;
  slices: number;
  captured: number;
  empty: number;
  failed: number;
  records: number;
}

interface CoveredInLanguage extends Covered {
  lang: string;
}

const coverageBy = (columns: string) => `
  SELECT ${columns}, count(*) AS slices, sum(status NOT IN ('empty', 'failed')) AS captured, sum(status = 'empty') AS empty,
         sum(status = 'failed') AS failed, sum(records) AS records, count(DISTINCT lang) AS languages
  FROM coverage GROUP BY ${columns} ORDER BY ${columns}`;

const [BY_ENDPOINT, BY_LANGUAGE] = [coverageBy("dataset"), coverageBy("dataset, lang")];

export const coverageByLanguage = ({ snapshot }: PageContext): CsvReport => ({
  csv: ["dataset", "lang", "slices", "captured", "empty", "failed", "records"],
  rows: snapshot.select<CoveredInLanguage>(BY_LANGUAGE),
});

/** What was asked and what of it is here, by endpoint, and by endpoint and language. */
export function coverage(context: PageContext): Html {
  const { snapshot, facts, figures } = context;
  const rows = snapshot.select<Covered & { languages: number }>(BY_ENDPOINT);
  const endpoint = column.text("dataset", "Endpoint");
  const missing = column.number(({ failed }: Covered) => showMissing(failed, figures), "Missing");
  const endpoints = [
    ...[
      endpoint,
      column.count("slices", "Answers wanted"),
      column.count("captured", "With records"),
      column.count("empty", "Empty"),
    ],
    ...[missing, column.count("records", "Records"), column.count("languages", "Languages")],
  ];
  const inLanguage = new Map(
    snapshot.select<CoveredInLanguage>(BY_LANGUAGE).map((row) => [`${row.dataset} ${row.lang}`, row]),
  );
  const recordsIn = (lang: string) =>
    column.number(({ dataset }: Covered) => {
      const { records, failed } = inLanguage.get(`${dataset} ${lang}`) ?? {};
      const shown = records === undefined ? "·" : figures.count(records);
      return failed ? html`${shown} ${showMissing(failed, figures)} missing` : shown;
    }, lang);
  const languages = {
    caption: "Records by endpoint and language; of numbers only English is asked, as they are the same in all",
    columns: [endpoint, ...facts.langs.map(recordsIn)],
    rows,
  };
  return html`<h2>Coverage</h2>${showTable({ caption: "By endpoint", columns: endpoints, rows }, context)}<details><summary>By endpoint and language</summary>${showTable(languages, context)}</details>`;
}

const showMissing = (failed: number, { count }: Figures): Html =>
  failed === 0 ? count(0) : html`<b class="down">${count(failed)}</b>`;

const MOST_HOLES = 50;

const HOLES = `
  SELECT dataset, slice, reason FROM coverage
  WHERE status = 'failed' AND part_id IS NULL AND ifnull(reason, '') <> 'left-out'
  ORDER BY dataset, slice LIMIT ${MOST_HOLES}`;

/** What is not here, one by one, and why; what is closed or left out is counted. */
export function holes(context: PageContext): Html {
  const { snapshot, facts, figures } = context;
  const excused = facts.withheld.reduce(
    (sum, { missing, dimension }) => sum + (dimension === "single" ? 0 : missing),
    0,
  );
  const rows = snapshot.select<{ dataset: string; slice: string; reason: string | null }>(HOLES);
  const head = html`<h2 id="holes">What is missing</h2>`;
  const more =
    excused > 0 &&
    html`<p>${figures.count(excused)} answers are missing because they are <a href="#withheld">closed or left out</a>.</p>`;
  if (rows.length === 0) return html`${head}${more || html`<p>Nothing.</p>`}`;
  const caption = `The first ${rows.length}; the view coverage_hole of the file has all`;
  const columns = [column.text("dataset", "Endpoint"), column.word("slice", "Answer"), column.text("reason", "Why")];
  return html`${head}${more}${showTable({ caption, columns, rows }, context)}`;
}
