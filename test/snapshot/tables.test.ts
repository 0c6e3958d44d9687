import SQLite from "better-sqlite3";
import { afterAll, describe, expect, inject, test } from "vitest";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import type { TableDefinition } from "../../src/snapshot/schema/definition.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { hashSchema, SCHEMA_HASHES, SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { keyText, type Row, type Rows, recordsWhere } from "../helpers/expected/archive.ts";
import { expectRows } from "../helpers/expected/rows.ts";
import { definitionOf } from "../helpers/old-schema.ts";

const db = new SQLite(inject("snapshot"), { readonly: true });
afterAll(() => db.close());

const all = (sql: string, ...values: unknown[]) => db.prepare<unknown[], Row>(sql).all(...values);
const column = (sql: string, ...values: unknown[]) => {
  const query = db.prepare<unknown[], string>(sql).pluck();
  return query.all(...values);
};
const SCHEMA = "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' AND type";

/** The tables that are filled from the archive. */
const analysts = () => {
  const others = TABLES.filter(({ kind }) => kind === "internal").map(({ name }) => name);
  return column(`${SCHEMA} = 'table' ORDER BY name`).filter((name) => !others.includes(name));
};

describe("the schema", () => {
  test("is the one that readers know: a change is a new version", async () => {
    const version = `PRAGMA user_version = ${db.pragma("user_version", { simple: true })};`;
    const schema = column("SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name");
    const whole = `${[version, ...schema].join("\n\n")}\n`;
    await expect(whole).toMatchFileSnapshot(`../helpers/schemas/${SCHEMA_VERSION}.sql`);
  });

  test.for(Object.entries(SCHEMA_HASHES))("is known by its hash (%s)", ([version, hash]) => {
    const defined = new SQLite(":memory:");
    defined.exec(definitionOf(version));
    expect(hashSchema(defined)).toBe(hash);
    defined.close();
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

  test("says the unit of every time and rate of a table", () => {
    const wrong = column(
      `SELECT table_name || '.' || column_name FROM column_doc JOIN sqlite_schema ON name = table_name AND type = 'table'
       WHERE (column_name GLOB '*_ms' AND unit IS NOT 'epoch milliseconds')
         OR (column_name GLOB '*_rate*' AND unit IS NOT 'share of 1') OR (column_name = 'days' AND unit IS NOT 'days')`,
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
});

describe("the views", () => {
  test("have rows", () => {
    for (const view of column(`${SCHEMA} = 'view'`))
      expect(all(`SELECT * FROM ${view} LIMIT 1`).length > 0, view).toBe(view !== "coverage_hole");
  });

  test("list the heroes of a rank and window from the highest win rate", () => {
    const where = "rank = 'glory' AND days = 7 AND lang = 'ja'";
    const rates = column(`SELECT win_rate FROM tier_list WHERE ${where} ORDER BY place`).map(Number);
    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
    expect(column(`SELECT place FROM tier_list WHERE ${where} ORDER BY 1`)).toEqual(rates.map((_, index) => index + 1));
    const [first] = recordsWhere(db, "dataset || slice = ?", "rankrank=glory&days=7&lang=en");
    expect(first?.record).toHaveProperty("data.main_hero_win_rate", rates[0]);
  });

  test("list the opponents of a hero, best and worst first", () => {
    const rates = (side: string) =>
      column(
        `SELECT increase_win_rate FROM counter_list
         WHERE name = 'Layla' AND rank = 'all' AND days = 7 AND side = ? ORDER BY position`,
        side,
      ).map(Number);
    const [best, worst] = [rates("best"), rates("worst")];
    expect([best.length, worst.length]).toEqual([5, 5]);
    expect([...best, ...worst.toReversed()]).toEqual([...best, ...worst].sort((a, b) => b - a));
  });

  test("take the change of a trend from the rate of seven days before", () => {
    const where = "name = 'Layla' AND rank = 'epic'";
    const days = all(`SELECT win_rate, change_7_days FROM trend_change WHERE ${where} ORDER BY date`);
    expect(days).toHaveLength(30);
    for (const [index, { win_rate, change_7_days }] of days.entries()) {
      const before = days[index - 7];
      expect(change_7_days).toBe(before ? Number(win_rate) - Number(before.win_rate) : null);
    }
  });

  test("list who counters the most banned heroes", () => {
    const where = "rank = 'mythic' AND days = 7";
    const rows = all(`SELECT * FROM banned_counter WHERE ${where} AND ban_place <= 5 ORDER BY ban_place, position`);
    const banned = column(`SELECT ban_rate FROM hero_rate WHERE ${where} ORDER BY ban_rate DESC LIMIT 5`);
    expect(rows.map(({ ban_rate }) => ban_rate)).toEqual(banned.flatMap((rate) => [rate, rate, rate, rate, rate]));
    for (const { hero, counter, position, increase_win_rate } of rows) {
      const listed = `SELECT opponent, increase_win_rate FROM counter_list WHERE ${where} AND side = 'worst' AND name = ? AND position = ?`;
      expect(all(listed, hero, position)).toEqual([{ opponent: counter, increase_win_rate }]);
      expect(increase_win_rate).toBeLessThan(0);
    }
  });

  test("list pairs of heroes that each have the other among their best team mates, once", () => {
    const best = all(
      "SELECT hero_id, other_hero_id FROM hero_pairing WHERE source = 'compatibility' AND side = 'best' AND rank = 'epic' AND days = 30",
    ).map(({ hero_id, other_hero_id }) => `${hero_id} ${other_hero_id}`);
    const mutual = best.filter((pair) => best.includes(pair.split(" ").reverse().join(" ")));
    const listed = all("SELECT * FROM synergy_list WHERE rank = 'epic' AND days = 30");
    expect(listed.length).toBeGreaterThan(10);
    expect(listed).toHaveLength(mutual.length / 2);
    for (const row of listed) expect(row.increase_win_rate).toBe(row.mate_increase_win_rate);
  });

  test("list the rise of a series from its first day to its last", () => {
    const rises = all("SELECT * FROM trend_rise WHERE rank = 'glory' ORDER BY place");
    expect(rises.map(({ place }) => place)).toEqual(rises.map((_, index) => index + 1));
    expect(rises).toHaveLength(133);
    const values = rises.map(({ rise }) => Number(rise));
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    const days = all("SELECT * FROM hero_trend WHERE rank = 'glory' AND hero_id = ? ORDER BY date", rises[0]?.hero_id);
    expect(rises[0]).toMatchObject({ date_from: days[0]?.date, date_to: days[29]?.date });
    expect(rises[0]?.rise).toBe(Number(days[29]?.win_rate) - Number(days[0]?.win_rate));
  });

  test("name builds in every language, and English ones as they always were", () => {
    const of = (lang: string) =>
      all("SELECT * FROM build_translation WHERE lang = ? AND hero_id = 18 ORDER BY lane, rank, position", lang);
    const english = all("SELECT * FROM build_list WHERE hero = 'Layla' ORDER BY lane, rank, position");
    expect(of("en")).toEqual(english.map((row) => ({ lang: "en", hero_id: 18, ...row })));
    for (const lang of LANG_CODES) {
      const builds = of(lang);
      expect(builds.map(({ win_rate }) => win_rate)).toEqual(english.map(({ win_rate }) => win_rate));
      if (lang !== "en") for (const [at, { items }] of builds.entries()) expect(items).not.toBe(english[at]?.items);
    }
  });

  test("list every text that text_quality counts, with where it is", () => {
    expect(all("SELECT dataset, lang, issue, count(*) AS count FROM text_issue GROUP BY 1, 2, 3")).toEqual(
      all(
        `SELECT dataset, lang, 'missing' AS issue, missing AS count FROM text_quality WHERE missing > 0 ORDER BY dataset, lang`,
      ),
    );
    const listed = all("SELECT * FROM text_issue_list");
    expect(listed).toHaveLength(Number(column("SELECT count(*) FROM text_issue")[0]));
    for (const { text, english } of listed) expect([text, english]).toEqual(["", ""]);
  });

  test("keep a hero without a lane, and set texts of two languages side by side", () => {
    expect(all("SELECT DISTINCT hero_id FROM hero_place WHERE lane IS NULL")).toEqual([{ hero_id: 131 }]);
    expect(column("SELECT count(DISTINCT hero_id) FROM hero_place")).toEqual([133]);
    const pairs = all("SELECT * FROM skill_two_languages WHERE lang_a = 'ja' AND lang_b = 'en'");
    expect(pairs).toHaveLength(550);
    for (const { name_a, name_b, description_a, description_b } of pairs) {
      expect([name_a, description_a]).not.toContain(name_b);
      expect(description_a).not.toBe(description_b);
    }
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
  ["the text issues of an endpoint", "SELECT * FROM text_issue WHERE dataset = 'hero' AND lang = 'ja'"],
  ["the rates of a rank and window", "SELECT * FROM hero_rate WHERE rank = 'all' AND days = 7"],
  ["the trend of a hero", "SELECT * FROM hero_trend WHERE hero_id = 1"],
  ["the texts of a hero in a language", "SELECT * FROM hero_text WHERE hero_id = 1 AND lang = 'ja'"],
  ["the skills of a hero in a language", "SELECT * FROM skill_text WHERE hero_id = 1 AND lang = 'ja'"],
])("%s are found without reading the whole table", ([, sql]) => {
  const plan = all(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => detail);
  expect(plan).toEqual([expect.stringMatching(/^SEARCH /)]);
});

describe("the analysts' tables", () => {
  test("have exactly the rows of the archive, with every value as it was sent", () => {
    const expected = expectRows(db);
    expect([...expected.keys()].sort()).toEqual(analysts());
    for (const [table, rows] of expected) {
      expect(rows.size, table).toBeGreaterThan(0);
      expect({ table, differences: compare(table, rows) }).toEqual({ table, differences: [] });
    }
  });
});

/** How a table differs from the rows it should have, up to ten differences. */
function compare(table: string, rows: Rows): string[] {
  const differences: string[] = [];
  const key = column("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table);
  const missing = new Set(rows.keys());
  for (const row of db.prepare<[], Row>(`SELECT * FROM ${table}`).iterate()) {
    const at = keyText(row, key);
    const wanted = rows.get(at);
    missing.delete(at);
    if (!wanted) differences.push(`${at} comes from no record`);
    const off = wanted && Object.keys({ ...row, ...wanted }).find((name) => !Object.is(row[name], wanted[name]));
    if (off) differences.push(`${at} ${off}: ${row[off]}, sent ${wanted[off]}`);
  }
  for (const at of missing) differences.push(`${at} is missing`);
  return differences.slice(0, 10);
}
