import { join } from "node:path";
import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { renderTableTypes } from "../../scripts/package/table-types.ts";
import { updateHistory } from "../../src/extra/nights/history/history.ts";
import { VIEWS } from "../../src/snapshot/schema/views/all.ts";
import { toNights } from "../helpers/nights.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const TYPES = renderTableTypes();

/** The columns of each table and view that an interface names, with their types. */
function readInterface(types: string, name: string): Map<string, [column: string, type: string][]> {
  const [, body = ""] = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)^\\}`, "m").exec(types) ?? [];
  return new Map(
    [...body.matchAll(/^ {2}(\w+): \{\n([\s\S]*?)^ {2}\};/gm)].map(([, table = "", columns = ""]) => [
      table,
      [...columns.matchAll(/^ {4}(\w+): (.*);$/gm)].map(([, column = "", type = ""]) => [column, type]),
    ]),
  );
}

const typeOf = (value: unknown) => (value === null ? "null" : typeof value);

/** So many rows of each: views of a history take their time. */
const ROWS = 3000;

/** What of the types a file does not have so, and what of the file they lack. */
function findDisagreements(types: string, name: string, db: SQLite.Database): string[] {
  const said = readInterface(types, name);
  const names = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'")
    .pluck()
    .all();
  const tables = new Set([...said.keys(), ...names]);
  return [...tables].flatMap((table) => {
    if (!names.includes(table)) return [`${table}: not in the file`];
    const columns = said.get(table) ?? [];
    const query = db.prepare(`SELECT * FROM ${table} LIMIT ${ROWS}`);
    const written = query.columns().map((column) => column.name);
    if (columns.map(([column]) => column).join() !== written.join()) return [`${table}: ${written}`];
    const seen = written.map(() => new Set<string>());
    for (const row of query.raw().iterate() as Iterable<unknown[]>)
      for (const [index, value] of row.entries()) seen[index]?.add(typeOf(value));
    return columns.flatMap(([column, type], index) =>
      [...(seen[index] ?? [])]
        .filter((one) => !type.split(" | ").includes(one))
        .map((one) => `${table}.${column}: ${one}`),
    );
  });
}

describe("the types of rows", () => {
  test("are those of every table and view of a snapshot", () => {
    const db = new SQLite(world.snapshot, { readonly: true });
    expect(findDisagreements(TYPES, "Snapshot", db)).toEqual([]);
    expect(readInterface(TYPES, "Snapshot").size).toBeGreaterThan(70);
    const wrong = TYPES.replace("    win_rate: number;", "    win_rate: string;")
      .replace("  coverage_hole: {", "  coverage_holes: {")
      .replace("    change_7_days: number | null;", "    change_7_days: number;");
    expect(findDisagreements(wrong, "Snapshot", db).sort()).toEqual([
      expect.stringMatching(/^\w+\.win_rate: number$/),
      "coverage_hole: dataset,slice,reason",
      "coverage_holes: not in the file",
      "trend_change.change_7_days: null",
    ]);
    db.close();
  });

  test("are those of every table and view of a history", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "history.sqlite");
    updateHistory(file, toNights(world.nights.files));
    const db = new SQLite(file, { readonly: true });
    expect(findDisagreements(TYPES, "History", db)).toEqual([]);
    expect(readInterface(TYPES, "History").size).toBeGreaterThan(100);
    db.close();
  });

  test("have the dictionary beside them", () => {
    const [, row = ""] = /^( {2}\/\*\* .*\n {2}tier_list: \{\n[\s\S]*?^ {2}\};)/m.exec(TYPES) ?? [];
    const view = VIEWS.find(({ name }) => name === "tier_list");
    for (const text of [view?.description, ...Object.values(view?.columns ?? {}).map(({ description }) => description)])
      expect(row).toContain(`/** ${text}`);
  });
});
