import type { Figures } from "../figures.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, showTable } from "../report.ts";

const COUNTS = ["slices", "captured", "empty", "failed", "records"] as const;

type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

interface Covered extends Counts {
  dataset: string;
  lang: string;
}

// The plus sign keeps off the index by endpoint, which would lead to each of thirty thousand rows by itself.
const COVERAGE = `
  SELECT dataset, lang, count(*) AS slices, sum(status NOT IN ('empty', 'failed')) AS captured, sum(status = 'empty') AS empty,
         sum(status = 'failed') AS failed, sum(records) AS records
  FROM coverage GROUP BY +dataset, lang ORDER BY dataset, lang`;

export const coverageReport = ({ snapshot }: PageContext) => ({
  csv: ["dataset", "lang", ...COUNTS],
  rows: snapshot.select<Covered>(COVERAGE),
});

/** Counts the slices that were asked for and those that are here, by endpoint, and by endpoint and language. */
export function coverage(context: PageContext): Html {
  const { facts, figures } = context;
  const covered = coverageReport(context).rows;
  const rows = [...Map.groupBy(covered, ({ dataset }) => dataset)].map(([dataset, parts]) => {
    const sums = COUNTS.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)]);
    return { dataset, languages: parts.length, ...(Object.fromEntries(sums) as Counts) };
  });
  const endpoint = column.text("dataset", "Endpoint");
  const missing = column.number(({ failed }: Counts) => showMissing(failed, figures), "Missing");
  const endpoints = [
    endpoint,
    column.count("slices", "Answers wanted"),
    column.count("captured", "With records"),
    column.count("empty", "Empty"),
    missing,
    column.count("records", "Records"),
    column.count("languages", "Languages"),
  ];
  const inLanguage = new Map(covered.map((row) => [`${row.dataset} ${row.lang}`, row]));
  const recordsIn = (lang: string) =>
    column.number(({ dataset }: { dataset: string }) => {
      const { records, failed } = inLanguage.get(`${dataset} ${lang}`) ?? {};
      const shown = records === undefined ? "·" : figures.count(records);
      return failed ? html`${shown} ${showMissing(failed, figures)} missing` : shown;
    }, lang);
  const languages = {
    caption: "Records by endpoint and language; of numbers only English is asked, as they are the same in all",
    columns: [endpoint, ...facts.langs.map(recordsIn)],
    rows,
  };
  return html`<h2>Coverage</h2>${showTable(context, { caption: "By endpoint", columns: endpoints, rows })}<details><summary>By endpoint and language</summary>${showTable(context, languages)}</details>`;
}

const showMissing = (failed: number, { count }: Figures): Html =>
  failed === 0 ? count(0) : html`<b class="down">${count(failed)}</b>`;

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
  const rows = snapshot.select<{ dataset: string; slice: string; reason: string | null }>(HOLES);
  const head = html`<h2 id="holes">What is missing</h2>`;
  const more =
    excused > 0 &&
    html`<p>${figures.count(excused)} answers are missing because they are <a href="#withheld">closed or left out</a>.</p>`;
  if (rows.length === 0) return html`${head}${more || html`<p>Nothing.</p>`}`;
  const caption = `The first ${rows.length}; the view coverage_hole of the file has all`;
  const columns = [column.text("dataset", "Endpoint"), column.word("slice", "Answer"), column.text("reason", "Why")];
  return html`${head}${more}${showTable(context, { caption, columns, rows })}`;
}
