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

/** What to ask each view, and the first rows of the answer. */
const QUESTIONS: Record<string, string> = {
  tier_list:
    "SELECT place, name, win_rate, ban_rate, appearance_rate FROM tier_list WHERE rank = 'mythic' AND days = 7 AND lang = 'ja' ORDER BY place LIMIT 3",
  counter_list:
    "SELECT side, position, opponent, increase_win_rate FROM counter_list WHERE name = 'Miya' AND rank = 'all' AND days = 30 AND position <= 2 ORDER BY side, position",
  trend_change:
    "SELECT date, win_rate, round(change_7_days, 6) AS change FROM trend_change WHERE name = 'Miya' AND rank = 'all' ORDER BY date DESC LIMIT 3",
  hero_place: "SELECT name, role, lane FROM hero_place WHERE role = 'mage' AND lane = 'roam' ORDER BY name LIMIT 3",
  skill_two_languages:
    "SELECT name_a, name_b FROM skill_two_languages WHERE hero = 'Miya' AND lang_a = 'en' AND lang_b = 'ru' ORDER BY skill_id LIMIT 3",
  item_tree: "SELECT item, target FROM item_tree ORDER BY item_id, target_item_id LIMIT 3",
  build_list:
    "SELECT position, round(win_rate, 4) AS win_rate, items, emblem, spell FROM build_list WHERE hero = 'Layla' AND lane = 'gold' AND rank = 'all' ORDER BY position",
  minute_list:
    "SELECT from_minute, to_minute, round(win_rate, 4) AS win_rate, round(difference, 4) AS difference FROM minute_list WHERE hero = 'Ling' AND lane = 'jungle' AND rank = 'all' ORDER BY from_minute LIMIT 3",
  matchup_list:
    "SELECT other, increase_win_rate FROM matchup_list WHERE hero = 'Layla' AND rank = 'all' AND side = 'opponent' ORDER BY increase_win_rate DESC LIMIT 3",
  vote_list: "SELECT title, position, candidate, score FROM vote_list ORDER BY subject, position LIMIT 3",
  coverage_hole: "SELECT dataset, slice, reason FROM coverage_hole ORDER BY dataset, slice LIMIT 3",
};

function describeViews(snapshot: string): string {
  const db = new SQLite(snapshot, { readonly: true });
  const parts = VIEWS.map(({ name, description, columns }) => {
    const question = QUESTIONS[name] ?? `SELECT * FROM ${name} LIMIT 3`;
    const statement = db.prepare(question);
    const names = statement.columns().map((column) => column.name);
    const rows = statement.raw().all() as unknown[][];
    const answer =
      rows.length === 0 ? "(no rows)" : table([names, names.map(() => "---"), ...rows.map((row) => row.map(String))]);
    const list = Object.entries(columns).map(([column, meaning]) => [`\`${column}\``, meaning]);
    return `### \`${name}\`\n\n${description}\n\n${table([["column", "meaning"], ["---", "---"], ...list])}\n\n\`\`\`sql\n${question};\n\`\`\`\n\n${answer}`;
  });
  db.close();
  return parts.join("\n\n");
}
