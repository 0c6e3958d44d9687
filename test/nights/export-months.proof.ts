import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { listFiles } from "../helpers/api-files.ts";
import { copyOf } from "../helpers/data-folder.ts";
import { openDuck, reading } from "../helpers/exported.ts";
import { publishDays } from "../helpers/mirror.ts";
import { RATES, runCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;
const duck = await openDuck();
afterAll(() => duck.close());

/** A copy of the world's nights with their history. */
async function withHistory() {
  const data = copyOf(nights.data);
  expect(await runCommand("history", ["--data", data.path])).toMatchObject({ code: 0 });
  return data;
}

const byMonth = (data: string, out: string, ...words: string[]) =>
  runCommand("export", ["--data", data, "--out", out, "--all", "--by-month", ...words]);

const parts = (out: string, table: string) =>
  `read_parquet('${out}/table=${table}/*/*.parquet', hive_partitioning = true)`;

describe("all nights by month", () => {
  test("have the rows of each night, each once for as long as it holds", async () => {
    using data = await withHistory();
    using folder = temporaryFolder();
    const out = folder.path;
    const { code, stdout, stderr } = await byMonth(data.path, out);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^2026-08: \d+ tables, \d+ rows, \d+ bytes\n$/);
    expect(await duck.ask(`SELECT month, version FROM ${parts(out, "night")} ORDER BY night_id`)).toEqual(
      nights.versions.map((version) => ["2026-08", version]),
    );
    for (const [day, file] of nights.files.entries())
      for (const [table, columns] of [
        ["hero_rate", "hero_id, rank, days, win_rate, ban_rate, appearance_rate"],
        ["hero_text", "hero_id, lang, name, story"],
        ["item", "item_id"],
      ] as const) {
        const held = `date_from <= '2026-08-0${day + 1}' AND (date_to IS NULL OR date_to > '2026-08-0${day + 1}')`;
        const found = await duck.ask(`SELECT ${columns} FROM ${parts(out, table)} WHERE ${held} ORDER BY ALL`);
        const there = queryFile<Record<string, unknown>>(file, `SELECT ${columns} FROM ${table}`);
        const toText = (row: readonly unknown[]) => row.map(String).join("|");
        expect(found.map(toText).sort()).toEqual(there.map((row) => toText(Object.values(row))).sort());
      }
    // A text that no night has changed stands once.
    const [once] = await duck.ask(`SELECT count(*) FROM ${parts(out, "hero_text")} WHERE hero_id = 1 AND lang = 'ar'`);
    expect(once).toEqual([1n]);
  });

  test("are written once, and again if a night came or was withdrawn", async () => {
    const format = "csv";
    using data = temporaryFolder();
    using folder = temporaryFolder();
    // The last day of a month, and the first of the next.
    const [first = "", second = ""] = await publishDays(data.path, [9, 10], ...RATES);
    expect([first, second].map((version) => version.slice(0, 6))).toEqual(["202609", "202610"]);
    const words = ["--format", format, "--tables", "hero_rate,hero_text"];
    const fold = () => runCommand("history", ["--data", data.path]);
    await fold();
    const done = await byMonth(data.path, folder.path, ...words);
    expect(done.stdout).toMatch(/^2026-09: 3 tables, .*\n2026-10: 3 tables, .*\n$/);
    const file = (table: string, month: string) =>
      join(folder.path, `table=${table}`, `month=${month}`, `${month}.${format}`);
    const tables = ["hero_rate", "hero_text", "night"];
    expect(listFiles(folder.path).filter((path) => path.includes("/"))).toEqual(
      tables.flatMap((table) =>
        ["2026-09", "2026-10"].map((month) => file(table, month).slice(folder.path.length + 1)),
      ),
    );
    expect(await byMonth(data.path, folder.path, ...words)).toEqual({ ...done, stdout: "2 months there already\n" });
    const before = readFileSync(file("hero_rate", "2026-09"));
    const kept = statSync(file("hero_rate", "2026-09")).ino;
    await publishDays(data.path, [11], ...RATES);
    await fold();
    const more = await byMonth(data.path, folder.path, ...words);
    expect(more.stdout).toMatch(/^2026-10: 3 tables, .*\n1 month there already\n$/);
    expect(statSync(file("hero_rate", "2026-09")).ino).toBe(kept);
    const rows = reading(format, file("hero_rate", "2026-10"), "none").replace(/, columns = \{\}/, "");
    expect(await duck.ask(`SELECT count(DISTINCT date_from) FROM ${rows}`)).toEqual([[2n]]);
    expect((await runCommand("rollback", ["--data", data.path])).code).toBe(0);
    await fold();
    expect((await byMonth(data.path, folder.path, ...words)).stdout).toMatch(/^2026-10: /);
    // What somebody has taken away comes back with the same bytes.
    rmSync(file("hero_rate", "2026-09"));
    expect((await byMonth(data.path, folder.path, ...words)).stdout).toMatch(/^2026-09: 1 tables, /);
    expect(readFileSync(file("hero_rate", "2026-09")).equals(before)).toBe(true);
  });

  test("are those of their month, also where the clock was set back, and have the numbers of the history", async () => {
    using data = temporaryFolder();
    using folder = temporaryFolder();
    // The last of them is of the first month again: nights are in the order of their publication.
    await publishDays(data.path, [9, 10], ...RATES);
    await publishDays(data.path, [8], ...RATES);
    await runCommand("history", ["--data", data.path]);
    const words = ["--tables", "hero_rate"];
    await byMonth(data.path, folder.path, ...words);
    const ofNights = `SELECT month, night_id, CAST(date AS VARCHAR) FROM ${parts(folder.path, "night")} ORDER BY night_id`;
    expect(await duck.ask(ofNights)).toEqual([
      ["2026-09", 1n, "2026-09-30"],
      ["2026-10", 2n, "2026-10-01"],
      ["2026-09", 3n, "2026-09-29"],
    ]);
    const days = (month: string) =>
      duck.ask(`SELECT DISTINCT CAST(date_from AS VARCHAR), CAST(date_to AS VARCHAR) FROM ${parts(folder.path, "hero_rate")}
        WHERE month = '${month}' ORDER BY ALL`);
    expect(await days("2026-10")).toEqual([["2026-10-01", null]]);
    expect(await days("2026-09")).toEqual([
      ["2026-09-29", null],
      ["2026-09-30", "2026-09-29"],
    ]);
  });

  test("need a history, all nights, and a folder without days", async () => {
    using data = copyOf(nights.data);
    using folder = temporaryFolder();
    const out = join(folder.path, "out");
    const refused = async (...words: string[]) =>
      (await runCommand("export", ["--data", data.path, "--out", out, "--by-month", ...words])).stderr;
    expect(await refused()).toBe("--by-month is for all nights of a history; add --all, without --views\n");
    expect(await refused("--all", "--views")).toMatch(/^--by-month is for all nights/);
    expect(await refused("--all")).toBe(
      `${join(data.path, "history.sqlite")}: does not exist; fold the nights into it with \`npm run history\`\n`,
    );
    expect(existsSync(join(data.path, "history.sqlite"))).toBe(false);
    await runCommand("history", ["--data", data.path]);
    const day = ["export", "--data", data.path, "--out", out, "--partition", "--tables", "hero"] as const;
    expect(await runCommand(day[0], [...day.slice(1)])).toMatchObject({ code: 0 });
    expect(await refused("--all")).toBe(
      `${join(out, "table=hero")}: has parts by day; name another folder with --out\n`,
    );
    expect(readdirSync(out)).not.toContain(".exported-months-parquet.json");
    const months = join(folder.path, "months");
    expect((await byMonth(data.path, months, "--tables", "hero")).code).toBe(0);
    expect(await runCommand("export", ["--data", data.path, "--out", months, "--all", "--partition"])).toMatchObject({
      code: 64,
      stderr: `${join(months, "table=hero")}: has parts by month; name another folder with --out\n`,
    });
  });
});
