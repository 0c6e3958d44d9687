import { type Endpoint, errorsOf, isPaged } from "../../../api/endpoint.ts";
import { ERRORS, type ErrorCode } from "../../../api/errors.ts";
import { describeAllowed, isRequired, type Parameter } from "../../../api/request/parameters.ts";
import { addressOn } from "../facts.ts";
import { nameIn } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { withheldNotes } from "../proof/withheld-table.ts";
import { column, type PageColumn, showTable } from "../report.ts";
import { addressOfExample, type Example, exampleOf } from "./example.ts";
import { codeBlock, SOME_MIRROR, samples } from "./samples.ts";

const MOST_LINES = 80;
const MOST_LINE_CHARS = 160;
const MOST_FIELDS = 200;

/** The page of one endpoint. */
export function endpointPage(endpoint: Endpoint, context: PageContext): Html {
  const example = exampleOf(endpoint, context);
  const address = addressOfExample(example);
  return html`<h1>GET ${endpoint.path}</h1>
<p>${summaryOf(endpoint, context)}. <a href="${addressOn(context, "/docs")}">All endpoints</a></p>
${withheldNotes(context, [endpoint.from ?? endpoint.dataset], Number.NaN)}
${example.record === undefined && html`<p class="note">This snapshot holds no record of this endpoint. The requests below show how to ask a mirror that has one.</p>`}
${parameterTable(endpoint, context)}
<h2>Try it</h2>
${tryForm(endpoint, example, context)}
<h2>From a program</h2>
<p>Any site and any program may ask.</p>
<p class="some-mirror">${SOME_MIRROR} stands for the address of this mirror.</p>
${samples(address, endpoint.wrapping ?? "pages")}
<h2>What is answered</h2>
<p>${envelope(endpoint)}</p>
${example.record !== undefined && html`<p>One record of <a href="${address}">${address}</a>:</p>${codeBlock("One record", cut(example.record))}`}
${fieldTable(endpoint, context)}
<h2>Errors</h2>
${errorTable("What it may answer instead", errorsOf(endpoint), context)}`;
}

/** Says what an endpoint answers, and if the upstream has deprecated it. */
export const summaryOf = ({ dataset, summary }: Endpoint, { snapshot }: PageContext): Html =>
  html`${summary}${snapshot.deprecated().has(dataset) && html`; <b>deprecated by the upstream</b>`}`;

/** Asks the API itself. With scripts the answer is shown below it, and what the path names can be changed too. */
function tryForm(endpoint: Endpoint, example: Example, context: PageContext): Html {
  const { path, identifier, parameters, from, dataset } = endpoint;
  return html`<form class="try" method="get" action="${example.path}"${
    identifier && html` data-path="${path}" data-named="${identifier.name}" data-target="${example.target}"`
  }>
${parameters.map((parameter) => field(parameter, example.query.get(parameter.name), from ?? dataset, context))}
<button type="submit">Send</button></form>`;
}

function field(parameter: Parameter, shown: string | null, dataset: string, context: PageContext): Html {
  const { name, kind } = parameter;
  const id = `try-${name}`;
  const label = html`<label for="${id}">${name}</label>`;
  const required = isRequired(parameter) && html` required`;
  if (kind === "integer" || kind === "decimal") {
    const fallback = "default" in parameter ? parameter.default : undefined;
    const { minimum, maximum } = parameter;
    return html`<span class="choice">${label}<input id="${id}" name="${name}" type="number" min="${minimum}"${
      maximum !== undefined && html` max="${maximum}"`
    }${kind === "decimal" && html` step="any"`} value="${shown ?? fallback ?? ""}"${required}></span>`;
  }
  const chosen = shown ?? ("default" in parameter ? parameter.default : "");
  const options = [
    kind === "choices" && html`<option value="">any</option>`,
    ...heldValues(parameter, dataset, context).map(
      (value) => html`<option value="${value}"${value === chosen && html` selected`}>${value}</option>`,
    ),
  ];
  return html`<span class="choice">${label}<select id="${id}" name="${name}"${required}>${options}</select></span>`;
}

const WHOLE = html`<code>{"code":0,"message":"OK","data":{"records":[…],"total":…}}</code>`;

function envelope(endpoint: Endpoint): Html {
  if (endpoint.wrapping === "body") return html`The answer has no frame: it is the record.`;
  if (isPaged(endpoint))
    return html`${WHOLE}: a page of records, and how many all pages have together. <code>size</code> and <code>index</code> turn the pages.`;
  if (endpoint.wrapping === "data")
    return html`<code>{"code":0,"message":"Success","data":{…}}</code>: one record, without pages.`;
  return html`${WHOLE}: all records, without pages.`;
}

