import { spawn } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { text } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toTable } from "../../scripts/docs/questions.ts";
import { exportSnapshot, FORMATS, type Format } from "../../src/nights/export/export.ts";
import { DEFAULT_TABLES, TABLE_NAMES, VIEW_NAMES } from "../../src/nights/export/tables.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { SCHEMA_HASHES, SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { VIEWS } from "../../src/snapshot/schema/views/all.ts";
import { LANGUAGES, RETIRED } from "../helpers/crawl-nights.ts";
import { copyOf, fileOf, manifestFileOf, manifestOf, vouchForLatest } from "../helpers/data-folder.ts";
import { createDraw, drawn, drawTests } from "../helpers/draw.ts";
import { readCsv, readNdjson } from "../helpers/export-readers.ts";
import { CSV_SQL, NIGHT_QUESTIONS, PAGE_SQL } from "../helpers/nights.ts";
import { runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const draw = createDraw("export");
const nights = world.nights;
let duck: Awaited<ReturnType<DuckDBInstance["connect"]>>;
beforeAll(async () => {
  duck = await (await DuckDBInstance.create(":memory:")).connect();
});
afterAll(() => {
  duck.closeSync();
});

const ask = async (sql: string) => (await duck.runAndReadAll(sql)).getRowsJS() as unknown[][];
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(", ");

const DUCK_TYPES = { TEXT: "VARCHAR", INTEGER: "BIGINT", REAL: "DOUBLE" };
/** The types that Parquet has for times, by their unit. */
const TIME_TYPES: Record<string, string> = {
  "ISO 8601 date": "DATE",
  "ISO 8601 time in UTC": "TIMESTAMP",
  "epoch milliseconds": "TIMESTAMP",
};

/** What a table or view is defined as: its columns, and the order of its rows. */
const DEFINITIONS = new Map(
  [...TABLES.map((table) => ({ ...table, order: table.key })), ...VIEWS].map((one) => [one.name, one]),
);
const definitionOf = (name: string) => DEFINITIONS.get(name) ?? { columns: {}, order: [] };

/** A time as Parquet has it; nothing beyond the years that every reader knows. */
function toTime(value: unknown, unit: string | null) {
  if (value === null || TIME_TYPES[unit ?? ""] === undefined) return value;
  const time = new Date(typeof value === "bigint" ? Number(value) : String(value));
  return time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9999 ? time : null;
}

/** The same night as another version of another hour. */
function copyOfNight(snapshot: string, file: string, version: string, startedAt: string): string {
  copyFileSync(snapshot, file);
  const db = new SQLite(file);
  db.prepare("UPDATE snapshot SET version = ?, started_at = ?").run(version, startedAt);
  db.close();
  return file;
}

const script = join(import.meta.dirname, "..", "helpers", "killed", "export-killed.ts");

/** Every file under a folder, by its path there. */
function hashAll(folder: string) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(files.map((file) => [relative(folder, file), hash("sha256", readFileSync(file))]));
}

/** How DuckDB is told to read a file, with the types that the definition gives the columns. */
function reading(format: Format, file: string, table: string): string {
  const { columns } = definitionOf(table);
  const typed = Object.entries(columns).map(([name, { type }]) => `'${name}': '${DUCK_TYPES[type]}'`);
  const options = `columns = {${typed.join(", ")}}`;
  if (format === "parquet") return `read_parquet('${file}')`;
  if (format === "csv") return `read_csv('${file}', header = true, allow_quoted_nulls = false, ${options})`;
  return `read_json('${file}', format = 'newline_delimited', ${options})`;
}

/** The rows of a table or view in their order, integers as bigint. */
function rowsOf(snapshot: string, table: string) {
  const { columns, order } = definitionOf(table);
  const db = new SQLite(snapshot, { readonly: true });
  try {
    const select = `SELECT ${quoted(Object.keys(columns))} FROM "${table}" ORDER BY ${quoted(order)}`;
    return db.prepare(select).raw().safeIntegers().all() as unknown[][];
  } finally {
    db.close();
  }
}

