import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toTable } from "../../scripts/docs/questions.ts";
import { updateHistory } from "../../src/extra/nights/history/history.ts";
import { HISTORY_TABLES } from "../../src/extra/nights/history/tables.ts";
import { HISTORY_VIEWS } from "../../src/extra/nights/history/views.ts";
import { lockHistory } from "../../src/journal/lock.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { REWORDED } from "../helpers/crawl-nights.ts";
import { NIGHT_QUESTIONS, toNights } from "../helpers/nights.ts";
import { sqlOf } from "../helpers/pages.ts";
import { runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { RETIRED } from "../helpers/upstream/changes.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;
const folded = temporaryFolder();
const whole = join(folded.path, "history.sqlite");
beforeAll(() => {
  updateHistory(whole, toNights(nights.files));
});
afterAll(() => {
  folded[Symbol.dispose]();
});

/** What every table says, by its rows. */
function contentOf(file: string) {
  const db = new SQLite(file, { readonly: true });
  try {
    return HISTORY_TABLES.map(({ name }) => db.prepare(`SELECT * FROM "${name}"`).raw().all());
  } finally {
    db.close();
  }
}

const column = (file: string, sql: string) =>
  queryFile<Record<string, unknown>>(file, sql).map((row) => Object.values(row)[0]);

test("the change of a rate is found by the key, without reading other nights", () => {
  const sql = "SELECT * FROM rate_change WHERE date = (SELECT max(date) FROM night) AND days = 1";
  const plan = queryFile<{ detail: string }>(whole, `EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => detail);
  const read = plan.filter((step) => /^(?:SCAN|SEARCH) (?:fact|last) /.test(step));
  expect(read).toHaveLength(2);
  for (const step of read)
    expect(step).toMatch(/^SEARCH \w+ USING PRIMARY KEY \(from_night=\? AND rank=\? AND days=\?/);
});

describe("one query says", () => {
  test("when a text changed, in which languages, and what it was", () => {
    const [, second, third] = nights.versions;
    const changes = queryFile(whole, "SELECT * FROM text_change WHERE column_name = 'story' ORDER BY lang");
    expect(changes).toMatchObject(
      ["de", "en", "ja"].map((lang) => ({
        table_name: "hero_text",
        key: "[1]",
        lang,
        valid_from: third,
        date_from: "2026-08-03",
      })),
    );
    for (const { lang, before, after } of changes as { lang: string; before: string; after: string }[])
      expect(after).toBe(`${REWORDED[lang]} ${before}`);
    const states = queryFile(
      whole,
      "SELECT valid_from, valid_to, date_to FROM hero_text WHERE hero_id = 1 AND lang = 'ja' ORDER BY valid_from",
    );
    expect(states).toEqual([
      { valid_from: nights.versions[0], valid_to: third, date_to: "2026-08-03" },
      { valid_from: third, valid_to: null, date_to: null },
    ]);
    expect(second).toBeDefined();
  });

  test("when a win rate changed", () => {
    const series = queryFile<{ valid_from: string; win_rate: number }>(
      whole,
      "SELECT valid_from, win_rate FROM hero_rate WHERE hero_id = 3 AND rank = 'glory' AND days = 7 ORDER BY valid_from",
    );
    const expected = nights.files.map(
      (file) => column(file, "SELECT win_rate FROM hero_rate WHERE hero_id = 3 AND rank = 'glory' AND days = 7")[0],
    );
    expect(series.map(({ win_rate }) => win_rate)).toEqual(expected);
    expect(series.map(({ valid_from }) => valid_from)).toEqual(nights.versions);
    const changes = queryFile<{ win_rate_change: number | null }>(
      whole,
      "SELECT * FROM rate_change WHERE hero = 'Saber' AND rank = 'glory' AND days = 7",
    );
    expect(changes.map(({ win_rate_change }) => win_rate_change?.toFixed(6))).toEqual([
      undefined,
      ...[1, 2].map((night) => (Number(expected[night]) - Number(expected[night - 1])).toFixed(6)),
    ]);
  });

  test("when a hero came", () => {
    expect(queryFile(whole, "SELECT name, valid_from, valid_to, game_to FROM hero WHERE hero_id = 11")).toEqual([
      { name: "Bane", valid_from: nights.versions[1], valid_to: null, game_to: null },
    ]);
  });

  test("all that held on a night, for every table and every night", () => {
    const history = new SQLite(whole, { readonly: true });
    for (const [index, version] of nights.versions.entries()) {
      const night = new SQLite(nights.files[index] ?? "", { readonly: true });
      for (const { name, columns } of HISTORY_TABLES) {
        const names = Object.keys(columns)
          .map((one) => `"${one}"`)
          .join(", ");
        const then = `SELECT ${names} FROM "${name}" WHERE valid_from <= ? AND (valid_to IS NULL OR valid_to > ?) ORDER BY ${names}`;
        expect(history.prepare(then).raw().all(version, version), `${name} of ${version}`).toEqual(
          night.prepare(`SELECT ${names} FROM "${name}" ORDER BY ${names}`).raw().all(),
        );
      }
      night.close();
    }
    history.close();
  });

  test("what the page asks", () => {
    const queries = sqlOf("data/NIGHTS.md").filter((sql) => !/read_(?:csv|parquet)/.test(sql));
    const answers = queries.map((sql) => queryFile<Record<string, unknown>>(whole, sql));
    expect(answers.map((found) => found.length > 0)).toEqual([true, true, true, true, true]);
    const [texts = [], rates = [], matchups = [], roster = [], items = []] = answers;
    expect(texts.map(({ lang, date_from }) => `${date_from} ${lang}`)).toEqual([
      "2026-08-03 de",
      "2026-08-03 en",
      "2026-08-03 ja",
    ]);
    expect(rates.map(({ date }) => date)).toEqual(["2026-08-01", "2026-08-02", "2026-08-03"]);
    expect(new Set(matchups.map(({ position }) => position))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(roster).toHaveLength(11);
    expect(items).toEqual([{ item_id: RETIRED.id, name: RETIRED.name, date_to: "2026-08-03" }]);
  });

  test("what the page of questions shows", () => {
    const questions = NIGHT_QUESTIONS.filter(({ sql }) => sql.includes("rate_change"));
    expect(questions).toHaveLength(2);
    for (const { sql, answer } of questions) {
      const rows = queryFile<Record<string, unknown>>(whole, sql);
      expect(`${toTable(Object.keys(rows[0] ?? {}), rows.map(Object.values))}\n`).toBe(answer);
    }
  });

  test("with one search a night", () => {
    const db = new SQLite(whole, { readonly: true });
    const plan = (sql: string) =>
      db
        .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail)
        .join("\n");
    expect(plan("SELECT * FROM hero_rate WHERE rank = 'all' AND days = 7 AND hero_id = 1")).toContain(
      "SEARCH fact USING PRIMARY KEY (from_night=? AND rank=? AND days=? AND hero_id=?)",
    );
    db.close();
  });
});

describe("the file", () => {
  test("describes every table, view and column of itself", () => {
    const names = column(
      whole,
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY 1",
    );
    expect(column(whole, "SELECT table_name FROM table_doc ORDER BY 1")).toEqual(names);
    const own = queryFile(
      whole,
      `SELECT schema.name AS table_name, info.name AS column_name FROM sqlite_schema AS schema, pragma_table_info(schema.name) AS info
       WHERE schema.type IN ('table', 'view') AND schema.name NOT LIKE 'sqlite_%' ORDER BY 1, 2`,
    );
    expect(queryFile(whole, "SELECT table_name, column_name FROM column_doc ORDER BY 1, 2")).toEqual(own);
    expect(HISTORY_VIEWS.length).toBeGreaterThan(HISTORY_TABLES.length);
  });

  test("knows every typed table of a snapshot but the batches", () => {
    const typed = TABLES.filter(({ name, rows, constants }) => (rows ?? constants) && name !== "hero_batch").map(
      ({ name }) => name,
    );
    expect(HISTORY_TABLES.map(({ name }) => name)).toEqual(typed);
  });

  test("is the same folded night by night as all at once, and again changes nothing", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "h.sqlite");
    for (const [index] of nights.files.entries())
      expect(updateHistory(file, toNights(nights.files.slice(0, index + 1))).ingested).toBe(1);
    expect(contentOf(file)).toEqual(contentOf(whole));
    const before = readFileSync(file);
    expect(updateHistory(file, toNights(nights.files)).ingested).toBe(0);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("closes what is gone and opens it again when it comes back", () => {
    using folder = temporaryFolder();
    const again = join(folder.path, "again.sqlite");
    cpSync(nights.files[0] ?? "", again);
    const db = new SQLite(again);
    db.exec(
      "UPDATE snapshot SET version = '20260901T030000Z-00000000', started_at = '2026-09-01T03:00:00.000Z', game_version = '9.9.9'",
    );
    db.pragma("foreign_keys = OFF");
    db.exec("DELETE FROM hero_text WHERE hero_id = 1 AND lang = 'de'");
    db.close();
    const file = join(folder.path, "h.sqlite");
    updateHistory(file, toNights([...nights.files, again]));
    expect(queryFile(file, "SELECT valid_to, date_to, game_to FROM hero WHERE hero_id = 11")).toEqual([
      { valid_to: "20260901T030000Z-00000000", date_to: "2026-09-01", game_to: "9.9.9" },
    ]);
    expect(
      column(file, "SELECT valid_to FROM hero_text WHERE hero_id = 1 AND lang = 'de' ORDER BY valid_from"),
    ).toEqual([nights.versions[2], "20260901T030000Z-00000000"]);
    expect(column(file, "SELECT count(*) FROM hero_text WHERE hero_id = 1 AND lang = 'en'")).toEqual([3]);
  });

  test("learns a table and a column that a newer schema has", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "h.sqlite");
    updateHistory(file, toNights(nights.files.slice(0, 1)));
    const db = new SQLite(file);
    for (const { name } of HISTORY_VIEWS) db.exec(`DROP VIEW ${name}`);
    db.exec("DROP TABLE skill_tag_fact; ALTER TABLE hero_fact DROP COLUMN lore_url");
    db.close();
    updateHistory(file, toNights(nights.files));
    expect(column(file, "SELECT count(DISTINCT valid_from) FROM skill_tag")).toEqual([1]);
    expect(
      column(file, "SELECT count(*) FROM hero WHERE lore_url IS NOT NULL AND valid_to IS NULL")[0],
    ).toBeGreaterThan(0);
  });
});

describe("the command", () => {
  test("folds what is published and what lies in a folder, and ends with 2 when there is nothing new", async () => {
    using folder = temporaryFolder();
    const old = join(folder.path, "old");
    mkdirSync(old);
    cpSync(nights.files[0] ?? "", join(old, "first.sqlite"));
    writeFileSync(join(old, ".next.sqlite"), "a draft");
    writeFileSync(join(old, "subset.sqlite"), "a subset");
    writeFileSync(join(old, "subset.json"), '{"latest":false}');
    const data = join(folder.path, "data");
    cpSync(nights.data, data, { recursive: true });
    const args = ["--data", data, "--from", old];
    const { code, stdout } = await runCommand("history", args);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^(\S+: \d+ rows opened, \d+ closed, [\d.]+ s\n){3}3 nights folded into \S+history\.sqlite, \d+ bytes\n$/,
    );
    expect(await runCommand("history", args)).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^0 nights folded/),
    });
    expect((await runCommand("history", [...args, "--fresh"])).stdout).toContain("3 nights folded");
  });

  test("of nothing is a mistake, which takes no history away and makes no folder", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "h.sqlite");
    updateHistory(file, toNights(nights.files));
    const before = readFileSync(file);
    const nowhere = join(folder.path, "nowhere");
    expect(await runCommand("history", ["--data", nowhere, "--file", file, "--fresh"])).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(
        /nowhere: no snapshot is published here; publish one with `npm run crawl`, or name/,
      ),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(nowhere)).toBe(false);
  });

  test("refuses a file that is none of ours, and a damaged one", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "h.sqlite");
    const fold = (...more: string[]) => runCommand("history", ["--data", nights.data, "--file", file, ...more]);
    writeFileSync(file, "no database ".repeat(100));
    expect(await fold()).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/is damaged, or not a database; rebuild it/),
    });
    cpSync(nights.files[0] ?? "", file);
    for (const more of [[], ["--fresh"]])
      expect(await fold(...more)).toMatchObject({
        code: 64,
        stderr: expect.stringMatching(/is not a history of metasnap/),
      });
    expect(readFileSync(file).equals(readFileSync(nights.files[0] ?? ""))).toBe(true);
    writeFileSync(file, "no database ".repeat(100));
    expect((await fold("--fresh")).code).toBe(0);
    expect(await runCommand("history", ["--data", nights.data, "--file", folder.path])).toMatchObject({
      code: 64,
      stderr: `${folder.path}: cannot be written: unable to open database file (SQLITE_CANTOPEN); make it writable for this user, or name another file with --file\n`,
    });
  });
});

test("a history that a full disk stops is named", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "h.sqlite");
  const { code, stderr } = await runProcess("history", ["--data", nights.data, "--file", file], undefined, 200);
  expect([code, stderr]).toEqual([
    64,
    expect.stringMatching(/^[^\n]*h\.sqlite: cannot be written: [^\n]*; free space[^\n]*\n$/),
  ]);
});

test.for(["", "--fresh"])("a history has one writer at a time (%s)", async (more) => {
  using folder = temporaryFolder();
  const file = join(folder.path, "years", "history.sqlite");
  const run = () => runCommand("history", ["--data", world.data, "--file", file, ...(more === "" ? [] : [more])]);
  using first = lockHistory(file);
  const { code, stderr } = await run();
  expect([code, stderr]).toEqual([
    64,
    expect.stringContaining(`${file}: process ${process.pid} has been working on this file since `),
  ]);
  expect(stderr).toMatch(/; wait until it has ended, or name another file with --file\n$/);
  first[Symbol.dispose]();
  expect(await run()).toMatchObject({ code: 0 });
  expect(readdirSync(dirname(file))).toEqual(["history.sqlite"]);
});
