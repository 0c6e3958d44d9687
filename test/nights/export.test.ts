import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, describe, expect, test } from "vitest";
import { exportSnapshot, FORMATS } from "../../src/extra/nights/export/export.ts";
import { DEFAULT_TABLES, TABLE_NAMES, VIEW_NAMES } from "../../src/extra/nights/export/tables.ts";
import { lockExport } from "../../src/journal/lock.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { LANGUAGES } from "../helpers/crawl-nights.ts";
import { copyOfNight, DUCK_TYPES, definedTable, openDuck, reading, sortedRowsOf } from "../helpers/exported.ts";
import { sqlOf } from "../helpers/pages.ts";
import { runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { editFile, queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;
const duck = await openDuck();
afterAll(() => duck.close());

type Cell = string | number | bigint | null;

const columnsOf = (table: string) => Object.entries(TABLES.find(({ name }) => name === table)?.columns ?? {});

/** A cell by the words of the page: a text is in quotes, nothing is nothing, a number is as many digits as it has. */
function toCell(written: string, type: string): Cell {
  if (written === "") return null;
  if (written.startsWith('"')) return written.slice(1, -1).replaceAll('""', '"');
  return type === "INTEGER" ? BigInt(written) : Number(written);
}

/** RFC 4180, integers as bigint. */
function readCsv(file: string, table: string): Cell[][] {
  const columns = columnsOf(table);
  const cells = [...readFileSync(file, "utf8").matchAll(/("(?:[^"]|"")*"|[^",\n]*)[,\n]/g)].map(
    ([, cell = ""]) => cell,
  );
  const lines = Array.from({ length: cells.length / columns.length }, (_, line) =>
    cells.slice(line * columns.length, (line + 1) * columns.length),
  );
  return lines.slice(1).map((line) => line.map((cell, index) => toCell(cell, columns[index]?.[1].type ?? "")));
}

/** JSON a line, integers as bigint from their digits. */
function readNdjson(file: string, table: string): Cell[][] {
  const columns = columnsOf(table);
  const exact = (key: string, value: unknown, { source }: { source?: string }) =>
    columns.some(([name, { type }]) => name === key && type === "INTEGER") && source && value !== null
      ? BigInt(source)
      : value;
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const row = JSON.parse(line, exact as Parameters<typeof JSON.parse>[1]) as Record<string, Cell>;
    return columns.map(([name, { type }]) => {
      const value = row[name] ?? null;
      return type === "REAL" && typeof value === "string" ? Number(value) : value;
    });
  });
}

const WHOLE = { format: "parquet", partition: false } as const;

const countRows = (snapshot: string, name: string) =>
  queryFile<{ rows: number }>(snapshot, `SELECT count(*) AS rows FROM ${name}`)[0]?.rows ?? 0;