/** Both sides in the order of the key, integers as bigint; the rows of a view in the order in which they were written. */
async function compare(snapshot: string, table: string, from: string) {
  const { columns, order } = definitionOf(table);
  const units = Object.values(columns).map(({ unit }) => unit);
  const expected = rowsOf(snapshot, table).map((row) =>
    from.includes("read_parquet") ? row.map((value, index) => toTime(value, units[index] ?? null)) : row,
  );
  const sorted = TABLE_NAMES.includes(table) ? ` ORDER BY ${quoted(order)}` : "";
  const rows = await ask(`SELECT ${quoted(Object.keys(columns))} FROM ${from}${sorted}`);
  expect(rows.length).toBe(expected.length);
  const other = rows.findIndex((row, index) => !isDeepStrictEqual(row, expected[index]));
  expect(rows[other], `${table} ${other}`).toStrictEqual(expected[other]);
  return rows.length;
}

describe(`a snapshot (${drawn})`, () => {
  test.for(draw.some(FORMATS, 1))("as %s is row for row what SQLite holds, in every table and view", async (format) => {
    using folder = temporaryFolder();
    const [snapshot = ""] = nights.files;
    const tables = [...TABLE_NAMES, ...VIEW_NAMES];
    const { exported } = exportSnapshot(snapshot, { format, out: folder.path, tables, partition: false });
    expect(exported.map(({ table }) => table)).toEqual(tables);
    expect(readdirSync(folder.path).sort()).toEqual(
      ["datapackage.json", ...tables.map((name) => `${name}.${format}`)].sort(),
    );
    for (const { table, file, rows } of exported)
      expect(await compare(snapshot, table, reading(format, file, table))).toBe(rows);
  });

  test.for(draw.some(FORMATS, 1))("as %s keeps the texts of 17 languages", async (format) => {
    using folder = temporaryFolder();
    const tables = ["hero_text", "tag_text", "hero_relation_text"];
    const { exported } = exportSnapshot(world.snapshot, { format, out: folder.path, tables, partition: false });
    for (const { table, file } of exported) await compare(world.snapshot, table, reading(format, file, table));
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
      UPDATE hero SET created_at_ms = 9223372036854775807, updated_at_ms = -9007199254740993 WHERE hero_id = 2;
      UPDATE hero SET game_record_id = 9223372036854775807, game_source_id = -9007199254740993 WHERE hero_id = 2;
      UPDATE hero SET created_at_ms = -62135596800000, updated_at_ms = 253402300799999 WHERE hero_id = 3`);
    copy.close();
    const odd = ["hero", "hero_text", "hero_rate"];
    for (const format of FORMATS) {
      const out = join(folder.path, format);
      const { exported } = exportSnapshot(snapshot, {
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
    const tables = ["hero_rate", "hero_trend", "coverage", "hero", "tier_list", "trend_rise", "data_age"];
    const write = (name: string) =>
      exportSnapshot(snapshot, { format: "parquet", out: join(folder.path, name), tables, partition: false }).exported;
    const [before, again] = [write("a"), write("b")];
    expect(before.map(({ table }) => table).sort()).toEqual(tables.toSorted());
    for (const [index, { file }] of before.entries())
      expect(readFileSync(file)).toEqual(readFileSync(again[index]?.file ?? ""));
    for (const { table, file } of before) {
      const facts = await ask(
        `SELECT decode(value) FROM parquet_kv_metadata('${file}') WHERE decode(key) = 'metasnap.version'`,
      );
      expect(facts).toEqual([[nights.versions[0]]]);
      const types = await ask(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${file}')`);
      const columns = Object.entries(definitionOf(table).columns);
      expect(types).toEqual(
        columns.map(([name, { type, unit }]) => [name, TIME_TYPES[unit ?? ""] ?? DUCK_TYPES[type]]),
      );
    }
    const times = await ask(
      `SELECT max(date_to), max(date_to) - min(date_from) FROM '${folder.path}/a/trend_rise.parquet'`,
    );
    expect(times).toEqual([[expect.any(Date), 6n]]);
  });

  test("has what is no time as null in Parquet, says how often, and has it as it is in the other formats", async () => {
    using folder = temporaryFolder();
    const odd = join(folder.path, "odd.sqlite");
    copyFileSync(nights.files[0] ?? "", odd);
    editFile(
      odd,
      `UPDATE hero_trend SET date = 'yesterday' WHERE hero_id = 1 AND rank = 'all' AND date = (SELECT max(date) FROM hero_trend);
       UPDATE hero_trend SET date = '2026-02-30' WHERE hero_id = 2 AND rank = 'all' AND date = (SELECT min(date) FROM hero_trend);
       UPDATE coverage SET asked_at = '1970-01-01T00:00:00.000Z' WHERE dataset = 'heroes'`,
    );
    const run = (format: Format) =>
      runCommand("export", [
        ...["--format", format, "--out", folder.path, "--tables", "hero_trend,trend_change,coverage", odd],
      ]);
    const parquet = await run("parquet");
    expect([parquet.code, parquet.stderr.split("\n")]).toEqual([
      0,
      [
        `${odd}: 2 values of hero_trend.date are no times, and null in Parquet`,
        `${odd}: 2 values of trend_change.date are no times, and null in Parquet`,
        "",
      ],
    ]);
    const nulls = `SELECT count(*) FILTER (date IS NULL) FROM '${folder.path}/hero_trend.parquet'`;
    expect(await ask(nulls)).toEqual([[2n]]);
    const began = `SELECT DISTINCT asked_at FROM '${folder.path}/coverage.parquet' WHERE dataset = 'heroes'`;
    expect(await ask(began)).toEqual([[new Date(0)]]);
    expect(await run("csv")).toMatchObject({ code: 0, stderr: "" });
    const dates = readFileSync(join(folder.path, "hero_trend.csv"), "utf8");
    expect(dates.match(/"(yesterday|2026-02-30)"/g)?.sort()).toEqual(['"2026-02-30"', '"yesterday"']);
  });

  test("has views of odd values: a text that is none, and a difference of infinite rates", async () => {
    using folder = temporaryFolder();
    const odd = join(folder.path, "odd.sqlite");
    copyFileSync(nights.files[0] ?? "", odd);
    editFile(
      odd,
      `UPDATE record SET json = json_replace(json, '$.data.equipskilldesc', 7) WHERE dataset = 'equipment-expanded';
       UPDATE hero_trend SET win_rate = 9e999 WHERE hero_id = 3`,
    );
    const tables = ["text_issue_list", "trend_change", "trend_rise"];
    const { exported } = exportSnapshot(odd, { format: "parquet", out: folder.path, tables, partition: false });
    for (const { table, file } of exported) await compare(odd, table, reading("parquet", file, table));
    expect(await ask(`SELECT DISTINCT text FROM '${folder.path}/text_issue_list.parquet'`)).toEqual([["7"]]);
    const rises = `SELECT DISTINCT rise FROM '${folder.path}/trend_rise.parquet' WHERE hero_id = 3`;
    expect(await ask(rises)).toEqual([[null]]);
  });
});

