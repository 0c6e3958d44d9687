import SQLite from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import type { Lang } from "../../src/api/enumerations.ts";
import { createQualityCounter } from "../../src/snapshot/build/quality.ts";
import type { TableDefinition } from "../../src/snapshot/schema/definition.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { hashSchema, SCHEMA_HASHES, SCHEMA_VERSION, toUserVersion } from "../../src/snapshot/schema/version.ts";
import type { Row } from "../helpers/archive.ts";
import { expectTablesOfArchive } from "../helpers/expected-tables.ts";
import { world } from "../helpers/world.ts";

const db = new SQLite(world.snapshot, { readonly: true });
afterAll(() => db.close());

const all = (sql: string, ...values: unknown[]) => db.prepare<unknown[], Row>(sql).all(...values);
const column = (sql: string, ...values: unknown[]) => {
  const query = db.prepare<unknown[], string>(sql).pluck();
  return query.all(...values);
};
const SCHEMA = "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND type";

describe("the schema", () => {
  test("has its version and hash in the file", () => {
    expect([db.pragma("user_version", { simple: true }), hashSchema(db)]).toEqual([
      toUserVersion(SCHEMA_VERSION),
      SCHEMA_HASHES[SCHEMA_VERSION],
    ]);
  });

  test("is strict, and every reference in it holds", () => {
    const tables = column(`${SCHEMA} = 'table'`);
    const strict = column("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict");
    expect(strict.sort()).toEqual(tables.sort());
    expect(db.pragma("foreign_key_check")).toEqual([]);
  });

  test("describes every table, view and column in the file, and nothing else", () => {
    const names = column(`${SCHEMA} IN ('table', 'view') ORDER BY name`);
    expect(column("SELECT table_name FROM table_doc ORDER BY 1")).toEqual(names);
    for (const name of names) {
      const known = column("SELECT name FROM pragma_table_info(?) ORDER BY name", name);
      expect(column("SELECT column_name FROM column_doc WHERE table_name = ? ORDER BY 1", name)).toEqual(known);
    }
    expect(column("SELECT DISTINCT table_name FROM column_doc ORDER BY 1")).toEqual(names);
    const open =
      "SELECT description FROM (SELECT description FROM table_doc UNION ALL SELECT description FROM column_doc)";
    expect(column(`${open} WHERE description NOT GLOB '[A-Za-z0-9]*.'`)).toEqual([]);
  });

  test("has no clause that the SQLite of common systems (3.40) cannot read: one would close the whole file to it", () => {
    // Aggregates with an order came with 3.44.
    const ordered = /\b\w+\((?:[^()]|\([^()]*\))*?,[^()]*\bORDER\s+BY\b/i;
    const texts = column("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").map(String);
    expect(ordered.test("SELECT group_concat(coalesce(a, b), ', ' ORDER BY c) FROM t")).toBe(true);
    expect(texts.filter((text) => ordered.test(text))).toEqual([]);
  });

  test("says the unit of every time and rate of a table or view", () => {
    const wrong = column(
      `SELECT table_name || '.' || column_name FROM column_doc
       WHERE (column_name GLOB '*_ms' AND unit IS NOT 'epoch milliseconds')
         OR (column_name IN ('asked_at', 'started_at', 'since', 'oldest', 'newest') AND unit IS NOT 'ISO 8601 time in UTC')
         OR (column_name GLOB 'date*' AND unit IS NOT 'ISO 8601 date')
         OR (column_name GLOB '*_rate*' AND unit IS NOT iif(column_name = 'ban_rate', 'bans per match', 'share of 1')) OR (column_name = 'days' AND unit IS NOT 'days')`,
    );
    expect(wrong).toEqual([]);
  });

  test("defines tables that have what their kind says", () => {
    const isWrong = ({ kind, key, columns, history, rows, constants }: TableDefinition) =>
      (kind === "internal") === Boolean(rows ?? constants) ||
      (kind === "list" && key.at(-1) !== "position") ||
      (kind === "text" && !key.includes("lang")) ||
      (typeof history === "object" && history.some((name) => !columns[name] || key.includes(name)));
    expect(TABLES.filter(isWrong).map(({ name }) => name)).toEqual([]);
  });

  test("has no column that names another dataset than one of the table's sources", () => {
    const unknown = TABLES.flatMap(({ name, columns, rows = [] }) =>
      Object.entries(columns).flatMap(([column, { from }]) => {
        const named = from && typeof from.kind !== "string" ? Object.keys(from) : [];
        const strange = named.filter((dataset) => !rows.some(({ datasets }) => datasets[0] === dataset));
        return strange.map((dataset) => `${name}.${column}: ${dataset}`);
      }),
    );
    expect(unknown).toEqual([]);
  });
});

test.for([
  ["the pairings of a hero", "SELECT * FROM hero_pairing WHERE source = 'counters' AND hero_id = 1"],
  ["the pairings of a hero in a rank", "SELECT * FROM hero_pairing WHERE rank = 'all' AND days = 7 AND hero_id = 1"],
  ["the heroes paired with one", "SELECT * FROM hero_pairing WHERE other_hero_id = 1"],
  ["the matchups of a hero", "SELECT * FROM hero_matchup WHERE hero_id = 1"],
  [
    "the matchups of a hero in a rank",
    "SELECT * FROM hero_matchup WHERE hero_id = 1 AND rank = 'all' AND match_type = 0",
  ],
  ["the text issues of an endpoint", "SELECT * FROM text_issue WHERE slice_id = 1"],
  ["the rates of a rank and window", "SELECT * FROM hero_rate WHERE rank = 'all' AND days = 7"],
  ["the trend of a hero", "SELECT * FROM hero_trend WHERE hero_id = 1"],
  ["the texts of a hero in a language", "SELECT * FROM hero_text WHERE hero_id = 1 AND lang = 'ja'"],
  ["the skills of a hero in a language", "SELECT * FROM skill_text WHERE hero_id = 1 AND lang = 'ja'"],
])("%s are found without reading the whole table", ([, sql]) => {
  const plan = all(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => detail);
  expect(plan).toEqual([expect.stringMatching(/^SEARCH /)]);
});

test("a bad text is told once, also behind the thousandth of a record, of which none is told as missing", () => {
  const quality = createQualityCounter();
  const ofHero = (labels: number, skillname: string) => ({
    data: {
      hero: {
        data: { speciality: Array(labels).fill("a word"), heroskilllist: [{ skilllist: [{ skillname }] }] },
      },
    },
  });
  const add = (id: number, lang: Lang, record: unknown) =>
    quality.add({ id, slice: { dataset: "hero", hero: 1, lang } }, 1, "1", record);
  add(1, "en", ofHero(2, "Name"));
  add(2, "de", ofHero(1, "TBD"));
  add(3, "id", ofHero(1500, "TBD"));
  expect(quality.issues().map(({ slice_id, path, issue }) => [slice_id, path, issue])).toEqual([
    [2, "data.hero.data.heroskilllist[0].skilllist[0].skillname", "placeholder"],
    [2, "data.hero.data.speciality[1]", "missing"],
    [3, "data.hero.data.heroskilllist[0].skilllist[0].skillname", "placeholder"],
  ]);
});

test("the analysts' tables have exactly the rows of the archive, with every value as it was sent", () => {
  expectTablesOfArchive(world.nights.files[2] ?? "");
});
