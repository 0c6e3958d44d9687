import type { Figures } from "../figures.ts";
import { nameIn, table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { CsvTable, PageContext } from "../page.ts";

interface Covered {
  dataset: string;
  lang: string;
  slices: number;
  empty: number;
  failed: number;
  records: number;
}

const COVERAGE = `
  SELECT dataset, lang, count(*) AS slices, sum(status = 'empty') AS empty, sum(status = 'failed') AS failed, sum(records) AS records
  FROM coverage GROUP BY dataset, lang ORDER BY dataset, lang`;

export const csvOfCoverage = ({ snapshot }: PageContext): CsvTable => ({
  columns: ["dataset", "lang", "slices", "captured", "empty", "failed", "records"],
  rows: snapshot
    .select<Covered>(COVERAGE)
    .map(({ dataset, lang, slices, empty, failed, records }) => [
      dataset,
      lang,
      slices,
      slices - empty - failed,
      empty,
      failed,
      records,
    ]),
});

/** What was asked and what of it is here, by endpoint, and by endpoint and language. */
export function coverage({ snapshot, facts, figures }: PageContext): Html {
  const { count } = figures;
  const covered = snapshot.select<Covered>(COVERAGE);
  const groups = [...Map.groupBy(covered, ({ dataset }) => dataset)];
  const sum = (rows: readonly Covered[], pick: (row: Covered) => number) =>
    rows.reduce((total, row) => total + pick(row), 0);
  const endpoints = table(
    "By endpoint",
    [
      { head: "Endpoint" },
      ...["Answers wanted", "With records", "Empty", "Missing", "Records", "Languages"].map((head) => ({
        head,
        number: true,
      })),
    ],
    groups.map(([dataset, rows]) => {
      const [slices, empty, failed] = [
        sum(rows, (row) => row.slices),
        sum(rows, (row) => row.empty),
        sum(rows, (row) => row.failed),
      ];
      const records = sum(rows, (row) => row.records);
      return [
        dataset,
        count(slices),
        count(slices - empty - failed),
        count(empty),
        missing(failed, figures),
        count(records),
        count(rows.length),
      ];
    }),
  );
  const languages = table(
    "Records by endpoint and language; of numbers only English is asked, as they are the same in all",
    [{ head: "Endpoint" }, ...facts.langs.map((lang) => ({ head: lang, number: true }))],
    groups.map(([dataset, rows]) => [
      dataset,
      ...facts.langs.map((lang) => {
        const row = rows.find((row) => row.lang === lang);
        if (!row) return "·";
        return row.failed > 0
          ? html`${count(row.records)} ${missing(row.failed, figures)} missing`
          : count(row.records);
      }),
    ]),
  );
  return html`<h2>Coverage</h2>${endpoints}<details><summary>By endpoint and language</summary>${languages}</details>`;
}

const missing = (failed: number, { count }: Figures): Html =>
  failed === 0 ? count(0) : html`<b class="down">${count(failed)}</b>`;

const MOST_HOLES = 50;

const HOLES = `
  SELECT dataset, slice, reason FROM coverage
  WHERE status = 'failed' AND part_id IS NULL AND ifnull(reason, '') <> 'left-out'
  ORDER BY dataset, slice LIMIT ${MOST_HOLES}`;

/** What is not here, one by one, and why; what is closed or left out is counted. */
export function holes({ snapshot, facts, figures }: PageContext): Html {
  const excused = facts.withheld.reduce(
    (sum, { missing, dimension }) => sum + (dimension === "single" ? 0 : missing),
    0,
  );
  const holes = snapshot.select<{ dataset: string; slice: string; reason: string | null }>(HOLES);
  const head = html`<h2 id="holes">What is missing</h2>`;
  const more =
    excused > 0 &&
    html`<p>${figures.count(excused)} answers are missing because they are <a href="#withheld">closed or left out</a>.</p>`;
  if (holes.length === 0) return html`${head}${more || html`<p>Nothing.</p>`}`;
  return html`${head}${more}${table(
    `The first ${holes.length}; the view coverage_hole of the file has all`,
    [{ head: "Endpoint" }, { head: "Answer" }, { head: "Why" }],
    holes.map(({ dataset, slice, reason }) => [dataset, nameIn("en", slice), reason ?? "–"]),
  )}`;
}
