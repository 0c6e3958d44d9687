import type { PublishedFile } from "../../../snapshot/read/shown.ts";
import { scriptPath } from "../assets.ts";
import type { Figures } from "../figures.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { PricedQuestion } from "./questions.ts";
import { schemaOf } from "./schema.ts";

/** A query that reads more is named with what it reads. */
export const MUCH_BYTES = 2_000_000;

const LIMITS: readonly { name: string; label: string; values: readonly number[]; fallback: number }[] = [
  { name: "rows", label: "Rows at most", values: [100, 1000, 10_000], fallback: 1000 },
  { name: "seconds", label: "Seconds at most", values: [5, 30, 120], fallback: 30 },
];

/** The console that runs queries; it says why if that is not possible. The style hides it from browsers without scripts. */
export function consoleOf(context: PageContext, questions: readonly PricedQuestion[]): Html | undefined {
  const file = context.published();
  const worker = scriptPath("sql-worker");
  return file && worker ? form(file, worker, questions, context) : undefined;
}

/** Says why there is no console. */
export const whyNoConsole = ({ published }: PageContext): string =>
  published()
    ? "There is no console here: the scripts of this mirror were not built. Fetch the file, as below."
    : "There is no console here: the file that is served was not published by this mirror, so a browser cannot read it. On the machine of the mirror, sqlite3 can.";

// Roots of trees come first in a file that was made by VACUUM.
const HEAD_BYTES = "SELECT max(rootpage) * page_size AS bytes FROM sqlite_schema, pragma_page_size";

// method="dialog": nothing is sent before the script has come.
const form = (
  { size }: PublishedFile,
  worker: string,
  questions: readonly PricedQuestion[],
  context: PageContext,
  { snapshot, figures } = context,
): Html => html`<noscript><p class="note">The console needs scripts. Without them, the queries below run in sqlite3 on your machine.</p></noscript>
<div id="console" class="console" data-worker="${worker}" data-file="/snapshots/${snapshot.head.version}.sqlite" data-size="${size}" data-head="${snapshot.select<{ bytes: number }>(HEAD_BYTES)[0]?.bytes ?? 0}">
<form id="console-form" method="dialog">
<p><label for="query">SQL query. Ctrl+Enter runs it.</label>
<textarea id="query" dir="ltr" rows="6" maxlength="20000" spellcheck="false" autocapitalize="off" autocomplete="off">SELECT place, tier, hero, win_rate FROM tier_list
WHERE rank = 'mythic' AND days = 7 ORDER BY place LIMIT 10</textarea></p>
<div class="choices"><span class="run"><button type="submit" id="run" aria-disabled="true">Run</button> <button type="button" id="stop" aria-disabled="true">Stop</button></span>
<span class="choice"><label for="example">Examples</label>
<select id="example" dir="ltr"><option value="">–</option>${questions.map(
  (question, index) => html`<option value="${index}">${nameOf(question, figures)}</option>`,
)}</select></span>
${LIMITS.map(
  ({ name, label, values, fallback }) => html`<span class="choice"><label for="${name}">${label}</label>
<select dir="ltr" id="${name}">${values.map(
    (value) => html`<option value="${value}"${value === fallback && html` selected`}>${value}</option>`,
  )}</select></span>
`,
)}</div>
</form>
<details class="choosing" id="schema"><summary>Tables and columns</summary>
<div class="names" id="names" role="region" aria-label="Tables and columns" tabindex="0">
<p>In the words of the file itself: its tables <code>table_doc</code> and <code>column_doc</code>.</p>
<p class="run">A click on a name puts it into the query.</p>
${schemaOf(context)}</div></details>
<div class="answer">
<p id="status" role="status">The address of this page has the query: it is a link to share.</p>
<div id="fault" class="fault" role="alert"></div>
<div id="result"></div>
</div>
</div>`;

const nameOf = ({ title, whole }: PricedQuestion, { writeBytes }: Figures) =>
  whole > MUCH_BYTES ? `${title} (${writeBytes(whole)})` : title;
