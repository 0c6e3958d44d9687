import { isSample, nameProvenance } from "../../../api/sample-data.ts";
import { addressOn } from "../facts.ts";
import { nameIn, table } from "../format.ts";
import { badges } from "../home.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { coverage, csvOfCoverage, holes } from "./coverage.ts";
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
  csv: csvOfCoverage,
  render: (context) => ({
    title: "Data and proof",
    main: html`<h1>Data and proof</h1>
${badges(context)}
<dl class="facts">${factsOfFile(context)}</dl>
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

function factsOfFile({ snapshot: { head }, figures }: PageContext): Html {
  const rows: [string, Html][] = [
    ["Version", html`${head.version}`],
    ["Crawled", figures.time(head.started_at)],
    ["Game version", html`${head.game_version ?? "unknown"}`],
    ["Numbers", html`${nameProvenance(isSample(head))}`],
    ["Schema", html`${head.schema_version}`],
    ["Hash of the data", html`<code>${head.content_hash}</code>`],
    ["Licence", html`${head.licence}`],
  ];
  return html`${rows.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}`;
}

const howToAsk = (context: PageContext, version: string): Html => html`<h2>Ask the file</h2>
<p>Any SQLite reader opens it, read-only, and <a href="${addressOn(context, "/sql")}">a browser</a> asks it here. It describes itself in the tables <code>table_doc</code> and <code>column_doc</code>.</p>
<pre dir="ltr" tabindex="0"><code>sqlite3 -readonly ${version}.sqlite "
  SELECT place, tier, hero, win_rate FROM tier_list
  WHERE rank = 'mythic' AND days = 7 ORDER BY place LIMIT 10"</code></pre>`;

function ages({ snapshot, figures }: PageContext): Html {
  const { count, time } = figures;
  const times = snapshot.askedTimes();
  const hasClosed = times.some(({ closed }) => closed > 0);
  return html`<h2>When it was asked</h2>
<p>A crawl asked for each answer; these are the start times of those crawls. They differ if the snapshot is rolling.${hasClosed && " Answers in closed parts are counted apart."}</p>
${table(
  "Answers by endpoint",
  [
    { head: "Endpoint" },
    { head: "Answers", number: true },
    { head: "Half are not older than" },
    { head: "95 of 100" },
    { head: "The oldest" },
    { head: "Not asked yet", number: true },
    { head: "May have changed since", number: true },
    ...(hasClosed ? [{ head: "Closed", number: true }] : []),
  ],
  times.map((endpoint) => [
    endpoint.dataset,
    count(endpoint.slices),
    time(endpoint.p50),
    time(endpoint.p95),
    time(endpoint.oldest),
    count(endpoint.never_asked),
    count(endpoint.suspect),
    ...(hasClosed ? [count(endpoint.closed)] : []),
  ]),
)}`;
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

function misfits({ snapshot, figures }: PageContext): Html {
  const { count } = figures;
  const misfitRows = snapshot.select<MisfitRow>(MISFITS);
  const head = html`<h2>What did not fit the tables</h2>`;
  if (misfitRows.length === 0) return html`${head}<p>Everything that was sent is in the tables as it came.</p>`;
  return html`${head}
<p>${count(snapshot.misfits())} values. They are in the archive and the answers as they were sent.</p>
${table(
  `The first ${misfitRows.length} kinds`,
  [
    { head: "Table" },
    { head: "Column" },
    { head: "Endpoint" },
    { head: "Field" },
    { head: "What happened" },
    { head: "How often", number: true },
    { head: "Example" },
  ],
  misfitRows.map((misfit) => [
    misfit.table_name,
    misfit.column_name ?? "–",
    misfit.dataset,
    nameIn("en", misfit.path),
    misfit.kind,
    count(misfit.count),
    nameIn("en", misfit.example),
  ]),
)}`;
}
