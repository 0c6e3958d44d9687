import { isSample, nameProvenance } from "../../../api/sample-data.ts";
import { addressOn } from "../facts.ts";
import { factList } from "../format.ts";
import { badges } from "../home.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { column, showTable } from "../report.ts";
import { coverage, coverageReport, holes } from "./coverage.ts";
import { crawlReport } from "./crawl.ts";
import { downloads } from "./downloads.ts";
import { languageProof, textQuality } from "./texts.ts";
import { withheldTable } from "./withheld-table.ts";

export const DATA: PageEntry = {
  route: "/data",
  summary:
    "The proof: coverage, ages, text quality, misfits, crawl report; downloads with sizes and hashes, and how to ask the file",
  link: "data",
  english: true,
  choices: () => [],
  tellsAge: true,
  tellsOthers: true,
  csvLink: () => "The coverage by endpoint and language as CSV",
  csv: coverageReport,
  render: (context) => ({
    title: "Data and proof",
    main: html`<h1>Data and proof</h1>
${badges(context)}
${factsOfFile(context)}
${downloads(context)}
${howToAsk(context, context.snapshot.head.version)}
${coverage(context)}
${withheldTable(context)}${holes(context)}
${ages(context)}
${textQuality(context)}
${languageProof(context)}
${misfits(context)}
${crawlReport(context)}`,
  }),
};

const factsOfFile = ({ snapshot: { head }, figures }: PageContext): Html =>
  factList([
    ["Version", head.version],
    ["Crawled", figures.time(head.started_at)],
    ["Game version", head.game_version ?? "unknown"],
    ["Numbers", nameProvenance(isSample(head))],
    ["Schema", head.schema_version],
    ["Hash of the data", html`<code>${head.content_hash}</code>`],
    ["Licence", head.licence],
  ]);

const howToAsk = (context: PageContext, version: string): Html => html`<h2>Ask the file</h2>
<p>Any SQLite reader opens it, read-only, and <a href="${addressOn(context, "/sql")}">a browser</a> asks it here. It describes itself in the tables <code>table_doc</code> and <code>column_doc</code>.</p>
<pre dir="ltr" tabindex="0"><code>sqlite3 -readonly ${version}.sqlite "
  SELECT place, tier, hero, win_rate FROM tier_list
  WHERE rank = 'mythic' AND days = 7 ORDER BY place LIMIT 10"</code></pre>`;

function ages(context: PageContext): Html {
  const rows = context.snapshot.askedTimes();
  const hasClosed = rows.some(({ closed }) => closed > 0);
  const columns = [
    column.text("dataset", "Endpoint"),
    column.count("slices", "Answers"),
    column.time("p50", "Half are not older than"),
    column.time("p95", "95 of 100"),
    column.time("oldest", "The oldest"),
    column.count("never_asked", "Not asked yet"),
    column.count("suspect", "May have changed since"),
    ...(hasClosed ? [column.count("closed", "Closed")] : []),
  ];
  return html`<h2>When it was asked</h2>
<p>A crawl asked for each answer; these are the start times of those crawls. They differ if the snapshot is rolling.${hasClosed && " Answers in closed parts are counted apart."}</p>
${showTable(context, { caption: "Answers by endpoint", columns, rows })}`;
}

interface MisfitRow {
  table_name: string;
  column_name: string | null;
  dataset: string;
  path: string;
  kind: string;
  count: number;
  example: string;
}

const MOST_MISFITS = 100;

const MISFITS = `
  SELECT table_name, column_name, dataset, path, kind, "count", substr(example, 1, 200) AS example FROM misfit
  ORDER BY misfit_id LIMIT ${MOST_MISFITS}`;

function misfits(context: PageContext): Html {
  const { snapshot, figures } = context;
  const rows = snapshot.select<MisfitRow>(MISFITS);
  const head = html`<h2>What did not fit the tables</h2>`;
  if (rows.length === 0) return html`${head}<p>Everything that was sent is in the tables as it came.</p>`;
  const columns = [
    column.text("table_name", "Table"),
    column.text("column_name", "Column"),
    column.text("dataset", "Endpoint"),
    column.word("path", "Field"),
    column.text("kind", "What happened"),
    column.count("count", "How often"),
    column.word("example", "Example"),
  ];
  return html`${head}
<p>${figures.count(snapshot.misfits())} values. They are in the archive and the answers as they were sent.</p>
${showTable(context, { caption: `The first ${rows.length} kinds`, columns, rows })}`;
}
