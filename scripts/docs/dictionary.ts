import SQLite from "better-sqlite3";
import { neededFields } from "../../src/api/body/needed-fields.ts";
import { isAsked } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { MISFITS } from "../../src/snapshot/derive/misfits.ts";
import { sourcesOf } from "../../src/snapshot/schema/sources.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { UNMAPPED } from "../../src/snapshot/schema/unmapped.ts";
import { VIEWS } from "../../src/snapshot/schema/views/all.ts";
import { fillPlaces, headed } from "./page.ts";

/** The parts of data/README.md that come from the definitions, and from a snapshot of the sample. */
export function renderDictionary(text: string, snapshot: string | undefined): string {
  const parts = {
    index: describeIndex(),
    needed: describeNeeded(),
    misfits: describeMisfits(),
    tables: TABLES.map(describeTable).join("\n\n"),
    "left-out": describeLeftOut(),
  };
  return fillPlaces(text, snapshot ? { ...parts, views: describeViews(snapshot) } : parts);
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

function describeViews(snapshot: string): string {
  const db = new SQLite(snapshot, { readonly: true });
  const parts = VIEWS.map(({ name, description, columns, example }) => {
    const statement = db.prepare(example);
    const names = statement.columns().map((column) => column.name);
    const rows = statement.raw().all() as unknown[][];
    const answer =
      rows.length === 0
        ? "(no rows)"
        : headed(
            names,
            rows.map((row) => row.map(String)),
          );
    const list = Object.entries(columns).map(([column, { type, nullable, description: meaning, unit }]) => [
      `\`${column}\``,
      `${type}${nullable ? ", may be null" : ""}`,
      meaning,
      unit ?? "",
    ]);
    return `### \`${name}\`\n\n${description}\n\n${headed(["column", "type", "meaning", "unit"], list)}\n\n\`\`\`sql\n${example};\n\`\`\`\n\n${answer}`;
  });
  db.close();
  return parts.join("\n\n");
}
