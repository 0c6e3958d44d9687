/** A snapshot without its archive, for analysts: what it has, what it says that it is, and who refuses it. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { expect, test } from "vitest";
import { copyOfNight } from "../helpers/exported.ts";
import { runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const [FIRST = "", SECOND = ""] = world.nights.files;
const [VERSION = "", OTHER = ""] = world.nights.versions;
const LEFT_OUT = ["record", "listed_text", "text_rule", "text_issue", "text_issue_list"];

const nameOf = (version: string) => `${version}.analysts.sqlite`;

async function write(out: string, ...words: string[]) {
  const ended = await runCommand("export", ["--format", "sqlite", "--out", out, ...words]);
  expect([ended.code, ended.stderr]).toEqual([0, ""]);
  return ended.stdout;
}

test("has every other table and view as the snapshot has it, with its description, and is whole", async () => {
  using folder = temporaryFolder();
  const said = await write(folder.path, FIRST);
  const file = join(folder.path, nameOf(VERSION));
  expect(said).toMatch(new RegExp(`^${FIRST}: ${file}, \\d+ bytes from \\d+, [\\d.]+ s\\n$`));
  const db = new SQLite(file, { readonly: true });
  try {
    db.prepare("ATTACH ? AS night").run(FIRST);
    const objects = (schema: string) =>
      db
        .prepare<[], { type: string; name: string; tbl_name: string; sql: string | null }>(
          `SELECT type, name, tbl_name, sql FROM ${schema}.sqlite_schema ORDER BY type, name`,
        )
        .all();
    const expected = objects("night").filter((object) => !LEFT_OUT.includes(object.tbl_name));
    expect(objects("main")).toEqual(expected);
    expect(objects("night").length).toBeGreaterThan(expected.length);
    for (const { type, name } of expected) {
      if (type === "index" || /_doc$/.test(name)) continue;
      const rows = (schema: string) => db.prepare(`SELECT * FROM ${schema}."${name}"`).raw().all();
      expect(rows("main"), name).toEqual(rows("night"));
    }
    const described = (table: string) =>
      db.prepare<[], string>(`SELECT DISTINCT table_name FROM main.${table} ORDER BY 1`).pluck().all();
    const names = expected.filter(({ type }) => type !== "index").map(({ name }) => name);
    expect(described("table_doc")).toEqual(names.toSorted());
    expect(described("column_doc")).toEqual(names.toSorted());
    const others = `SELECT * FROM %.column_doc WHERE table_name NOT IN (${LEFT_OUT.map((name) => `'${name}'`)})`;
    expect(db.prepare(others.replace("%", "main")).all()).toEqual(db.prepare(others.replace("%", "night")).all());
    expect(db.pragma("main.integrity_check", { simple: true })).toBe("ok");
    expect(db.pragma("main.foreign_key_check")).toEqual([]);
  } finally {
    db.close();
  }
});

test("says what it is, and of which schema", async () => {
  using folder = temporaryFolder();
  await write(folder.path, FIRST);
  const [db, night] = [join(folder.path, nameOf(VERSION)), FIRST].map((file) => new SQLite(file, { readonly: true }));
  expect(db?.pragma("application_id", { simple: true })).toBe(0x4d_53_61_31);
  expect(db?.pragma("user_version")).toEqual(night?.pragma("user_version"));
  const about = db?.prepare("SELECT description FROM table_doc WHERE table_name = 'snapshot'").pluck().get();
  expect(about).toMatch(/ This file is for analysts: the snapshot without record, listed_text, /);
  expect(db?.prepare("SELECT version FROM snapshot").pluck().get()).toBe(VERSION);
  for (const one of [db, night]) one?.close();
});

test("has the same bytes each time, whatever lies there, and several nights are a file each", async () => {
  using folder = temporaryFolder();
  const [one, two] = [join(folder.path, "one"), join(folder.path, "two")];
  await write(one, FIRST);
  const bytes = readFileSync(join(one, nameOf(VERSION)));
  writeFileSync(join(one, nameOf(VERSION)), "half of one");
  writeFileSync(join(one, `${nameOf(VERSION)}.draft`), "of a run that was killed");
  await write(one, FIRST);
  expect(readdirSync(one)).toEqual([nameOf(VERSION)]);
  await write(two, "--data", world.nights.data, VERSION, OTHER);
  expect(readdirSync(two).sort()).toEqual([nameOf(VERSION), nameOf(OTHER)].sort());
  for (const out of [one, two]) expect(readFileSync(join(out, nameOf(VERSION))).equals(bytes)).toBe(true);
});

test("on a full disk is one line, and nothing is left", async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, "out");
  // So far that SQLite has written of it what its memory cannot hold.
  const words = ["--format", "sqlite", "--out", out, world.snapshot];
  const { code, stderr } = await runProcess("export", words, {}, 20_000);
  const said = new RegExp(`^${out}: cannot be written: [^\\n]+; free space, [^\\n]+\\n$`);
  expect([code, stderr]).toEqual([64, expect.stringMatching(said)]);
  expect(existsSync(out)).toBe(false);
});

test("whoever needs the archive refuses it in one line", async () => {
  using folder = temporaryFolder();
  await write(folder.path, FIRST);
  const file = join(folder.path, nameOf(VERSION));
  const line = `${file}: is a snapshot without its archive, for analysts; take the snapshot that it was made from\n`;
  for (const [command, ...words] of [
    ["verify", "--snapshot", file],
    ["serve", "--snapshot", file],
    ["diff", file, SECOND],
    ["diff", SECOND, file],
    ["export", "--out", join(folder.path, "out"), file],
    ["export", "--format", "api", "--out", join(folder.path, "out"), file],
    ["export", "--format", "sqlite", "--out", join(folder.path, "out"), file],
  ] as const)
    expect(await runCommand(command, words), `${command} ${words}`).toMatchObject({
      code: 64,
      stdout: "",
      stderr: line,
    });
  expect(existsSync(join(folder.path, "out"))).toBe(false);
});

test.for<[string, string]>([
  ["--tables hero", "--tables is not for sqlite; leave it out, or name a format of tables with --format"],
  ["--all", "--all is not for sqlite; leave it out, or name a format of tables with --format"],
  ["--languages de", "--languages is not for sqlite; leave it out, or name a format of tables with --format"],
  ["--decimal ,", "--decimal is not for sqlite; leave it out, or add --format csv"],
])("wrong usage is one line: %s", async ([words, message]) => {
  using folder = temporaryFolder();
  const out = join(folder.path, "out");
  const ended = await runCommand("export", ["--format", "sqlite", "--out", out, ...words.split(" "), FIRST]);
  expect(ended).toMatchObject({ code: 64, stderr: `${message}\n` });
  expect(existsSync(out)).toBe(false);
});

test("a snapshot whose name for itself would be a file somewhere else is refused", async () => {
  using folder = temporaryFolder();
  const stray = copyOfNight(FIRST, join(folder.path, "stray.sqlite"), "../../stray", "2026-08-01");
  const { code, stderr } = await runCommand("export", ["--format", "sqlite", "--out", join(folder.path, "a"), stray]);
  expect([code, stderr]).toEqual([
    64,
    `${stray}: says that it is version ../../stray, which no snapshot is; look at it with \`npm run verify\`\n`,
  ]);
  expect(readdirSync(folder.path)).toEqual(["stray.sqlite"]);
});
