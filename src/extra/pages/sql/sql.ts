import { addressOn } from "../facts.ts";
import type { Figures } from "../figures.ts";
import { type Html, html } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import { consoleOf, MUCH_BYTES, whyNoConsole } from "./console.ts";
import { type PricedQuestion, questionsOf } from "./questions.ts";
import { schemaOf } from "./schema.ts";

export const SQL: PageEntry = {
  route: "/sql",
  summary: "SQL in the browser, which reads the published file by ranges; the questions of the docs, and the schema",
  link: "sql",
  english: true,
  choices: () => [],
  scripts: ["sql"],
  webAssembly: true,
  tellsFile: true,
  render: (context) => {
    const questions = questionsOf(context.snapshot);
    const console = consoleOf(context, questions);
    return {
      title: "SQL",
      main: html`<h1>SQL</h1>
${console ? introduction(context) : html`<p class="note">${whyNoConsole(context)}</p>`}
${console}
<h2>Questions and their queries</h2>
${questions.map((question) => describe(question, console !== undefined, context.figures))}
${!console && schemaOf(context)}
${onYourMachine(context)}`,
    };
  },
};

const introduction = ({ published, figures }: PageContext): Html =>
  html`<p>SQLite runs in your browser. It reads only the parts of the file (${figures.bytes(published()?.size ?? 0)}) that a query needs. The mirror sees no SQL, and nothing can be written.</p>`;

const describe = ({ title, text, sql, whole }: PricedQuestion, canRun: boolean, { bytes }: Figures): Html =>
  html`<div class="question"><h3>${title}</h3>
${text !== "" && html`<p>${text}</p>`}
${whole > MUCH_BYTES && html`<p>The query reads whole tables of ${bytes(whole)}.</p>`}
<pre dir="ltr" tabindex="0"><code>${sql}</code></pre>
${canRun && html`<p class="run"><button type="button" aria-label="Run: ${title}">Run</button></p>`}</div>
`;

const onYourMachine = (
  context: PageContext,
  { published, figures, snapshot: { head } } = context,
): Html => html`<h2>On your machine</h2>
${
  published()
    ? html`<p>The whole file, <a href="/snapshots/${head.version}.sqlite">${head.version}.sqlite</a>, is ${figures.bytes(published()?.size ?? 0)}; its hash is on <a href="${addressOn(context, "/data")}">the page of the proof</a>. Any SQLite reader opens it.</p>`
    : html`<p>Any SQLite reader opens the file.</p>`
}
<pre dir="ltr" tabindex="0"><code>sqlite3 -readonly ${head.version}.sqlite "SELECT * FROM table_doc"</code></pre>`;
