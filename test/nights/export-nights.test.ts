import { hash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { toTable } from "../../scripts/docs/questions.ts";
import { exportSnapshot, FORMATS, type Format } from "../../src/extra/nights/export/export.ts";
import { SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { LANGUAGES } from "../helpers/crawl-nights.ts";
import { copyOf, fileOf, manifestFileOf, manifestOf, vouchForLatest } from "../helpers/data-folder.ts";
import { copyOfNight, openDuck } from "../helpers/exported.ts";
import { NIGHT_QUESTIONS } from "../helpers/nights.ts";
import { sqlOf } from "../helpers/pages.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { RETIRED } from "../helpers/upstream/changes.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;
const duck = await openDuck();
afterAll(() => duck.close());

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
    expect(readdirSync(folder.path).sort()).toEqual([
      ".exported-parquet.json",
      "datapackage.json",
      "table=hero_rate",
      "table=hero_text",
      "table=snapshot",
    ]);
    const all = (table: string) =>
      `read_parquet('${folder.path}/table=${table}/*/*.parquet', hive_partitioning = true)`;
    const days = await duck.ask(
      `SELECT snapshot_date::VARCHAR, count(*) FROM ${all("hero_rate")} GROUP BY ALL ORDER BY ALL`,
    );
    expect(days).toEqual([
      ["2026-08-01", 40n],
      ["2026-08-02", 44n],
      ["2026-08-03", 44n],
    ]);
    const texts = await duck.ask(
      `SELECT lang, count(DISTINCT story) FROM ${all("hero_text")} WHERE hero_id = 1 GROUP BY ALL ORDER BY ALL`,
    );
    expect(texts).toEqual(LANGUAGES.toSorted().map((lang) => [lang, lang === "ar" ? 1n : 2n]));
    for (const [index, snapshot] of nights.files.entries()) {
      const day = `(SELECT * EXCLUDE (snapshot_date, "table") FROM ${all("hero_rate")} WHERE snapshot_date = '2026-08-0${index + 1}')`;
      await duck.compare(snapshot, "hero_rate", day);
    }
  });

  test("answer what the page asks", async () => {
    using folder = temporaryFolder();
    const tables = ["hero_rate", "hero_text", "item", "snapshot"];
    for (const file of nights.files)
      exportSnapshot(file, { format: "parquet", out: folder.path, tables, partition: true });
    const queries = sqlOf("data/NIGHTS.md").filter((sql) => sql.includes("read_parquet"));
    const answers: unknown[][][] = [];
    for (const sql of queries) answers.push(await duck.ask(sql.replaceAll("'export/", `'${folder.path}/`)));
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
    await duck.read("CREATE SCHEMA night");
    for (const table of ["hero_rate", "hero_text"])
      await duck.read(
        `CREATE VIEW night.${table} AS SELECT * FROM read_parquet('${folder.path}/table=${table}/snapshot_date=2026-08-03/*.parquet')`,
      );
    const questions = NIGHT_QUESTIONS.filter(({ sql }) => /read_parquet|night\./.test(sql));
    expect(questions).toHaveLength(2);
    for (const { sql, answer } of questions) {
      const reader = await duck.read(sql.replaceAll("'export/", `'${folder.path}/`));
      expect(`${toTable(reader.columnNames(), reader.getRowsJS() as unknown[][])}\n`).toBe(answer);
    }
    await duck.read("DROP SCHEMA night CASCADE");
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
    const args = ["--out", folder.path, "--partition", "--tables", "hero,item", nights.files[0] ?? ""];
    const ended = await Promise.all(FORMATS.map((format) => runCommand("export", [...args, "--format", format])));
    expect(ended).toMatchObject(FORMATS.map(() => ({ code: 0, stderr: "" })));
    const inDay = readdirSync(join(folder.path, "table=item", "snapshot_date=2026-08-01"));
    expect(inDay.sort()).toEqual(FORMATS.map((format) => `${nights.versions[0]}.${format}`).sort());
    expect(readdirSync(folder.path).sort()).toEqual([
      ...FORMATS.map((format) => `.exported-${format}.json`).sort(),
      "datapackage.json",
      "table=hero",
      "table=item",
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
      `${first}: is skipped, ${later} is the later one of its day\n`,
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
      `${first}: is skipped, ${later} is the later one of its day\n`,
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