describe("a snapshot", () => {
  test("is row for row what SQLite holds, in every table and view", async () => {
    const { format } = WHOLE;
    using folder = temporaryFolder();
    const [snapshot = ""] = nights.files;
    const tables = [...TABLE_NAMES, ...VIEW_NAMES];
    const { exported } = exportSnapshot(snapshot, { ...WHOLE, out: folder.path, tables });
    expect(exported.map(({ table }) => table)).toEqual(tables);
    expect(readdirSync(folder.path).sort()).toEqual(
      ["datapackage.json", ...tables.map((name) => `${name}.${format}`)].sort(),
    );
    for (const { table, file, rows } of exported)
      expect(await duck.compare(snapshot, table, reading(format, file, table))).toBe(rows);
  });

  test("has views whose SQL DuckDB reads too, which it does of a file that it attaches, but for the dates of SQLite", async () => {
    using folder = temporaryFolder();
    const [snapshot = ""] = nights.files;
    const { exported } = exportSnapshot(snapshot, { ...WHOLE, out: folder.path, tables: TABLE_NAMES });
    const attached = await openDuck();
    for (const { table, file } of exported)
      await attached.ask(`CREATE TABLE "${table}" AS FROM ${reading(WHOLE.format, file, table)}`);
    const views = queryFile<{ name: string; sql: string }>(
      snapshot,
      "SELECT name, sql FROM sqlite_schema WHERE type = 'view'",
    );
    const refused: string[] = [];
    for (const { name, sql } of views) {
      const isRead = await attached.ask(sql).then(Boolean, () => false);
      if (isRead)
        expect(await attached.ask(`SELECT count(*) FROM ${name}`)).toEqual([[BigInt(countRows(snapshot, name))]]);
      else refused.push(name);
    }
    attached.close();
    expect(refused).toEqual(["trend_change"]);
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
      for (const { table, file } of exported) await duck.compare(snapshot, table, reading(format, file, table));
    }
    // The same by readers of a few lines.
    for (const table of odd) {
      const expected = sortedRowsOf(snapshot, table);
      expect(readCsv(join(folder.path, "csv", `${table}.csv`), table)).toStrictEqual(expected);
      expect(readNdjson(join(folder.path, "ndjson", `${table}.ndjson`), table)).toStrictEqual(expected);
    }
    const csv = sqlOf("data/NIGHTS.md")
      .filter((sql) => sql.includes("read_csv"))
      .map((sql) => sql.replaceAll("'export/", `'${folder.path}/csv/`));
    expect(csv).toHaveLength(1);
    const languages = BigInt(LANGUAGES.length);
    for (const sql of csv) {
      expect(await duck.ask(sql)).toEqual([[languages, 0n]]);
      expect(await duck.ask(sql.replace(", allow_quoted_nulls = false", ""))).toEqual([[0n, languages]]);
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
      const facts = await duck.ask(
        `SELECT decode(value) FROM parquet_kv_metadata('${file}') WHERE decode(key) = 'metasnap.version'`,
      );
      expect(facts).toEqual([[nights.versions[0]]]);
      const types = await duck.ask(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${file}')`);
      const columns = Object.entries(definedTable(table).columns);
      expect(types).toEqual(columns.map(([name, { type }]) => [name, DUCK_TYPES[type]]));
    }
    const times = await duck.ask(
      `SELECT max(date_to)::DATE - min(date_from)::DATE FROM '${folder.path}/a/trend_rise.parquet'`,
    );
    expect(times).toEqual([[6n]]);
  });

  test("has times as the tables have them: integers of milliseconds, and texts, also what is no time", async () => {
    using folder = temporaryFolder();
    const odd = join(folder.path, "odd.sqlite");
    copyFileSync(nights.files[0] ?? "", odd);
    editFile(
      odd,
      `UPDATE hero_trend SET date = 'yesterday' WHERE hero_id = 1 AND rank = 'all' AND date = (SELECT max(date) FROM hero_trend);
       UPDATE hero_trend SET date = '2026-02-30' WHERE hero_id = 2 AND rank = 'all' AND date = (SELECT min(date) FROM hero_trend);
       UPDATE hero SET created_at_ms = 1790000000000 WHERE hero_id = 1`,
    );
    const tables = "hero,hero_trend,coverage";
    for (const format of FORMATS) {
      const ended = await runCommand("export", ["--format", format, "--out", folder.path, "--tables", tables, odd]);
      expect([ended.code, ended.stderr]).toEqual([0, ""]);
      const { resources } = JSON.parse(readFileSync(join(folder.path, "datapackage.json"), "utf8"));
      const fields: { name: string; type: string; unit?: string }[] = resources.flatMap(
        ({ schema }: { schema: { fields: object[] } }) => schema.fields,
      );
      expect(fields).toContainEqual(
        expect.objectContaining({ name: "created_at_ms", type: "integer", unit: "epoch milliseconds" }),
      );
      expect(fields).toContainEqual(expect.objectContaining({ name: "date", type: "string", unit: "ISO 8601 date" }));
      const from = (table: string) => reading(format, join(folder.path, `${table}.${format}`), table);
      for (const table of tables.split(",")) await duck.compare(odd, table, from(table));
      expect(
        await duck.ask(
          `SELECT date FROM ${from("hero_trend")} WHERE date IN ('yesterday', '2026-02-30') ORDER BY date`,
        ),
      ).toEqual([["2026-02-30"], ["yesterday"]]);
      const created = `SELECT epoch_ms(to_timestamp(created_at_ms / 1000)) FROM ${from("hero")} WHERE hero_id = 1`;
      expect(await duck.ask(created)).toEqual([[1_790_000_000_000n]]);
    }
  });

  test("has views of odd values: a text that is none, and a difference of infinite rates", async () => {
    using folder = temporaryFolder();
    const odd = join(folder.path, "odd.sqlite");
    copyFileSync(nights.files[0] ?? "", odd);
    editFile(
      odd,
      `UPDATE record SET json = json_replace(json, '$.data.equipskilldesc', 7) WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'equipment-expanded');
       UPDATE hero_trend SET win_rate = 9e999 WHERE hero_id = 3`,
    );
    const tables = ["text_issue_list", "trend_change", "trend_rise"];
    const { exported } = exportSnapshot(odd, { format: "parquet", out: folder.path, tables, partition: false });
    for (const { table, file } of exported) await duck.compare(odd, table, reading("parquet", file, table));
    expect(await duck.ask(`SELECT DISTINCT text FROM '${folder.path}/text_issue_list.parquet'`)).toEqual([["7"]]);
    const rises = `SELECT DISTINCT rise FROM '${folder.path}/trend_rise.parquet' WHERE hero_id = 3`;
    expect(await duck.ask(rises)).toEqual([[null]]);
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

  test.for([
    ["csv", 300],
    ["ndjson", 300],
    ["parquet", 30],
  ] as const)("on a full disk is one line, and nothing has a name yet: %s", async ([format, blocks]) => {
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    const words = ["--data", nights.data, "--out", out, "--format", format];
    const { code, stderr } = await runProcess("export", words, {}, blocks);
    expect(code).toBe(64);
    expect(stderr).toMatch(new RegExp(`^${out}: cannot be written: [^\\n]*EFBIG[^\\n]*\\n$`));
    expect(existsSync(out)).toBe(false);
  });

  test("of usage is told", async () => {
    using folder = temporaryFolder();
    const run = (...args: string[]) =>
      runCommand("export", ["--data", nights.data, "--out", join(folder.path, "out"), ...args]);
    expect(await run("--all")).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/3 snapshots cannot share one file per table; add --partition/),
    });
    expect(await run("--format", "xml")).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/Allowed choices are parquet, csv, ndjson/),
    });
    expect(await run("--tables", "heroes")).toMatchObject({
      code: 64,
      stderr: expect.stringMatching(/Allowed are closed_part, endpoint_state, doubt, snapshot, coverage/),
    });
    expect(existsSync(join(folder.path, "out"))).toBe(false);
  });
});