function cut(text: string): string {
  const lines = text.split("\n");
  const shown = lines.slice(0, MOST_LINES).map((line) => line.slice(0, MOST_LINE_CHARS));
  const rest = lines.length - shown.length;
  return rest > 0 ? `${shown.join("\n")}\n… ${rest} more lines` : shown.join("\n");
}

function parameterTable({ identifier, parameters }: Endpoint, context: PageContext): Html {
  const named = identifier && {
    name: identifier.name,
    where: "path",
    what: identifier.description,
    allowed: allowedOf(identifier),
    without: "required",
  };
  const rows = parameters.map((parameter) => ({
    name: parameter.name,
    where: "query",
    what: parameter.description,
    allowed: describeAllowed(parameter),
    without: isRequired(parameter) ? "required" : "default" in parameter ? String(parameter.default) : "all",
  }));
  const columns = [
    column.code("name", "Parameter"),
    column.text("where", "Where"),
    column.text("what", "What"),
    column.text("allowed", "Allowed"),
    column.text("without", "Without it"),
  ];
  const report = { caption: "In this order; others are ignored", columns, rows: named ? [named, ...rows] : rows };
  return html`<h2>Parameters</h2>${showTable(context, report)}`;
}

function allowedOf(identifier: NonNullable<Endpoint["identifier"]>): string {
  if (identifier.kind === "integer") return `a whole number from ${identifier.minimum} to ${identifier.maximum}`;
  return identifier.kind === "hero"
    ? "an id or a name of a hero in the list of heroes"
    : `a number of the list of ${identifier.list}`;
}

export function errorTable(caption: string, codes: readonly ErrorCode[], context: PageContext): Html {
  const rows = codes.map((name) => ({ name, ...ERRORS[name] })).sort((a, b) => a.status - b.status);
  const columns = [
    column.number("status", "Status"),
    { ...column.code("name", "Code"), names: true },
    column.text("when", "When"),
  ];
  return showTable(context, { caption, columns, rows });
}

interface Field {
  path: string;
  types: string;
  seen: number;
  parents: number;
  example: string;
}

const FIELDS = `
  SELECT path, types, seen, parents, substr(example, 1, 60) AS example FROM shape
  WHERE dataset = @dataset ORDER BY path LIMIT ${MOST_FIELDS}`;

/** Lists the fields that the records of this snapshot have. */
function fieldTable(endpoint: Endpoint, context: PageContext): Html | undefined {
  const { snapshot, figures } = context;
  const fields = snapshot.select<Field>(FIELDS, { dataset: endpoint.from ?? endpoint.dataset });
  if (fields.length === 0) return undefined;
  const columns: PageColumn<Field>[] = [
    column.code(({ path }) => path.slice(0, 200), "Field"),
    column.text("types", "Type"),
    column.number(({ seen, parents }) => (seen === parents ? "–" : figures.count(parents - seen)), "Missing in"),
    column.text(({ types, example }) => (/object|array/.test(types) ? "" : nameIn("en", example)), "Example"),
  ];
  const shown = showTable(context, { caption: "In the records of this snapshot", columns, rows: fields });
  return html`<details><summary>All ${fields.length} fields of a record</summary>${shown}</details>`;
}

const dimensionSql = (column: string) =>
  `SELECT CAST(${column} AS TEXT) AS value FROM coverage WHERE dataset = @dataset AND status <> 'failed' AND ${column} IS NOT NULL GROUP BY ${column}`;

const HELD_SQL = {
  lane: dimensionSql("lane"),
  rank: dimensionSql("rank"),
  days: dimensionSql("days"),
  lang: dimensionSql("lang"),
};

/** The values of a parameter that the snapshot has answers for: any other one leads to an error. */
function heldValues(
  parameter: Parameter & { values: readonly string[] },
  dataset: string,
  { snapshot, facts }: PageContext,
): readonly string[] {
  const { values } = parameter;
  const dimension = "selects" in parameter ? parameter.selects : undefined;
  if (dimension === undefined) return values;
  const rows = snapshot.select<{ value: string }>(HELD_SQL[dimension], { dataset });
  const asked = rows.map(({ value }) => value);
  // Records that are asked for in one language are answered with the names of each.
  const held: readonly string[] = dimension === "lang" && asked.length < 2 ? facts.langs : asked;
  return held.length > 0 ? values.filter((value) => held.includes(value)) : values;
}
