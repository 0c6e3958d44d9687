import { isSample, nameProvenance } from "../../../api/sample-data.ts";
import type { Misfit } from "../../../snapshot/derive/misfits.ts";
import { MISFIT_ROWS } from "../../../snapshot/read/summary.ts";
import { askedReport, misfitReport } from "../../../snapshot/report/held.ts";
import { addressOn } from "../facts.ts";
import { factList } from "../format.ts";
import { badges } from "../home.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { showTable } from "../report.ts";
import { coverage, coverageRows, holes } from "./coverage.ts";
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
  csv: coverageRows,
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
  const report = askedReport(context.snapshot.askedTimes());
  const hasClosed = report.rows.some(({ closed }) => closed > 0);
  return html`<h2>${report.caption}</h2>
<p>A crawl asked for each answer; these are the start times of those crawls. They differ if the snapshot is rolling.${hasClosed && " Answers in closed parts are counted apart."}</p>
${showTable(context, { ...report, caption: "Answers by endpoint" })}`;
}

const FIRST_MISFITS = `${MISFIT_ROWS} LIMIT 100`;

function misfits(context: PageContext): Html {
  const { snapshot, figures } = context;
  const report = misfitReport(snapshot.select<Misfit>(FIRST_MISFITS));
  const head = html`<h2>${report.caption}</h2>`;
  if (report.rows.length === 0) return html`${head}<p>Everything that was sent is in the tables as it came.</p>`;
  return html`${head}
<p>${figures.count(snapshot.misfits())} values. ${report.note}</p>
${showTable(context, { ...report, caption: `The first ${report.rows.length} kinds` })}`;
}
