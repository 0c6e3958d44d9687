import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, type PageColumn, showTable } from "../report.ts";

// More than any file of ours has; a foreign one may say anything.
const TABLES = `
  SELECT table_name AS name, description,
    (SELECT type FROM sqlite_schema WHERE sqlite_schema.name = table_name AND type IN ('table', 'view')) AS type
  FROM table_doc ORDER BY type = 'view' DESC, table_name LIMIT 200`;
const COLUMNS = `
  SELECT table_name, column_name AS name, substr(description, 1, 500) AS description, unit FROM column_doc
  ORDER BY table_name, column_name LIMIT 2000`;

interface TableDoc {
  name: string;
  description: string;
  type: string | null;
}

interface ColumnDoc {
  table_name: string;
  name: string;
  description: string;
  unit: string | null;
}

/** Every view and table, in the words of the file itself. */
export function schemaOf(context: PageContext): Html {
  const { select } = context.snapshot;
  const columns = Map.groupBy(select<ColumnDoc>(COLUMNS), (column) => column.table_name);
  const tables = select<TableDoc>(TABLES);
  if (tables.length === 0) return html`<p>This file does not describe itself.</p>`;
  const [views, others] = [tables.filter(({ type }) => type === "view"), tables.filter(({ type }) => type !== "view")];
  const list = (title: string, some: readonly TableDoc[]) =>
    some.length > 0 &&
    html`<h2>${title}</h2>
${some.map((one) => describe(one, columns.get(one.name) ?? [], context))}`;
  return html`${list("Views", views)}${list("Tables", others)}`;
}

const COLUMNS_OF_COLUMNS: readonly PageColumn<ColumnDoc>[] = [
  column.code(({ name }) => name.slice(0, 80), "Column"),
  column.text(
    ({ description, unit }) => html`${description}${unit !== null && html` <small>${unit}</small>`}`,
    "What it is",
  ),
];

const describe = ({ name, description }: TableDoc, rows: readonly ColumnDoc[], context: PageContext): Html =>
  html`<details><summary><code>${name.slice(0, 80)}</code> ${first(description)}</summary>
<p><code>${name.slice(0, 80)}</code> ${rest(description)}</p>
${showTable(context, { caption: `Columns of ${name.slice(0, 80)}`, columns: COLUMNS_OF_COLUMNS, rows })}</details>
`;

/** The first sentence, and the others. */
const first = (text: string) => text.replace(/(?<=\.) [\s\S]*/, "").slice(0, 200);
const rest = (text: string) => text.slice(first(text).length).trim().slice(0, 1000);
