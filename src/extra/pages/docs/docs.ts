import type { Endpoint } from "../../../api/endpoint.ts";
import { ENDPOINT_GROUPS, ENDPOINTS } from "../../../api/endpoints.ts";
import { ERRORS, type ErrorCode } from "../../../api/errors.ts";
import { INDEX, isRequired, LANG, SIZE } from "../../../api/request/parameters.ts";
import { addressOn } from "../facts.ts";
import { type Html, html, joinPieces } from "../html.ts";
import type { PageContext, PageEntry } from "../page.ts";
import type { Choice } from "../query.ts";
import { column, type PageColumn, showTable } from "../report.ts";
import { endpointPage, errorTable, summaryOf } from "./endpoint.ts";

const ENDPOINT: Choice = {
  name: "endpoint",
  label: "Endpoint",
  options: ENDPOINTS.map(({ dataset, path }) => ({ value: dataset, label: path })),
  fallback: "",
};

export const DOCS: PageEntry = {
  route: "/docs",
  summary: "The reference of the API: parameters, errors, records, how to ask from a program, and a form to try it",
  link: "docs",
  english: true,
  choices: () => [ENDPOINT],
  scripts: ["try"],
  render(context) {
    const endpoint = ENDPOINTS.find(({ dataset }) => dataset === context.values.endpoint);
    return {
      title: endpoint ? `GET ${endpoint.path}` : "API reference",
      main: html`<div lang="en" dir="ltr">${endpoint ? endpointPage(endpoint, context) : overview(context)}</div>`,
    };
  },
};

const overview = (context: PageContext): Html => html`<h1>API reference</h1>
<p>The mirror answers ${ENDPOINTS.length} endpoints with <code>GET</code>, without a key. <strong>Any site may ask it from a browser</strong> (CORS): every answer allows every origin. <a href="/api/openapi.json">OpenAPI 3.1</a> describes the API for tools, and <a href="/api/">/api/</a> lists all routes. Besides its own parameters each takes <code>size</code>, <code>index</code> and <code>lang</code>.</p>
${ENDPOINT_GROUPS.map(({ name, summary, endpoints }) => html`<h2 id="group-${toId(name)}">${name}</h2>${showTable(context, { caption: summary, columns: GROUP, rows: endpoints })}`)}
<h2 id="answers">What all answers have</h2>
<p>Lists come in pages: <code>size</code> and <code>index</code> select one. <code>lang</code> selects the language of names and texts. The headers <code>x-snapshot-at</code> and <code>x-data-at</code> say when the snapshot and the data of the answer were asked for. <code>etag</code> makes a second request cheap.</p>
<h2 id="errors">Errors</h2>
<p>All errors have one scheme: <code>{"success":false,"error":{"code":…,"message":…,"hint":…,"detail":…,"fields":[…]}}</code></p>
${errorTable("By status", Object.keys(ERRORS) as ErrorCode[], context)}`;

const toId = (name: string) => name.toLowerCase().replaceAll(/\W+/g, "-");

/** A path of which a line may end before any part. */
const breakable = (path: string) => joinPieces(path.split(/(?=\/)/), html`<wbr>`);

const SHARED = [SIZE, INDEX, LANG];

const GROUP: readonly PageColumn<Endpoint>[] = [
  column.text(
    ({ dataset, path }, context) =>
      html`<a id="${dataset}" href="${addressOn(context, "/docs", [ENDPOINT], { endpoint: dataset })}">${breakable(path)}</a>`,
    "Path",
  ),
  column.text(summaryOf, "What"),
  column.text(({ parameters }) => {
    const particular = parameters.filter((parameter) => !SHARED.includes(parameter));
    return joinPieces(
      particular.map((parameter) => html`<code>${parameter.name}</code>${isRequired(parameter) && " (required)"}`),
      ", ",
    );
  }, "Parameters"),
];
