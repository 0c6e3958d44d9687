import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { exportSnapshot, FORMATS } from "../../src/extra/nights/export/export.ts";
import { TABLE_NAMES, VIEW_NAMES } from "../../src/extra/nights/export/tables.ts";
import { openDuck, reading } from "../helpers/exported.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;
const duck = await openDuck();
afterAll(() => duck.close());

test.for(["csv", "ndjson"] as const)(
  "a snapshot as %s is row for row what SQLite holds, in every table and view",
  async (format) => {
    using folder = temporaryFolder();
    const [snapshot = ""] = nights.files;
    const tables = [...TABLE_NAMES, ...VIEW_NAMES];
    const { exported } = exportSnapshot(snapshot, { format, out: folder.path, tables, partition: false });
    expect(exported.map(({ table }) => table)).toEqual(tables);
    expect(readdirSync(folder.path).sort()).toEqual(
      ["datapackage.json", ...tables.map((name) => `${name}.${format}`)].sort(),
    );
    for (const { table, file, rows } of exported)
      expect(await duck.compare(snapshot, table, reading(format, file, table))).toBe(rows);
  },
);

test.for(FORMATS)("a snapshot as %s keeps the texts of 17 languages", async (format) => {
  using folder = temporaryFolder();
  const tables = ["hero_text", "tag_text", "hero_relation_text"];
  const { exported } = exportSnapshot(world.snapshot, { format, out: folder.path, tables, partition: false });
  for (const { table, file } of exported) await duck.compare(world.snapshot, table, reading(format, file, table));
  const [file = ""] = exported.map((one) => one.file);
  expect(await duck.ask(`SELECT count(DISTINCT lang) FROM ${reading(format, file, "hero_text")}`)).toEqual([[17n]]);
});

/** Debian's python3-pandas reads both, and compares them. */
const COMPARE = `
import pandas, sqlite3, sys
sheet, snapshot = sys.argv[1:]
written = pandas.read_csv(sheet, sep=";", decimal=",", float_precision="round_trip")
assert not any(name.startswith("\ufeff") for name in written.columns), written.columns
held = pandas.read_sql("SELECT * FROM tier_list ORDER BY rank, days, place, hero_id", sqlite3.connect(snapshot))
written = written.sort_values(["rank", "days", "place", "hero_id"], ignore_index=True)[held.columns]
pandas.testing.assert_frame_equal(written, held, check_exact=True)
print(len(written), written.win_rate.dtype)
`;

test("a sheet with semicolons and decimal commas is for pandas what SQLite holds", async () => {
  using folder = temporaryFolder();
  const words = ["--format", "csv", "--spreadsheet", "--decimal", ",", "--tables", "tier_list"];
  expect(await runCommand("export", ["--out", folder.path, ...words, world.snapshot])).toMatchObject({ code: 0 });
  const sheet = `${folder.path}/tier_list.csv`;
  const { stdout } = await promisify(execFile)("/usr/bin/python3", ["-c", COMPARE, sheet, world.snapshot]);
  expect(stdout).toMatch(/^\d{4,} float64\n$/);
});
