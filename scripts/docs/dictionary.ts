import SQLite from "better-sqlite3";
import { neededFields } from "../../src/api/body/needed-fields.ts";
import { isAsked } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { MISFITS } from "../../src/snapshot/derive/misfits.ts";
import { sourcesOf } from "../../src/snapshot/schema/sources.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { UNMAPPED } from "../../src/snapshot/schema/unmapped.ts";
import { VIEWS } from "../../src/snapshot/schema/views/all.ts";
import { fillPlaces, headed, readPlace } from "./page.ts";

/** The parts of data/README.md that come from the definitions, and from a snapshot of the sample: without one, answers stay as they are. */
export function renderDictionary(text: string, snapshot: string | undefined): string {
  const answers = snapshot ? askViews(snapshot) : readAnswers(text);
  return fillPlaces(text, {
    index: describeIndex(),
    needed: describeNeeded(),
    misfits: describeMisfits(),
    views: VIEWS.map((view) => describeView(view, answers.get(view.name) ?? NO_ROWS)).join("\n\n"),
    tables: TABLES.map(describeTable).join("\n\n"),
    "left-out": describeLeftOut(),
  });
}

/** One line for each view and table: the first sentence of what it is. */
function describeIndex(): string {
  const line = ({ name, description }: { name: string; description: string }, what: string) => [
    `[${name}](#${name})`,
    what,
    description.replace(/(?<=\.) .*/, ""),
  ];
  const rows = [...VIEWS.map((view) => line(view, "view")), ...TABLES.map((table) => line(table, "table"))];
  return headed(["name", "", "what it holds"], rows);
}

function describeTable(definition: (typeof TABLES)[number]): string {
  const { name, description, columns, key } = definition;
  const sources = sourcesOf(definition);
  const rows = Object.entries(columns).map(([column, { type, nullable, description: meaning, unit }]) => [
    `\`${column}\``,
    `${type}${nullable ? ", may be null" : ""}`,
    meaning.replaceAll("|", "\\|"),
    unit ?? "",
    sources[column] ? `\`${sources[column]}\`` : "",
  ]);
  return `### \`${name}\`\n\n${description} Key: ${key.map((column) => `\`${column}\``).join(", ")}.\n\n${headed(["column", "type", "meaning", "unit", "source"], rows)}`;
}

function describeNeeded(): string {
  const rows = ENDPOINTS.filter(isAsked).map((endpoint) => {
    const needs = neededFields(endpoint).map(({ path, use }) => `\`${path}\` (${use})`);
    return [endpoint.dataset, needs.join(", ") || "none"];
  });
  return headed(["endpoint", "fields"], rows);
}

const describeMisfits = () => headed(["kind", "what happened"], Object.entries(MISFITS));

function describeLeftOut(): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  const rows = UNMAPPED.map(({ datasets, paths, reason }) => [code(datasets) || "all", code(paths), reason]);
  return headed(["endpoint", "fields", "why"], rows);
}

const NO_ROWS = "(no rows)";

/** The answers of a snapshot to the examples of the views, by the name of the view. */
function askViews(snapshot: string): Map<string, string> {
  const db = new SQLite(snapshot, { readonly: true });
  const answers = VIEWS.map(({ name, example }): [string, string] => {
    const statement = db.prepare(example);
    const names = statement.columns().map((column) => column.name);
    const rows = statement.raw().all() as unknown[][];
    const lines = rows.map((row) => row.map(String));
    return [name, lines.length === 0 ? NO_ROWS : headed(names, lines)];
  });
  db.close();
  return new Map(answers);
}

/** The answers that the page shows. */
function readAnswers(text: string): Map<string, string> {
  const sections = readPlace(text, "views")
    .split(/^### `/m)
    .slice(1);
  return new Map(
    sections.map((section) => {
      const answer = section.slice(section.lastIndexOf(EXAMPLE_END) + EXAMPLE_END.length);
      return [section.slice(0, section.indexOf("`")), answer.trim()];
    }),
  );
}

const EXAMPLE_END = "\n```\n\n";

function describeView({ name, description, columns, example }: (typeof VIEWS)[number], answer: string): string {
  const list = Object.entries(columns).map(([column, { type, nullable, description: meaning, unit }]) => [
    `\`${column}\``,
    `${type}${nullable ? ", may be null" : ""}`,
    meaning,
    unit ?? "",
  ]);
  return `### \`${name}\`\n\n${description}\n\n${headed(["column", "type", "meaning", "unit"], list)}\n\n\`\`\`sql\n${example};${EXAMPLE_END}${answer}`;
}
