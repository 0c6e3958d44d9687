import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { scriptPath } from "../assets.ts";
import { addressOn } from "../facts.ts";
import { bytes, nameIn, table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry, PublishedFile } from "../page.ts";
import { questionsOf } from "./questions.ts";

export const SQL: PageEntry = {
  route: "/sql",
  summary: "SQL in the browser, which reads the published file by ranges; the questions of the docs, and the schema",
  link: "sql",
  english: true,
  choices: () => [],
  scripts: ["sql"],
  webAssembly: true,
  render: (context) => ({
    title: "SQL",
    main: html`<h1>SQL</h1>
${console(context)}
<h2>Questions and their queries</h2>
${questionsOf(context.snapshot).map(
  ({ title, text, sql }) => html`<div class="question"><h3>${title}</h3>
${text !== "" && html`<p>${text}</p>`}
<pre dir="ltr" tabindex="0"><code>${sql}</code></pre></div>
`,
)}
<h2>Tables and views</h2>
<p>In the words of the file itself: its tables <code>table_doc</code> and <code>column_doc</code>.</p>
${schema(context.snapshot)}
${onYourMachine(context)}`,
  }),
};

function console({ published, snapshot }: PageContext): Html {
  const file = published();
  if (!file)
    return html`<p class="note">There is no console here: the file that is served was not published by this mirror, so a browser cannot read it. On the machine of the mirror, sqlite3 can.</p>`;
  const worker = scriptPath("sql-worker");
  if (!worker)
    return html`<p class="note">There is no console here: the scripts of this mirror were not built. Fetch the file, as below.</p>`;
  return form(file, `/snapshots/${snapshot.head.version}.sqlite`, worker);
}

const LIMITS: readonly { name: string; label: string; values: readonly number[]; fallback: number }[] = [
  { name: "rows", label: "Rows at most", values: [100, 1000, 10_000], fallback: 1000 },
  { name: "megabytes", label: "MB to read at most", values: [4, 16, 64, 256], fallback: 16 },
  { name: "seconds", label: "Seconds at most", values: [5, 30, 120], fallback: 30 },
];

const form = (
  { size }: PublishedFile,
  path: string,
  worker: string,
): Html => html`<p class="note" id="no-console">The console needs scripts. Without them, the queries below run in sqlite3 on your machine.</p>
<div id="console" hidden data-worker="${worker}" data-file="${path}" data-size="${size}">
<p>SQLite runs in your browser and fetches the parts of the file that a query needs, of ${bytes(size)} in all. The mirror sees no SQL. Nothing can be written.</p>
<form id="console-form">
<p><label for="query">One statement; Ctrl and Enter run it</label>
<textarea id="query" dir="ltr" rows="7" maxlength="20000" spellcheck="false" autocapitalize="off" autocomplete="off">SELECT place, name, win_rate FROM tier_list
WHERE rank = 'mythic' AND days = 7 AND lang = 'en' ORDER BY place LIMIT 10</textarea></p>
<div class="choices">${LIMITS.map(
  ({ name, label, values, fallback }) => html`<span class="choice"><label for="${name}">${label}</label>
<select dir="ltr" id="${name}">${values.map(
    (value) => html`<option value="${value}"${value === fallback && html` selected`}>${value}</option>`,
  )}</select></span>
`,
)}<button type="submit" id="run" aria-disabled="false">Run</button> <button type="button" id="stop" aria-disabled="true">Stop</button></div>
</form>
<p id="status" role="status"></p>
<div id="result"></div>
<p>The address of this page has the query: it is a link to share.</p>
<h2>Examples</h2>
<ul class="buttons" id="examples"></ul>
</div>`;

const onYourMachine = (
  context: PageContext,
  { published, snapshot: { head } } = context,
): Html => html`<h2>On your machine</h2>
${
  published()
    ? html`<p>The whole file, <a href="/snapshots/${head.version}.sqlite">${head.version}.sqlite</a>, is ${bytes(published()?.size ?? 0)}; its hash is on <a href="${addressOn(context, "/data")}">the page of the proof</a>. Any SQLite reader opens it.</p>`
    : html`<p>Any SQLite reader opens the file.</p>`
}
<pre dir="ltr" tabindex="0"><code>sqlite3 -readonly ${head.version}.sqlite "SELECT * FROM table_doc"</code></pre>`;

// More than any file of ours has; a foreign one may say anything.
const TABLES = "SELECT table_name AS name, description FROM table_doc ORDER BY table_name LIMIT 200";
const COLUMNS = `
  SELECT table_name, column_name AS name, substr(description, 1, 500) AS description, unit FROM column_doc
  ORDER BY table_name, column_name LIMIT 2000`;

interface TableDoc {
  name: string;
  description: string;
}

interface ColumnDoc extends TableDoc {
  table_name: string;
  unit: string | null;
}

/** Every table and view, in the words of the file itself. */
function schema({ select }: Snapshot): Html {
  const columns = Map.groupBy(select<ColumnDoc>(COLUMNS), (column) => column.table_name);
  const tables = select<TableDoc>(TABLES);
  if (tables.length === 0) return html`<p>This file does not describe itself.</p>`;
  return html`${tables.map(
    ({ name, description }) => html`<details><summary><code>${name.slice(0, 80)}</code> ${first(description)}</summary>
${description !== first(description) && html`<p>${description.slice(0, 1000)}</p>`}
${table(
  `Columns of ${name.slice(0, 80)}`,
  [{ head: "Column" }, { head: "What it is" }, { head: "Unit" }],
  (columns.get(name) ?? []).map((column) => [
    html`<code>${nameIn("en", column.name)}</code>`,
    column.description,
    column.unit,
  ]),
)}</details>
`,
  )}`;
}

/** The first sentence. */
const first = (text: string) => text.replace(/(?<=\.) [\s\S]*/, "").slice(0, 200);