describe("many nights", () => {
  drawTests(4);

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
    const { code, stdout } = await runProcess("export", args);
    expect(code).toBe(0);
    expect(stdout.match(/: 3 tables, \d+ rows, \d+ bytes from \d+, [\d.]+ s\n/g)).toHaveLength(3);
    expect(readdirSync(folder.path).sort()).toEqual([
      ".exported-parquet.json",
      "datapackage.json",
      "table=hero_rate",
      "table=hero_text",
      "table=snapshot",
    ]);
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

  test("answer what the page of questions asks in DuckDB", async () => {
    using folder = temporaryFolder();
    for (const file of nights.files)
      exportSnapshot(file, {
        format: "parquet",
        out: folder.path,
        tables: ["hero_rate", "hero_text"],
        partition: true,
      });
    // Its extension for SQLite comes from the network: here the tables of the last night stand in for the file.
    await duck.run("CREATE SCHEMA night");
    for (const table of ["hero_rate", "hero_text"])
      await duck.run(
        `CREATE VIEW night.${table} AS SELECT * FROM read_parquet('${folder.path}/table=${table}/snapshot_date=2026-08-03/*.parquet')`,
      );
    const questions = NIGHT_QUESTIONS.filter(({ sql }) => /read_parquet|night\./.test(sql));
    expect(questions).toHaveLength(2);
    for (const { sql, answer } of questions) {
      const reader = await duck.runAndReadAll(sql.replaceAll("'export/", `'${folder.path}/`));
      expect(`${toTable(reader.columnNames(), reader.getRowsJS() as unknown[][])}\n`).toBe(answer);
    }
    await duck.run("DROP SCHEMA night CASCADE");
  });

  test("have one snapshot a day and format, the one that was exported last", () => {
    using folder = temporaryFolder();
    const tables = ["hero", "item", "text_rule"];
    const write = (snapshot: string, format: Format) =>
      exportSnapshot(snapshot, { format, out: folder.path, tables, partition: true });
    const [before = "", after = ""] = nights.files;
    const [old] = nights.versions;
    const later = copyOfNight(
      after,
      join(folder.path, "later.sqlite"),
      "20260801T040000Z-00000000",
      "2026-08-01T04:00:00Z",
    );
    const inDay = (table: string) =>
      readdirSync(join(folder.path, `table=${table}`, "snapshot_date=2026-08-01")).sort();
    expect(write(before, "parquet").replaced).toEqual([]);
    expect(write(before, "csv").replaced).toEqual([]);
    expect(write(before, "csv").replaced).toEqual([]);
    for (const table of tables) expect(inDay(table)).toEqual([`${old}.csv`, `${old}.parquet`]);
    const foreign = ["_SUCCESS", "notes.csv", `${old}.csv.bak`, `x${old}.csv`, `${old}.CSV`, `${old}.ndjson`];
    for (const name of foreign) writeFileSync(join(folder.path, "table=hero", "snapshot_date=2026-08-01", name), name);
    mkdirSync(join(folder.path, "table=hero", "snapshot_date=2026-08-01", "20260801T050000Z-11111111.csv"));
    expect(write(later, "csv").replaced).toEqual([{ version: old, tables: 3 }]);
    const kept = [`${old}.parquet`, "20260801T040000Z-00000000.csv"];
    expect(inDay("item")).toEqual(kept.toSorted());
    expect(inDay("hero")).toEqual([...kept, ...foreign, "20260801T050000Z-11111111.csv"].sort());
  });

  test("can be written in all formats at once, to the same folder", async () => {
    using folder = temporaryFolder();
    const args = ["--out", folder.path, "--partition", nights.files[0] ?? ""];
    const ended = await Promise.all(FORMATS.map((format) => runCommand("export", [...args, "--format", format])));
    expect(ended).toMatchObject(FORMATS.map(() => ({ code: 0, stderr: "" })));
    const inDay = readdirSync(join(folder.path, "table=item", "snapshot_date=2026-08-01"));
    expect(inDay.sort()).toEqual(FORMATS.map((format) => `${nights.versions[0]}.${format}`).sort());
    expect(readdirSync(folder.path).sort()).toEqual([
      ...FORMATS.map((format) => `.exported-${format}.json`).sort(),
      "datapackage.json",
      ...DEFAULT_TABLES.map((name) => `table=${name}`).sort(),
    ]);
  });

  test("say which version takes the place of which, in one line", async () => {
    using folder = temporaryFolder();
    const [before = "", after = ""] = nights.files;
    const later = copyOfNight(
      after,
      join(folder.path, "later.sqlite"),
      "20260801T040000Z-00000000",
      "2026-08-01T04:00:00Z",
    );
    const args = ["--out", folder.path, "--partition", "--tables", "hero,item", before, later];
    const { code, stdout, stderr } = await runCommand("export", args);
    expect([code, stderr]).toEqual([0, ""]);
    const told = `20260801T040000Z-00000000 takes the place of ${nights.versions[0]} on 2026-08-01, in 2 tables`;
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/: 2 tables, /),
      expect.stringMatching(/: 2 tables, /),
      told,
      "",
    ]);
  });
});

