import SQLite from "better-sqlite3";
import { neededOf } from "../../src/api/body/needed.ts";
import { isAsked } from "../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { TABLES } from "../../src/snapshot/definitions/all.ts";
import { sourcesOf } from "../../src/snapshot/definitions/sources.ts";
import { LEFT_OUT } from "../../src/snapshot/definitions/unmapped.ts";
import { MISFITS } from "../../src/snapshot/derive/misfits.ts";
import { VIEWS } from "../../src/snapshot/views.ts";

/** Puts texts between the marks `<!-- name -->` and `<!-- /name -->`. */
export function fillPlaces(text: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce((done, [name, part]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    const [from, to] = [done.indexOf(begin), done.indexOf(end)];
    if (from < 0 || to < 0) throw new Error(`there is no place for ${name}`);
    return done.slice(0, from + begin.length) + part + done.slice(to);
  }, text);
}

export const table = (rows: string[][]) => rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** The parts of data/README.md that come from the definitions, and from a snapshot of the sample. */
export function renderDictionary(text: string, snapshot: string | undefined): string {
  const parts = {
    needed: describeNeeded(),
    misfits: describeMisfits(),
    tables: TABLES.map(describeTable).join("\n\n"),
    "left-out": describeLeftOut(),
  };
  return fillPlaces(text, snapshot ? { ...parts, views: describeViews(snapshot) } : parts);
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
  const head = [
    ["column", "type", "meaning", "unit", "source"],
    ["---", "---", "---", "---", "---"],
  ];
  return `### \`${name}\`\n\n${description} Key: ${key.map((column) => `\`${column}\``).join(", ")}.\n\n${table([...head, ...rows])}`;
}

function describeNeeded(): string {
  const rows = ENDPOINTS.filter(isAsked).map((endpoint) => {
    const needs = neededOf(endpoint).map(({ path, use }) => `\`${path}\` (${use})`);
    return [endpoint.dataset, needs.join(", ") || "none"];
  });
  return table([["endpoint", "fields"], ["---", "---"], ...rows]);
}

const describeMisfits = () =>
  table([["kind", "what happened"], ["---", "---"], ...Object.entries(MISFITS).map(([kind, what]) => [kind, what])]);

function describeLeftOut(): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");
  const rows = LEFT_OUT.map(({ datasets, paths, reason }) => [code(datasets) || "all", code(paths), reason]);
  return table([["endpoint", "fields", "why"], ["---", "---", "---"], ...rows]);
}

function describeViews(snapshot: string): string {
  const db = new SQLite(snapshot, { readonly: true });
  const parts = VIEWS.map(({ name, description, columns, example }) => {
    const statement = db.prepare(example);
    const names = statement.columns().map((column) => column.name);
    const rows = statement.raw().all() as unknown[][];
    const answer =
      rows.length === 0 ? "(no rows)" : table([names, names.map(() => "---"), ...rows.map((row) => row.map(String))]);
    const list = Object.entries(columns).map(([column, meaning]) => [`\`${column}\``, meaning]);
    return `### \`${name}\`\n\n${description}\n\n${table([["column", "meaning"], ["---", "---"], ...list])}\n\n\`\`\`sql\n${example};\n\`\`\`\n\n${answer}`;
  });
  db.close();
  return parts.join("\n\n");
}
