/** Tables as Excel and LibreOffice open them: what is written is read again, by DuckDB and by its bytes. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LANGUAGES } from "../helpers/crawl-nights.ts";
import { DUCK_TYPES, definedTable, openDuck, sortedRowsOf } from "../helpers/exported.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const [FIRST = ""] = world.nights.files;
const BOM = "\u{feff}";

const duck = await openDuck();
afterAll(() => duck.close());

async function write(out: string, ...words: string[]) {
  const ended = await runCommand("export", ["--out", out, "--format", "csv", ...words, FIRST]);
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
}

const readSheet = (out: string, table: string) => readFileSync(join(out, `${table}.csv`), "utf8");

/** How DuckDB reads such a file, with the types of the definition. */
function reading(out: string, table: string, form: string) {
  const columns = Object.entries(definedTable(table).columns).map(
    ([name, { type }]) => `'${name}': '${DUCK_TYPES[type]}'`,
  );
  return `read_csv('${join(out, `${table}.csv`)}', header = true, allow_quoted_nulls = false, ${form}, columns = {${columns.join()}})`;
}

test("a sheet has a byte order mark and the line ends of Excel; a plain CSV has neither", async () => {
  using folder = temporaryFolder();
  const [sheets, plain] = [join(folder.path, "sheets"), join(folder.path, "plain")];
  await write(sheets, "--spreadsheet", "--tables", "lane_text");
  await write(plain, "--tables", "lane_text");
  const [sheet, exact] = [readSheet(sheets, "lane_text"), readSheet(plain, "lane_text")];
  expect(readFileSync(join(sheets, "lane_text.csv")).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  expect(sheet.slice(1)).toBe(exact.replaceAll("\n", "\r\n"));
  expect(sheet).toMatch(/[\u3040-\u30ff]/);
  expect(exact).not.toMatch(/[\u{feff}\r]/u);
  await duck.compare(FIRST, "lane_text", reading(sheets, "lane_text", "delim = ','"));
});

test.for([
  ["--decimal ,", ";", ","],
  ["--decimal , --separator tab", "\t", ","],
  ["--separator ;", ";", "."],
  ["--separator tab --spreadsheet", "\t", "."],
] as const)(
  "%s: separator and decimal sign are as chosen, and the package says so",
  async ([words, separator, decimal]) => {
    using folder = temporaryFolder();
    const tables = ["hero_rate", "hero_lane_rate", "hero"];
    await write(folder.path, "--tables", tables.join(), ...words.split(" "));
    const [head = "", first = ""] = readSheet(folder.path, "hero_rate").replace(BOM, "").split(/\r?\n/);
    expect(head.split(separator)).toEqual(Object.keys(definedTable("hero_rate").columns));
    expect(first).toContain(`${separator}0${decimal}`);
    const form = `delim = '${separator}', decimal_separator = '${decimal}'`;
    for (const table of tables) await duck.compare(FIRST, table, reading(folder.path, table, form));
    const { resources } = JSON.parse(readFileSync(join(folder.path, "datapackage.json"), "utf8"));
    for (const { dialect, schema } of resources) {
      expect(dialect).toEqual({ delimiter: separator });
      for (const { type, decimalChar } of schema.fields)
        expect(decimalChar).toBe(type === "number" && decimal === "," ? "," : undefined);
    }
  },
);

test.for(["csv", "parquet", "ndjson"])(
  "rows of chosen languages are all that %s has, and what no language has stays",
  async (format) => {
    using folder = temporaryFolder();
    const tables = ["tier_list", "hero_text", "language", "hero_rate", "coverage"];
    const words = ["--out", folder.path, "--format", format, "--tables", tables.join(), "--languages", "ja,de", FIRST];
    expect(await runCommand("export", words)).toMatchObject({ code: 0, stderr: "" });
    expect(LANGUAGES.length).toBeGreaterThan(2);
    for (const table of tables) {
      const at = Object.keys(definedTable(table).columns).indexOf("lang");
      // Numbers are of answers in English: the proof keeps their slices.
      const isFiltered = at >= 0 && table !== "coverage";
      const expected = sortedRowsOf(FIRST, table).filter(
        (row) => !isFiltered || ["ja", "de"].includes(String(row[at])),
      );
      expect(expected.length).toBeGreaterThan(0);
      const file = join(folder.path, `${table}.${format}`);
      expect(await duck.ask(`SELECT count(*) FROM '${file}'`), table).toEqual([[BigInt(expected.length)]]);
      if (isFiltered)
        expect(await duck.ask(`SELECT DISTINCT lang FROM '${file}' ORDER BY lang`), table).toEqual([["de"], ["ja"]]);
    }
  },
);

test.for<[string, string]>([
  [
    "--format csv --decimal , --separator ,",
    "--separator and --decimal cannot be the same; leave --separator out, or take ; or tab",
  ],
  ["--decimal ,", "--decimal is not for parquet; leave it out, or add --format csv"],
  ["--format ndjson --separator ;", "--separator is not for ndjson; leave it out, or add --format csv"],
  ["--format api --spreadsheet", "--spreadsheet is not for api; leave it out, or add --format csv"],
  ["--format csv --partition --decimal ,", "--decimal is not for --partition; leave one of them out"],
  ["--partition --languages de", "--languages is not for --partition; leave one of them out"],
  ["--format csv --separator :", "option '--separator <sign>' argument ':' is invalid. Allowed choices are ,, ;, tab."],
])("wrong usage is one line: %s", async ([words, message]) => {
  using folder = temporaryFolder();
  const out = join(folder.path, "out");
  const { code, stderr } = await runCommand("export", ["--out", out, ...words.split(" "), FIRST]);
  expect([code, stderr.split("\n")[0]]).toEqual([64, message]);
  expect(existsSync(out)).toBe(false);
});

test("variables that are for other formats do nothing", async () => {
  using folder = temporaryFolder();
  const variables = { METASNAP_DECIMAL: ",", METASNAP_SPREADSHEET: "1", METASNAP_EXPORT_LANGUAGES: "de" };
  const words = ["--out", folder.path, "--tables", "hero_text", "--partition", FIRST];
  expect(await runCommand("export", words, variables)).toMatchObject({ code: 0, stderr: "" });
  const languages = `SELECT count(DISTINCT lang) FROM '${folder.path}/*/*/*.parquet'`;
  expect(await duck.ask(languages)).toEqual([[BigInt(LANGUAGES.length)]]);
});
