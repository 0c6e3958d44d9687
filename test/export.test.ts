import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { exportSnapshot, FORMATS, type Format } from "../src/nights/export/export.ts";
import { TABLE_NAMES, USUAL } from "../src/nights/export/tables.ts";
import { TABLES } from "../src/snapshot/definitions/all.ts";
import { readCsv, readNdjson } from "./export-readers.ts";
import { CSV_SQL, crawlNights, LANGUAGES, type Nights, PAGE_SQL, RETIRED } from "./nights.ts";
import { runCommand, temporaryFolder } from "./run.ts";

let nights: Nights;
let duck: Awaited<ReturnType<DuckDBInstance["connect"]>>;
beforeAll(async () => {
  nights = await crawlNights();
  duck = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => {
  duck.closeSync();
  nights.remove();
});

const ask = async (sql: string) => (await duck.runAndReadAll(sql)).getRowsJS() as unknown[][];
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

const DUCK_TYPES = { TEXT: "VARCHAR", INTEGER: "BIGINT", REAL: "DOUBLE" };

/** How DuckDB is told to read a file, with the types that the definition gives the columns. */
function reading(format: Format, file: string, table: string): string {
  const { columns = {} } = TABLES.find(({ name }) => name === table) ?? {};
  const typed = Object.entries(columns).map(([name, { type }]) => `'${name}': '${DUCK_TYPES[type]}'`);
  const options = `columns = {${typed.join(", ")}}`;
  if (format === "parquet") return `read_parquet('${file}')`;
  if (format === "csv") return `read_csv('${file}', header = true, allow_quoted_nulls = false, ${options})`;
  return `read_json('${file}', format = 'newline_delimited', ${options})`;
}

/** The rows of a table in the order of the key, integers as bigint. */
function rowsOf(snapshot: string, table: string) {
  const { columns = {}, key = [] } = TABLES.find(({ name }) => name === table) ?? {};
  const db = new SQLite(snapshot, { readonly: true });
  try {
    const select = `SELECT ${quoted(Object.keys(columns))} FROM "${table}" ORDER BY ${quoted(key)}`;
    return db.prepare(select).raw().safeIntegers().all();
  } finally {
    db.close();
  }
}

/** Both sides in the order of the key, integers as bigint. */
async function compare(snapshot: string, table: string, from: string) {
  const expected = rowsOf(snapshot, table);
  const { columns = {}, key = [] } = TABLES.find(({ name }) => name === table) ?? {};
  const names = quoted(Object.keys(columns));
  const rows = await ask(`SELECT ${names} FROM ${from} ORDER BY ${quoted(key)}`);
  expect(rows.length).toBe(expected.length);
  for (const [index, row] of rows.entries()) expect(row, `${table} ${index}`).toStrictEqual(expected[index]);
  return rows.length;
}

describe("a snapshot", () => {
  test.for(FORMATS)("as %s is row for row what SQLite holds, in every table", async (format) => {
    using folder = temporaryFolder();
    const [snapshot = ""] = nights.files;
    const exported = exportSnapshot(snapshot, { format, out: folder.path, tables: TABLE_NAMES, partition: false });
    expect(exported.map(({ table }) => table)).toEqual(TABLE_NAMES);
    expect(readdirSync(folder.path).sort()).toEqual(TABLE_NAMES.map((name) => `${name}.${format}`).sort());
    for (const { table, file, rows } of exported)
      expect(await compare(snapshot, table, reading(format, file, table))).toBe(rows);
  });

  test.for(FORMATS)("as %s keeps the texts of 17 languages", async (format) => {
    using folder = temporaryFolder();
    const tables = ["hero_text", "tag_text", "hero_relation_text"];
    const exported = exportSnapshot(inject("snapshot"), { format, out: folder.path, tables, partition: false });
    for (const { table, file } of exported) await compare(inject("snapshot"), table, reading(format, file, table));
    const [file = ""] = exported.map((one) => one.file);
    expect(await ask(`SELECT count(DISTINCT lang) FROM ${reading(format, file, "hero_text")}`)).toEqual([[17n]]);
  });

  test("keeps doubles, large integers, quotes, line ends, empty texts and nulls apart in every format", async () => {
    using folder = temporaryFolder();
    const snapshot = join(folder.path, "odd.sqlite");
    const [from = ""] = nights.files;
    writeFileSync(snapshot, "");
    const db = new SQLite(from, { readonly: true });
    await db.backup(snapshot);
    db.close();
    const copy = new SQLite(snapshot);
    copy.exec(`UPDATE hero_text SET story = '', tale = NULL WHERE hero_id = 1;
      UPDATE hero_text SET story = 'a "b", c' || char(10) || char(13) || 'NULL', tale = 'null' WHERE hero_id = 2;
      UPDATE hero_text SET story = '\\N', tale = ' ', name = char(0x1F600) || ' =1+1' WHERE hero_id = 3;
      UPDATE hero_rate SET win_rate = 0.1 + 0.2, ban_rate = 1e-320, appearance_rate = -0.0 WHERE hero_id = 1;
      UPDATE hero_rate SET win_rate = 1e999, ban_rate = -1e999, appearance_rate = 1.7976931348623157e308 WHERE hero_id = 2;
      UPDATE hero SET created_at_ms = 9007199254740991, updated_at_ms = -1 WHERE hero_id = 1;
      UPDATE hero SET created_at_ms = 9223372036854775807, updated_at_ms = -9007199254740993 WHERE hero_id = 2`);
    copy.close();
    const odd = ["hero", "hero_text", "hero_rate"];
    for (const format of FORMATS) {
      const out = join(folder.path, format);
      const exported = exportSnapshot(snapshot, {
        format,
        out,
        tables: odd,
        partition: false,
      });
      for (const { table, file } of exported) await compare(snapshot, table, reading(format, file, table));
    }
    // The same by readers of a few lines.
    for (const table of odd) {
      const expected = rowsOf(snapshot, table);
      expect(readCsv(join(folder.path, "csv", `${table}.csv`), table)).toStrictEqual(expected);
      expect(readNdjson(join(folder.path, "ndjson", `${table}.ndjson`), table)).toStrictEqual(expected);
    }
    const csv = CSV_SQL.map((sql) => sql.replaceAll("'export/", `'${folder.path}/csv/`));
    expect(csv).toHaveLength(1);
    const languages = BigInt(LANGUAGES.length);
    for (const sql of csv) {
      expect(await ask(sql)).toEqual([[languages, 0n]]);
      expect(await ask(sql.replace(", allow_quoted_nulls = false", ""))).toEqual([[0n, languages]]);
    }
  });

  test("has the same bytes each time, and says in Parquet what it is", async () => {
    using folder = temporaryFolder();
    const [snapshot = ""] = nights.files;
    const write = (name: string) =>
      exportSnapshot(snapshot, {
        format: "parquet",
        out: join(folder.path, name),
        tables: ["hero_rate"],
        partition: false,
      });
    const [[a], [b]] = [write("a"), write("b")];
    expect(readFileSync(a?.file ?? "")).toEqual(readFileSync(b?.file ?? ""));
    const facts = await ask(
      `SELECT decode(value) FROM parquet_kv_metadata('${a?.file}') WHERE decode(key) = 'metasnap.version'`,
    );
    expect(facts).toEqual([[nights.versions[0]]]);
    const types = await ask(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${a?.file}')`);
    const { columns = {} } = TABLES.find(({ name }) => name === "hero_rate") ?? {};
    expect(types).toEqual(Object.entries(columns).map(([name, { type }]) => [name, DUCK_TYPES[type]]));
  });
});

describe("many nights", () => {
  test("are one data set by table and day", async () => {
    using folder = temporaryFolder();
    const args = [
      "--data",
      nights.data,
      "--out",
      folder.path,
      "--all",
      "--partition",
      "--tables",
      "hero_rate,hero_text,snapshot",
    ];
    const { code, stdout } = await runCommand("export", args);
    expect(code).toBe(0);
    expect(stdout.match(/: 3 tables, \d+ rows, \d+ bytes from \d+, [\d.]+ s\n/g)).toHaveLength(3);
    expect(readdirSync(folder.path).sort()).toEqual(["table=hero_rate", "table=hero_text", "table=snapshot"]);
    const all = (table: string) =>
      `read_parquet('${folder.path}/table=${table}/*/*.parquet', hive_partitioning = true)`;
    const days = await ask(
      `SELECT snapshot_date::VARCHAR, count(*) FROM ${all("hero_rate")} GROUP BY ALL ORDER BY ALL`,
    );
    expect(days).toEqual([
      ["2026-08-01", 40n],
      ["2026-08-02", 44n],
      ["2026-08-03", 44n],
    ]);
    const texts = await ask(
      `SELECT lang, count(DISTINCT story) FROM ${all("hero_text")} WHERE hero_id = 1 GROUP BY ALL ORDER BY ALL`,
    );
    expect(texts).toEqual(LANGUAGES.toSorted().map((lang) => [lang, lang === "ar" ? 1n : 2n]));
    for (const [index, snapshot] of nights.files.entries()) {
      const day = `(SELECT * EXCLUDE (snapshot_date, "table") FROM ${all("hero_rate")} WHERE snapshot_date = '2026-08-0${index + 1}')`;
      await compare(snapshot, "hero_rate", day);
    }
  });

  test("answer what the page asks", async () => {
    using folder = temporaryFolder();
    const tables = ["hero_rate", "hero_text", "item", "snapshot"];
    for (const file of nights.files)
      exportSnapshot(file, { format: "parquet", out: folder.path, tables, partition: true });
    const queries = PAGE_SQL.filter((sql) => sql.includes("read_parquet"));
    const answers: unknown[][][] = [];
    for (const sql of queries) answers.push(await ask(sql.replaceAll("'export/", `'${folder.path}/`)));
    expect(answers).toHaveLength(5);
    const [rates = [], rises = [], texts = [], items = [], heads = []] = answers;
    expect(rates).toHaveLength(3);
    expect(rises).toHaveLength(10);
    expect(texts.map(([lang]) => lang)).toEqual(["de", "en", "ja"]);
    expect(items).toEqual([[BigInt(RETIRED.id), new Date(Date.UTC(2026, 7, 2))]]);
    expect(heads.map(([, version]) => version)).toEqual(nights.versions);
  });

  test("have one snapshot a day, the one that was exported last", () => {
    using folder = temporaryFolder();
    const options = { format: "parquet", out: folder.path, tables: ["hero"], partition: true } as const;
    const [{ file = "" } = {}] = exportSnapshot(nights.files[0] ?? "", options);
    writeFileSync(join(file, "..", "20260801T010000Z-00000000.parquet"), "the first of that day");
    exportSnapshot(nights.files[0] ?? "", options);
    expect(readdirSync(join(file, ".."))).toEqual([`${nights.versions[0]}.parquet`]);
  });
});

describe("a failure", () => {
  test("leaves no half table, and what was there stays", () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "skill_text.csv"), { recursive: true });
    writeFileSync(join(folder.path, "hero.csv"), "old");
    const options = { format: "csv", out: join(folder.path, "hero.csv"), tables: USUAL, partition: false } as const;
    expect(() => exportSnapshot(nights.files[0] ?? "", options)).toThrow();
    expect(readdirSync(folder.path).sort()).toEqual(["hero.csv", "skill_text.csv"]);
  });

  test("on a full disk is one line, and nothing has a name yet", async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    const { code, stderr } = await runCommand(
      "export",
      ["--data", nights.data, "--out", out, "--format", "ndjson"],
      {},
      300,
    );
    expect(code).toBe(3);
    expect(stderr).toMatch(/^[^\n]*cannot be written: [^\n]*EFBIG[^\n]*\n$/);
    expect(readdirSync(out)).toEqual([]);
  });

  test("of usage is told", async () => {
    using folder = temporaryFolder();
    const run = (...args: string[]) =>
      runCommand("export", ["--data", nights.data, "--out", join(folder.path, "out"), ...args]);
    expect(await run("--all")).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/3 snapshots cannot be one file a table; add --partition/),
    });
    expect(await run("--format", "xml")).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/Allowed choices are parquet, csv, ndjson/),
    });
    expect(await run("--tables", "heroes")).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/Allowed are snapshot, coverage/),
    });
    expect(existsSync(join(folder.path, "out"))).toBe(false);
  });
});
