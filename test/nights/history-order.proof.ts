import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportSnapshot } from "../../src/extra/nights/export/export.ts";
import { type NightFile, updateHistory } from "../../src/extra/nights/history/history.ts";
import { copyOf, fileOf, manifestFileOf } from "../helpers/data-folder.ts";
import { readHistory } from "../helpers/judge-history.ts";
import { publishDays } from "../helpers/mirror.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { queryFile } from "../helpers/sqlite.ts";

const world = temporaryFolder();
/** Three nights in the order of their publication; the clock was set back before the second. */
let versions: string[] = [];
beforeAll(async () => {
  versions = await publishDays(world.path, [5, 1, 7], "--endpoints", "heroes,rank,hero,stats,lane");
});
afterAll(() => world[Symbol.dispose]());

const history = (data: string, ...args: string[]) => runCommand("history", ["--data", data, ...args]);

describe("the history", () => {
  test(`is the same in whatever order nights are folded`, () => {
    using folder = temporaryFolder();
    const random = createRandom("history");
    const nights: NightFile[] = Array.from({ length: 4 }, (_, at) => {
      const file = join(folder.path, `2026100${at + 1}T000000Z-0000000${at}.sqlite`);
      cpSync(fileOf(world.path, versions[at % 3]), file);
      const db = new SQLite(file);
      db.pragma("foreign_keys = OFF");
      db.exec(`DELETE FROM record; UPDATE snapshot SET version = '2026100${at + 1}T000000Z-0000000${at}'`);
      // Some rows go, and some say something else, of three states that come back.
      db.exec(`DELETE FROM hero_text WHERE (hero_id + length(lang) + unicode(lang)) % 3 = ${random.below(3)};
        UPDATE hero_rate SET win_rate = 0.${random.below(3) + 1} WHERE hero_id = ${random.below(3) + 1};
        DELETE FROM hero_lane WHERE hero_id = ${random.below(4)}`);
      db.close();
      return { file, sequence: at + 1, withdrawn: false };
    });
    const inOrder = join(folder.path, "in-order.sqlite");
    updateHistory(inOrder, nights);
    const order = random.shuffle(nights);
    const said = `SEED=${SEED} ${order.map(({ sequence }) => sequence)}`;
    const shuffled = join(folder.path, "shuffled.sqlite");
    for (const night of order) updateHistory(shuffled, [night]);
    const VERSIONS = "SELECT version FROM night ORDER BY night_id";
    expect(queryFile(shuffled, VERSIONS), said).toEqual(queryFile(inOrder, VERSIONS));
    expect(readHistory(shuffled), said).toEqual(readHistory(inOrder));
    expect(queryFile(shuffled, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });

  test("loses a damaged snapshot's night and no other, and takes it in its place when it is whole again", async () => {
    using folder = copyOf(world.path);
    const data = folder.path;
    const file = fileOf(data, versions[1]);
    truncateSync(file, 100_000);
    const damaged = await history(data);
    expect([damaged.code, damaged.stderr]).toEqual([
      3,
      expect.stringMatching(new RegExp(`^${file}: is damaged \\([^\n]+\\); its night is skipped\n$`)),
    ]);
    expect(damaged.stdout).toContain("2 nights folded");
    cpSync(fileOf(world.path, versions[1]), file);
    writeFileSync(manifestFileOf(data, versions[2]), "{");
    const again = await history(data);
    expect([again.code, again.stderr]).toEqual([
      3,
      expect.stringMatching(/\.json: is damaged; its night is skipped\n$/),
    ]);
    const kept = join(data, "history.sqlite");
    expect(queryFile(kept, "SELECT version FROM night ORDER BY night_id")).toEqual(
      versions.map((version) => ({ version })),
    );
    const whole = join(data, "whole.sqlite");
    await history(world.path, "--file", whole);
    expect(readHistory(kept)).toEqual(readHistory(whole));
  });

  test("is not begun anew where nights would be lost, unless they are let go", async () => {
    using folder = copyOf(world.path);
    const data = folder.path;
    const file = join(data, "history.sqlite");
    await history(data);
    const before = readFileSync(file);
    for (const ending of ["sqlite", "json"]) rmSync(fileOf(data, versions[0]).replace("sqlite", ending));
    const refused = await history(data, "--fresh");
    expect([refused.code, refused.stderr]).toEqual([
      64,
      `${file}: holds 1 night that lies nowhere else (${versions[0]} to ${versions[0]}); it stays as it is; name the folder that has them with --from, or let them go with --forget\n`,
    ]);
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}.fresh`)).toBe(false);
    expect((await history(data, "--forget")).code).toBe(64);
    // With the folder that has them nothing is lost.
    expect((await history(data, "--fresh", "--from", world.path)).stdout).toContain("3 nights folded");
    expect((await history(data, "--fresh", "--forget")).stdout).toContain("2 nights folded");
  });

  test("tells what a night lacks from what is gone", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "history.sqlite");
    const [from = "", , third = ""] = versions.map((version) => fileOf(world.path, version));
    const first = join(folder.path, "first.sqlite");
    cpSync(from, first);
    const other = new SQLite(first);
    other.exec("DELETE FROM record; UPDATE hero_text SET story = 'of once' WHERE lang = 'ja' AND hero_id = 1");
    other.close();
    const partial = join(folder.path, "partial.sqlite");
    cpSync(third, partial);
    const db = new SQLite(partial);
    db.pragma("foreign_keys = OFF");
    db.exec(`DELETE FROM record; UPDATE snapshot SET version = '20261010T000000Z-00000000';
      UPDATE coverage SET status = 'failed', reason = 'timeout' WHERE dataset = 'hero' AND hero_id = 1 AND lang = 'ja';
      DELETE FROM hero_text WHERE lang = 'ja' AND hero_id IN (1, 2)`);
    db.close();
    const after = join(folder.path, "after.sqlite");
    cpSync(third, after);
    const next = new SQLite(after);
    next.exec(`DELETE FROM record; UPDATE snapshot SET version = '20261011T000000Z-00000000';
      UPDATE hero_text SET story = 'another' WHERE lang = 'ja' AND hero_id = 1`);
    next.close();
    const nights = [first, third, partial, after].map((one, at) => ({ file: one, sequence: at + 1, withdrawn: false }));
    updateHistory(file, nights);
    expect(
      queryFile(file, "SELECT hero_id, to_night, gap FROM hero_text WHERE lang = 'ja' AND to_night = 3 ORDER BY 1"),
    ).toEqual([
      { hero_id: 1, to_night: 3, gap: 1 },
      { hero_id: 2, to_night: 3, gap: null },
    ]);
    expect(queryFile(file, "SELECT failed_slices FROM night WHERE night_id = 3")).toEqual([{ failed_slices: 1 }]);
    const options = { format: "csv", out: folder.path, tables: ["hero"], partition: false } as const;
    expect([partial, after].map((one) => exportSnapshot(one, options).failedSlices)).toEqual([1, 0]);
    // The night before it may be folded later.
    const late = join(folder.path, "late.sqlite");
    updateHistory(late, nights.toSpliced(1, 1));
    updateHistory(late, nights);
    const gaps = "SELECT hero_id, from_night, to_night, gap FROM hero_text WHERE lang = 'ja' ORDER BY 1, 2";
    expect(queryFile(late, gaps)).toEqual(queryFile(file, gaps));
    // What a text was before the gap is what it is compared with.
    expect(
      queryFile<{ after: string }>(
        file,
        "SELECT lang, after FROM text_change WHERE table_name = 'hero_text' AND column_name = 'story' AND valid_from LIKE '20261011%'",
      ),
    ).toEqual([{ lang: "ja", after: "another" }]);
  });
});
