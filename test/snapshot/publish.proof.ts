import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lastFinished } from "../../src/journal/runs.ts";
import { copyOf, fileOf, manifestFileOf, manifestOf, pointerOf } from "../helpers/data-folder.ts";
import { publishDays } from "../helpers/mirror.ts";
import { runCommand, runProcess, temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";

const world = temporaryFolder();
/** Folders with a night, with the one after it, and with a third that carries over from the second. */
const [first, both, rolling] = ["first", "both", "rolling"].map((name) => join(world.path, name)) as [
  string,
  string,
  string,
];
let before = "";
let after = "";
/** The sha256 of the second night, concluded without the first: it cannot say then since when endpoints were open before. */
let alone = "";

beforeAll(async () => {
  const publish = (data: string, day: number, ...more: string[]) =>
    publishDays(data, [day], "--endpoints", "heroes,hero,stats,rank,versions", ...more);
  [before = ""] = await publish(first, 0);
  cpSync(first, both, { recursive: true });
  [after = ""] = await publish(both, 2);
  const empty = join(world.path, "alone");
  await build(empty);
  alone = pointerOf(empty).sha256;
  cpSync(both, rolling, { recursive: true });
  await publish(rolling, 4, "--reuse");
});
afterAll(() => world[Symbol.dispose]());

/** The second night, on what the folder has. */
const build = (data: string) =>
  runCommand("build", ["--data", data, "--journal", lastFinished(both), "--allow-partial"]);

function overwrite(file: string, where: (bytes: Buffer) => number, length: number) {
  const bytes = readFileSync(file);
  const at = Math.floor(where(bytes));
  bytes.fill("x", at, at + length);
  writeFileSync(file, bytes);
}

/** Changes a row behind the back of an index, which keeps it as it was. */
function forgetIndex(file: string) {
  const edit = (sql: string, ...values: unknown[]) => {
    const db = new SQLite(file).unsafeMode();
    db.exec("PRAGMA foreign_keys = OFF; PRAGMA writable_schema = ON");
    const rows = db
      .prepare(sql)
      .raw()
      .all(...values) as unknown[][];
    db.close();
    return rows;
  };
  const [index = []] = edit("DELETE FROM sqlite_schema WHERE name = 'hero_rate_hero_id' RETURNING rowid, *");
  edit("UPDATE hero_rate SET hero_id = 99 WHERE hero_id = 1 RETURNING 1");
  edit(
    "INSERT INTO sqlite_schema (rowid, type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?, ?) RETURNING 1",
    ...index,
  );
}

describe("the night before", () => {
  const damages: [how: string, damage: (data: string) => void, told: RegExp][] = [
    ["whose header is overwritten", (data) => overwrite(fileOf(data), () => 0, 16), /: is not an SQLite database$/],
    [
      "whose middle is overwritten",
      (data) => overwrite(fileOf(data), ({ length }) => length / 2, 9000),
      /: is damaged \(/,
    ],
    [
      "whose end is overwritten",
      (data) => overwrite(fileOf(data), ({ length }) => length - 4096, 4096),
      /: is damaged \(/,
    ],
    [
      "with another letter in a record",
      (data) => overwrite(fileOf(data), (bytes) => bytes.indexOf('"main_hero_win_rate"') + 1, 1),
      /: manifest: sha256 is \w+, the manifest says \w+$/,
    ],
    [
      "with an index that does not fit its table",
      (data) => forgetIndex(fileOf(data)),
      /: whole file: row \d+ missing from index hero_rate_hero_id$/,
    ],
    [
      "that is cut short",
      (data) => truncateSync(fileOf(data), 100_000),
      /: is damaged \(100000 bytes, its header says \d+\)$/,
    ],
    ["that has vanished", (data) => rmSync(fileOf(data)), /: has vanished$/],
  ];
  test.for(damages)("%s keeps no night from being published, and is told of", async ([, damage, told]) => {
    using folder = copyOf(first);
    damage(folder.path);
    const { code, stdout, stderr } = await build(folder.path);
    const [warning = "", line] = stdout.split("\n");
    expect([code, stderr, line]).toEqual([0, "", `published ${fileOf(folder.path, after)}`]);
    expect(warning).toMatch(new RegExp(`^${before} was not what had been published, and is replaced: `));
    expect(warning).toMatch(told);
    const { follows, changes, sha256 } = manifestOf(folder.path);
    expect([follows, changes, sha256]).toEqual([before, undefined, alone]);
  });

  const lost: [what: string, fileIn: (data: string) => string][] = [
    ["manifest", (data) => manifestFileOf(data)],
    ["proof", (data) => join(data, "proofs.json")],
  ];
  test.for(lost)("is compared with also without its %s", async ([, fileIn]) => {
    using folder = copyOf(first);
    rmSync(fileIn(folder.path));
    const { code, stdout } = await build(folder.path);
    expect([code, stdout]).toEqual([0, `published ${fileOf(folder.path, after)}\n`]);
    expect(manifestOf(folder.path).changes).toEqual(manifestOf(both).changes);
  });

  test.for([
    ["a night", first, both],
    ["a night that carries over", both, rolling],
  ] as const)(
    "is read whole once by a build of %s, and the new file once for each of its proofs",
    async ([, then, now]) => {
      using folder = copyOf(then);
      const [reads, journal] = [join(folder.path, "reads"), lastFinished(now)];
      const latest = basename(fileOf(folder.path));
      const env = {
        WHOLE_READS: reads,
        NODE_OPTIONS: `--import=${join(import.meta.dirname, "publish", "whole-reads.ts")}`,
      };
      const words = ["--data", folder.path, "--journal", journal, "--allow-partial"];
      expect(await runProcess("build", words, env)).toMatchObject({ code: 0, stderr: "" });
      expect(readFileSync(reads, "utf8").trimEnd().split("\n").sort()).toEqual([
        "integrity_check .next.sqlite",
        "read .next.sqlite",
        "read .next.sqlite.changes",
        `read ${latest}`,
      ]);
    },
  );
});

test.for([
  ["cut short", (file: string) => truncateSync(file, 100_000)],
  ["of another record", (file: string) => editFile(file, "UPDATE record SET json = replace(json, '0.5', '0.6')")],
  ["of another cell", (file: string) => editFile(file, "UPDATE hero_rate SET win_rate = 0.99")],
] as const)("the last night is replaced by the same data where its file is now %s", async ([, spoil]) => {
  using folder = copyOf(both);
  spoil(fileOf(folder.path));
  expect(await build(folder.path)).toMatchObject({ code: 0, stdout: expect.stringContaining("is replaced: ") });
  expect(pointerOf(folder.path)).toEqual(pointerOf(both));
  expect((await runCommand("verify", ["--data", folder.path])).code).toBe(0);
  expect((await build(folder.path)).code).toBe(2);
});