test.for(["parquet", "api"])(
  "two exports as %s into one folder: the second says who is at work there",
  async (format) => {
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    const run = (as: string) => {
      const tables = as === "api" ? [] : ["--tables", "hero"];
      return runCommand("export", [world.nights.files[0] ?? "", "--format", as, "--out", out, ...tables]);
    };
    using first = lockExport(out, `.lock-${format}`);
    const { code, stderr } = await run(format);
    const said = `${out}: process ${process.pid} has been working in this folder since `;
    expect([code, stderr]).toEqual([64, expect.stringContaining(said)]);
    expect(stderr).toMatch(/; wait until it has ended, or name another folder with --out\n$/);
    expect(readdirSync(out)).toEqual([`.lock-${format}`]);
    first[Symbol.dispose]();
    expect(await run(format)).toMatchObject({ code: 0 });
    expect(readdirSync(out).filter((name) => name.startsWith("."))).toEqual([]);
  },
);

test("exports of two formats go into one folder at once", async () => {
  using folder = temporaryFolder();
  using _ = lockExport(folder.path, ".lock-parquet");
  const words = [world.nights.files[0] ?? "", "--format", "csv", "--tables", "hero", "--out", folder.path];
  expect(await runCommand("export", words)).toMatchObject({ code: 0 });
});

test("a file of a newer schema is refused, with its version and what to do", async () => {
  using folder = temporaryFolder();
  const newer = join(folder.path, "newer.sqlite");
  copyFileSync(nights.files[0] ?? "", newer);
  const db = new SQLite(newer);
  db.exec("CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT; PRAGMA user_version = 19900");
  db.close();
  const { code, stderr } = await runCommand("export", ["--out", join(folder.path, "out"), newer]);
  expect([code, stderr]).toEqual([
    64,
    `${newer}: has schema 1.99.0, which is not known here (${SCHEMA_VERSION}); update metasnap, or take another snapshot\n`,
  ]);
  expect(existsSync(join(folder.path, "out"))).toBe(false);
});
