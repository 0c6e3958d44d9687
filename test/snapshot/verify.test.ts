import { appendFileSync, copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashArchive } from "../../src/snapshot/build/hashes.ts";
import { exitOf } from "../../src/snapshot/verify/checks.ts";
import { verifyFile } from "../../src/snapshot/verify/verify.ts";
import { readExpected } from "../../src/snapshot/verify/verify-process.ts";
import { copyOf, fileOf, manifestFileOf, pointerOf } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { type Ended, runCommand, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";

const nights = temporaryFolder();
let [first = "", second = ""]: string[] = [];
beforeAll(async () => {
  [first = "", second = ""] = await publishDays(nights.path, [0, 1], "--endpoints", "heroes,hero,stats,rank,versions");
});
afterAll(() => nights[Symbol.dispose]());

const verify = (file: string) => runCommand("verify", ["--snapshot", file]);

/** The checks that fail, and with what figure, without a process. */
async function failures(file: string) {
  const { checks } = await verifyFile(file, "maker", readExpected(file));
  const failed = checks.filter(({ state }) => state === "FAILED");
  return { exit: exitOf(checks), names: failed.map(({ name }) => name), failed };
}

describe("verify", () => {
  const stateOf = ({ stdout }: Ended, check: string) =>
    new RegExp(`│ ${check} +│ (\\w+) +│ (.*?) +│`).exec(stdout)?.slice(1) ?? [];
  const failed = ({ stdout }: Ended) => [...stdout.matchAll(/│ (.*?) +│ FAILED +│/g)].map(([, name]) => name);

  test("of a good file ends with 0 and shows every check with a figure", async () => {
    const data = nights.path;
    const ended = await runCommand("verify", ["--data", data]);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    const { sha256, counts } = pointerOf(data);
    expect(stateOf(ended, "whole file")).toEqual(["ok", expect.stringMatching(/^\d+ bytes$/)]);
    expect(stateOf(ended, "foreign keys")).toEqual(["ok", "0 broken"]);
    expect(stateOf(ended, "manifest")).toEqual(["ok", expect.stringContaining(sha256.slice(0, 16))]);
    expect(stateOf(ended, "schema version")).toEqual(["ok", expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    expect(stateOf(ended, "hash of each slice")).toEqual(["ok", expect.stringMatching(/^\d+ slices$/)]);
    expect(stateOf(ended, "content hash")).toEqual(["ok", expect.stringMatching(/^[0-9a-f]{16}…$/)]);
    expect(stateOf(ended, "records")).toEqual(["ok", `${counts?.records} records`]);
    expect(stateOf(ended, "notes on texts")).toEqual(["ok", expect.stringMatching(/^[1-9]\d* records$/)]);
    expect(stateOf(ended, "coverage")).toEqual([
      "ok",
      expect.stringMatching(/^0 of \d+ slices missing, 0 carried over$/),
    ]);
    expect(stateOf(ended, "texts")).toEqual(["ok", expect.stringMatching(/^\d+ texts$/)]);
  });

  test.for([
    ["another digit", (byte: number) => (byte === 0x31 ? 0x32 : 0x31), []],
    ["no JSON any more", () => 0x78, ["records"]],
  ] as const)("finds one changed byte in a record (%s)", async ([, change, more]) => {
    using folder = copyOf(nights.path);
    const file = fileOf(folder.path);
    const db = new SQLite(file, { readonly: true });
    const json =
      db
        .prepare<[], string>(
          "SELECT json FROM record WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'stats') LIMIT 1",
        )
        .pluck()
        .get() ?? "";
    db.close();
    const bytes = readFileSync(file);
    const at = bytes.indexOf(json.slice(0, 60)) + json.search(/\d/);
    expect(json.search(/\d/)).toBeLessThan(60);
    bytes[at] = change(bytes[at] ?? 0);
    writeFileSync(file, bytes);
    const ended = await verify(file);
    expect(ended.code).toBe(64);
    expect(failed(ended)).toEqual(["manifest", "hash of each slice", "archive hash", ...more, "tables made again"]);
    expect(stateOf(ended, "hash of each slice")[1]).toMatch(/^1 slices differ, the first is stats hero=/);
  });

  test("tells a byte that is no UTF-8 from the character that a reader shows for it", () => {
    using folder = copyOf(nights.path);
    const db = new SQLite(fileOf(folder.path));
    const hashes = ["efbfbd", "ff", "c3", "00", ""].map((bytes) => {
      db.exec(`UPDATE record SET json = CAST(x'22${bytes}22' AS TEXT) WHERE rowid = (SELECT min(rowid) FROM record)`);
      return hashArchive(db, { started_at: "", sample: 0, rolling: 0 });
    });
    db.close();
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  const edits: [what: string, sql: string, checks: string[]][] = [
    [
      "a record gone",
      "DELETE FROM record WHERE rowid = (SELECT min(rowid) FROM record WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'stats'))",
      ["manifest", "hash of each slice", "archive hash", "records", "tables made again"],
    ],
    [
      "records of no slice",
      "INSERT INTO record VALUES (999999, 0, '{}', NULL)",
      ["foreign keys", "manifest", "archive hash", "records"],
    ],
    [
      "a note that leaves out a text",
      "UPDATE record SET texts = '[]' WHERE slice_id IN (SELECT slice_id FROM coverage WHERE dataset = 'rank') AND position = 1",
      ["manifest", "notes on texts"],
    ],
    [
      "a note on a text that is none",
      "UPDATE listed_text SET id = '2' WHERE text_id = 0",
      ["manifest", "tables made again"],
    ],
    [
      "another content hash",
      "UPDATE snapshot SET content_hash = 'x'",
      ["manifest", "content hash", "tables made again"],
    ],
    [
      "another schema",
      "UPDATE snapshot SET schema_version = '0.9.0'",
      ["manifest", "schema version", "tables made again"],
    ],
    [
      "another rate in a typed table",
      "UPDATE hero_rate SET win_rate = 0.99 WHERE hero_id = 1",
      ["manifest", "tables made again"],
    ],
    ["another name in a typed table", "UPDATE hero_text SET name = 'Nobody'", ["manifest", "tables made again"]],
    ["more heroes than there are", "UPDATE snapshot SET heroes = 999999", ["manifest", "tables made again"]],
    ["another licence", "UPDATE snapshot SET licence = 'yours'", ["manifest", "tables made again"]],
    ["another word in the dictionary", "UPDATE table_doc SET description = 'x'", ["manifest"]],
    ["another batch", "UPDATE coverage SET batch = '1' WHERE dataset = 'stats'", ["manifest", "archive hash"]],
    [
      "another start, by a millisecond",
      "UPDATE snapshot SET started_at = '2026-09-22T14:13:20.001Z'",
      ["manifest", "archive hash"],
    ],
    [
      "a slice said to be empty",
      "UPDATE coverage SET status = 'empty' WHERE dataset = 'versions'",
      ["manifest", "content hash", "archive hash", "records", "tables made again"],
    ],
  ];
  test.for(edits)("finds %s", async ([, sql, checks]) => {
    using folder = copyOf(nights.path);
    const file = fileOf(folder.path);
    editFile(file, sql);
    const { exit, names } = await failures(file);
    expect([exit, names]).toEqual([64, checks]);
  });

  const unlike: [what: string, sql: string, tables: object][] = [
    [
      "before a rank in the middle",
      "DELETE FROM rank WHERE rank = 'legend'; UPDATE rank SET position = position - 1 WHERE position > 3",
      { state: "ok" },
    ],
    ["before a window", "DELETE FROM day_window WHERE days = 30", { state: "ok" }],
    ["before a role", "DELETE FROM role WHERE role = 'support'", { state: "ok" }],
    [
      "after a rank",
      "INSERT INTO rank VALUES ('immortal', 7, 'Immortal', '10')",
      { state: "none", figure: "rank immortal is not known to this version of metasnap" },
    ],
    [
      "after a window",
      "INSERT INTO day_window VALUES (60)",
      { state: "none", figure: "days 60 is not known to this version of metasnap" },
    ],
    [
      "after a role",
      "INSERT INTO role (role, sort_id) VALUES ('healer', '7')",
      { state: "none", figure: "role healer is not known to this version of metasnap" },
    ],
  ];
  test.for(unlike)("takes a file that was made %s came into the program", async ([, sql, tables]) => {
    using folder = copyOf(nights.path);
    const file = fileOf(folder.path);
    editFile(file, sql);
    const { checks } = await verifyFile(file, "maker");
    expect(checks.filter(({ state }) => state === "FAILED")).toEqual([]);
    expect(checks.find(({ name }) => name === "tables made again")).toMatchObject(tables);
  });

  test.for([
    ["nowhere.sqlite", "does not exist"],
    ["snapshots", "is not a file"],
  ])("of %s, which %s, tells where files are", async ([name, what]) => {
    const file = `${nights.path}/${name}`;
    const hint = "name another file; `npm run nights` lists those of a folder";
    expect(await verify(file)).toMatchObject({ code: 64, stderr: `${file}: ${what}; ${hint}\n` });
  });

  test("says that a manifest is missing, and refuses one of another file or none of ours", async () => {
    using folder = copyOf(nights.path);
    const manifest = manifestFileOf(folder.path);
    copyFileSync(manifestFileOf(folder.path, first), manifest);
    const other = await verify(fileOf(folder.path));
    expect([other.code, failed(other)]).toEqual([64, ["manifest"]]);
    expect(stateOf(other, "manifest")[1]).toBe(`version is ${second}, the manifest says ${first}`);
    writeFileSync(manifest, "{}");
    const { failed: none } = await failures(fileOf(folder.path));
    expect(none).toMatchObject([{ name: "manifest", figure: "the file beside it is not a manifest" }]);
  });

  test("of a sound file without a manifest ends with 3, and says last and loudly what it could not prove", async () => {
    using folder = copyOf(nights.path);
    const file = fileOf(folder.path);
    const manifest = file.replace("sqlite", "json");
    const { version, content_hash, sha256, size } = pointerOf(folder.path);
    rmSync(manifest);
    const alone = await verify(file);
    expect([alone.code, alone.stderr, failed(alone)]).toEqual([3, "", []]);
    expect(stateOf(alone, "manifest")).toEqual(["none", "no manifest beside the file"]);
    const told = [
      `NOT PROVED: that this is the file that was published. There is no ${manifest}.`,
      "Whoever changes records can make the tables and hashes in a file again. The manifest would have proved",
      `  version       ${version}`,
      `  content hash  ${content_hash}`,
      `  sha256        ${sha256}`,
      `  size          ${size} bytes`,
      `Compare them with /snapshots/${version}.json of a mirror that you trust, or put that beside the file and verify again.`,
      "",
    ];
    expect(alone.stdout.split("\n").slice(-told.length)).toEqual(told);
    // What is damaged is worse than what is not proved.
    editFile(file, "UPDATE hero_rate SET win_rate = 0.99 WHERE hero_id = 1");
    const damaged = await verify(file);
    expect([damaged.code, failed(damaged)]).toEqual([64, ["tables made again"]]);
    expect(damaged.stdout).toContain("NOT PROVED: ");
  });

  test.for([
    ["cut short", (file: string) => truncateSync(file, 300_000)],
    ["longer than it says", (file: string) => appendFileSync(file, "more")],
    ["no database", (file: string) => writeFileSync(file, "hello ".repeat(100))],
  ] as const)("refuses a file that is %s with 64 and one line", async ([, damage]) => {
    using folder = copyOf(nights.path);
    damage(fileOf(folder.path));
    const { code, stderr } = await verify(fileOf(folder.path));
    expect(code).toBe(64);
    expect(stderr).toMatch(/^[^\n]*(is damaged|is not an SQLite database)[^\n]*\n$/);
  });
});