describe("a file of another schema", () => {
  test("that is newer is refused, with its version and what to do", async () => {
    using folder = temporaryFolder();
    const newer = join(folder.path, "newer.sqlite");
    copyFileSync(nights.files[0] ?? "", newer);
    const db = new SQLite(newer);
    db.exec("CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT; PRAGMA user_version = 19900");
    db.close();
    const { code, stderr } = await runCommand("export", ["--out", join(folder.path, "out"), newer]);
    expect([code, stderr]).toEqual([
      64,
      `${newer}: has schema 1.99.0, which is not known here (${Object.keys(SCHEMA_HASHES).join(", ")}); update metasnap, or take another snapshot\n`,
    ]);
    expect(existsSync(join(folder.path, "out"))).toBe(false);
  });
});

describe("all nights", () => {
  const tables = ["hero", "item", "text_rule"];
  const run = (data: string, out: string, ...more: string[]) =>
    runCommand("export", ["--data", data, "--out", out, "--all", "--partition", "--tables", tables.join(), ...more]);
  const partOf = (out: string, table: string, night: number) =>
    join(out, `table=${table}`, `snapshot_date=2026-08-0${night + 1}`, `${nights.versions[night]}.parquet`);
  /** A part that was written again is another file on the disk. */
  const partsIn = (out: string) =>
    new Map(
      tables
        .flatMap((table) => nights.versions.map((_, night) => partOf(out, table, night)))
        .map((file) => [file, statSync(file).ino]),
    );
  const there = "3 of 3 nights are there already\n";

  test("are written once, and then what is missing, has changed or was not asked for before", async () => {
    using folder = copyOf(nights.data);
    const out = join(folder.path, "out");
    expect((await run(folder.path, out)).stdout.match(/: 3 tables, /g)).toHaveLength(3);
    const parts = partsIn(out);
    expect(await run(folder.path, out)).toMatchObject({ code: 0, stdout: there, stderr: "" });
    expect(partsIn(out)).toEqual(parts);

    const spoilt = [partOf(out, "hero", 0), partOf(out, "item", 1)] as const;
    rmSync(spoilt[0]);
    truncateSync(spoilt[1], 100);
    const healed = await run(folder.path, out);
    expect(healed.stdout.split("\n")).toEqual([
      expect.stringMatching(`^${nights.versions[0]}: 1 tables, `),
      expect.stringMatching(`^${nights.versions[1]}: 1 tables, `),
      "1 of 3 nights are there already",
      "",
    ]);
    const rest = [...parts].filter(([file]) => file !== spoilt[0] && file !== spoilt[1]);
    expect([...partsIn(out)]).toEqual(expect.arrayContaining(rest));
    expect(statSync(spoilt[1]).size).toBeGreaterThan(100);

    // A build by another program may have the same name and other tables.
    editFile(fileOf(folder.path), "UPDATE hero SET created_at_ms = 1");
    await vouchForLatest(folder.path);
    expect((await run(folder.path, out)).stdout).toMatch(
      new RegExp(`^${nights.versions[2]}: 3 tables, .*\n2 of 3 nights`),
    );
    // One of another schema has other views, and may have other types.
    const index = join(out, ".exported-parquet.json");
    writeFileSync(index, readFileSync(index, "utf8").replace(`"schema": "${SCHEMA_VERSION}"`, '"schema": "1.8.0"'));
    expect((await run(folder.path, out)).stdout).toMatch(/: 3 tables, .*\n2 of 3 nights are there already\n$/);
    tables.push("spell");
    expect((await run(folder.path, out)).stdout.match(/: 1 tables, /g)).toHaveLength(3);
    expect((await run(folder.path, out)).stdout).toBe(there);
    tables.pop();
  });

  test("of one day are one, the one that was published last, whatever lies there", async () => {
    using folder = copyOf(nights.data);
    const [first = "", second = ""] = nights.versions;
    const out = join(folder.path, "out");
    const later = "20260801T040000Z-00000000";
    const file = copyOfNight(fileOf(folder.path, second), fileOf(folder.path, later), later, "2026-08-01T04:00:00Z");
    const facts = { version: later, started_at: "2026-08-01T04:00:00Z", sha256: hash("sha256", readFileSync(file)) };
    writeFileSync(manifestFileOf(folder.path, later), JSON.stringify({ ...manifestOf(folder.path, second), ...facts }));
    rmSync(fileOf(folder.path, second));
    const inDay = () => readdirSync(join(out, "table=hero", "snapshot_date=2026-08-01"));
    expect((await run(folder.path, out)).stdout).toContain(
      `${first}: is left out, ${later} is the later one of its day\n`,
    );
    expect(inDay()).toEqual([`${later}.parquet`]);
    expect((await run(folder.path, out)).stdout).toMatch(/2 of 3 nights are there already\n$/);
    // Who names it has it.
    expect((await runCommand("export", ["--data", folder.path, "--out", out, "--partition", first])).code).toBe(0);
    expect(inDay()).toEqual([`${first}.parquet`]);
    expect((await run(folder.path, out)).stdout).toContain(
      `${later} takes the place of ${first} on 2026-08-01, in 3 tables`,
    );
    expect(inDay()).toEqual([`${later}.parquet`]);
    // What came from another folder is known by its name only.
    rmSync(manifestFileOf(folder.path, later));
    expect((await run(folder.path, out)).stdout).toContain(
      `${first}: is left out, ${later} is the later one of its day\n`,
    );
    expect(inDay()).toEqual([`${later}.parquet`]);
  });

  test.for([
    ["damaged", (index: string) => index.slice(0, -9)],
    ["foreign", () => "{}"],
  ] as const)("are written again where the index is %s, which stays under another name", async ([, spoil]) => {
    using folder = temporaryFolder();
    const index = join(folder.path, ".exported-parquet.json");
    await run(nights.data, folder.path);
    const spoilt = spoil(readFileSync(index, "utf8"));
    writeFileSync(index, spoilt);
    const again = await run(nights.data, folder.path);
    expect([again.code, again.stderr]).toEqual([
      0,
      `${index}: is no index of an export, and is now ${index}.unread; what is exported is written again\n`,
    ]);
    expect(again.stdout.match(/: 3 tables, /g)).toHaveLength(3);
    expect(readFileSync(`${index}.unread`, "utf8")).toBe(spoilt);
    expect((await run(nights.data, folder.path)).stdout).toBe(there);
  });

  test.for(["--all", "--all --partition", ""])("are none in an empty folder: 64 and one line (%s)", async (words) => {
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    const ended = await runCommand("export", [
      "--data",
      folder.path,
      "--out",
      out,
      ...words.split(" ").filter(Boolean),
    ]);
    expect(ended).toMatchObject({
      code: 64,
      stdout: "",
      stderr: `${folder.path}: holds no published night; publish one with \`npm run crawl\`, or name a file\n`,
    });
    expect(existsSync(out)).toBe(false);
  });
});

