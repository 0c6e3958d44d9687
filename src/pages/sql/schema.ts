import type { Snapshot } from "../../snapshot/read/snapshot.ts";
import { nameIn, table } from "../format.ts";
import { type Html, html } from "../html.ts";

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
export function schema({ select }: Snapshot): Html {
  const columns = Map.groupBy(select<ColumnDoc>(COLUMNS), (column) => column.table_name);
  const tables = select<TableDoc>(TABLES);
  if (tables.length === 0) return html`<p>This file does not describe itself.</p>`;
  return html`${tables.map(
    ({ name, description }) => html`<details><summary><code>${name.slice(0, 80)}</code> ${first(description)}</summary>
${description !== first(description) && html`<p>${description.slice(0, 1000)}</p>`}
${table(
  `Columns of ${name.slice(0, 80)}`,
  [{ head: "Column" }, { head: "What it is" }, { head: "Unit" }],
  (columns.get(name) ?? []).map((one) => [html`<code>${nameIn("en", one.name)}</code>`, one.description, one.unit]),
)}</details>
`,
  )}`;
}

/** The first sentence. */
const first = (text: string) => text.replace(/(?<=\.) [\s\S]*/, "").slice(0, 200);