describe(`a kill (${drawn})`, () => {
  drawTests(1);

  const format = draw.pick(FORMATS);
  /** Runs the command as a process that is killed before a step on the disk; -1 for none. */
  async function run(step: number, words: readonly string[]) {
    const child = spawn(process.execPath, [script, String(step), "--format", format, ...words], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [steps] = await Promise.all([text(child.stdout), once(child, "close")]);
    return { steps: JSON.parse(steps || "[]") as string[], signal: child.signalCode };
  }
  const isPart = ([name]: [string, string]) => !name.startsWith(".");
  /** What lies there under a final name; an index may have its nights in another order. */
  const partsIn = (folder: string) => new Map([...hashAll(folder)].filter(isPart));

  test.for(draw.some([false, true], 1))(
    `leaves no half file under a final name, and the next run is whole (partition: %s, ${format})`,
    async (partition) => {
      using folder = temporaryFolder();
      const [before = "", after = ""] = nights.files;
      const version = "20260801T040000Z-00000000";
      const later = copyOfNight(after, join(folder.path, "later.sqlite"), version, "2026-08-01T04:00:00Z");
      const [old, now, out] = ["old", "now", "out"].map((name) => join(folder.path, name)) as [string, string, string];
      const options = { format, out: old, tables: DEFAULT_TABLES, partition };
      if (partition)
        expect(
          (
            await runCommand("export", [
              "--data",
              nights.data,
              "--format",
              format,
              "--out",
              old,
              "--all",
              "--partition",
            ])
          ).code,
        ).toBe(0);
      else exportSnapshot(before, options);
      const words = (to: string) => ["--out", to, ...(partition ? ["--partition"] : []), later];
      cpSync(old, now, { recursive: true });
      const { steps } = await run(-1, words(now));
      const [wasThere, isThere] = [partsIn(old), partsIn(now)];
      // In the middle of what is written, and among the names that are given when all of it is.
      const writes = steps.flatMap((name, step) => (name.startsWith("write") ? [step] : []));
      const names = steps.flatMap((_, step) => (step >= steps.indexOf("renameSync") ? [step] : []));
      // A table without rows is nothing to write as NDJSON.
      expect(Math.min(writes.length, names.length)).toBeGreaterThan(DEFAULT_TABLES.length / 2);
      const whole = new Set([...wasThere.values(), ...isThere.values()]);
      for (let kill = 0; kill < draw.many(8, 2); kill += 1) {
        const step = draw.pick(kill % 2 === 0 ? names : writes);
        rmSync(out, { recursive: true, force: true });
        cpSync(old, out, { recursive: true });
        expect((await run(step, words(out))).signal, `step ${step}`).toBe("SIGKILL");
        const left = partsIn(out);
        expect(
          [...left].filter(([, content]) => !whole.has(content)),
          `step ${step}`,
        ).toEqual([]);
        // Neither two of a table and day, nor none.
        const places = (parts: Iterable<string>) => [...parts].map((name) => (partition ? dirname(name) : name)).sort();
        expect(places(left.keys()), `step ${step}`).toEqual(places(isThere.keys()));
        expect((await runCommand("export", ["--format", format, ...words(out)])).code).toBe(0);
        expect(partsIn(out), `step ${step}`).toEqual(isThere);
      }
    },
  );

  test("of a run over all nights is made good by the same command", async () => {
    using folder = temporaryFolder();
    const [whole, out] = [join(folder.path, "whole"), join(folder.path, "out")];
    const words = (to: string) => ["--data", nights.data, "--out", to, "--all", "--partition", "--tables", "hero,item"];
    const { steps } = await run(-1, words(whole));
    for (let kill = 0; kill < draw.many(8, 2); kill += 1) {
      const step = draw.pick(steps.map((_, at) => at));
      rmSync(out, { recursive: true, force: true });
      expect((await run(step, words(out))).signal, `step ${step}`).toBe("SIGKILL");
      expect((await runCommand("export", ["--format", format, ...words(out)])).code).toBe(0);
      expect(partsIn(out), `step ${step}`).toEqual(partsIn(whole));
      const again = await runCommand("export", ["--format", format, ...words(out)]);
      expect(again.stdout).toBe("3 of 3 nights are there already\n");
    }
  });
});

describe("a failure", () => {
  test("is a snapshot whose name for itself would be a file somewhere else", () => {
    using folder = temporaryFolder();
    const stray = copyOfNight(
      nights.files[0] ?? "",
      join(folder.path, "stray.sqlite"),
      "../../../../stray",
      "2026-08-01",
    );
    const out = join(folder.path, "a", "out");
    const write = () => exportSnapshot(stray, { format: "csv", out, tables: ["hero"], partition: true });
    expect(write).toThrow("says that it is version ../../../../stray of 2026-08-01, which no snapshot is");
    expect(readdirSync(folder.path)).toEqual(["stray.sqlite"]);
  });

  test("leaves no half table, and what was there stays", () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "skill_text.csv"), { recursive: true });
    writeFileSync(join(folder.path, "hero.csv"), "old");
    const options = {
      format: "csv",
      out: join(folder.path, "hero.csv"),
      tables: DEFAULT_TABLES,
      partition: false,
    } as const;
    expect(() => exportSnapshot(nights.files[0] ?? "", options)).toThrow();
    expect(readdirSync(folder.path).sort()).toEqual(["hero.csv", "skill_text.csv"]);
  });

  test("on a full disk is one line, and nothing has a name yet", async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    const { code, stderr } = await runProcess(
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
