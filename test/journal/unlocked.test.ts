/** The header of a journal as it lies in the file and in its log, read without SQLite's locks. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FULL_SELECTION } from "../../src/api/selection.ts";
import { createJournalFile, readHeaderOf } from "../../src/journal/file.ts";
import type { Header } from "../../src/journal/schema.ts";
import { readHeaderUnlocked } from "../../src/journal/unlocked.ts";
import { temporaryFolder } from "../helpers/run.ts";

const header: Header = {
  upstreams: ["https://upstream.example"],
  selection: FULL_SELECTION,
  started_at: "2026-11-21T03:00:00.000Z",
  began_at: "2026-11-21T03:00:00.000Z",
  finished_at: null,
  policy: "all",
};
const folder = temporaryFolder();
const file = join(folder.path, "20261121T030000Z-001.journal");
let db: ReturnType<typeof createJournalFile>;
beforeAll(() => {
  db = createJournalFile(file, header);
});
afterAll(() => {
  db.close();
  folder[Symbol.dispose]();
});

const finishAt = (finished_at: string | null) =>
  db.prepare("UPDATE header SET json = ?").run(JSON.stringify({ ...header, finished_at }));
const readTime = () => readHeaderUnlocked(file).finished_at;
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((hour) => `2026-11-21T0${hour}:00:00.000Z`) as [string, string, string];

describe("the header of a journal", () => {
  test("that has just been made is in its log alone", () => {
    expect([statSync(file).size, statSync(`${file}-wal`).size > 4096]).toEqual([4096, true]);
    expect(readHeaderUnlocked(file)).toEqual(header);
    expect(readHeaderUnlocked(file)).toEqual(readHeaderOf(db, file));
  });

  test("is that of the last transaction, and not of one that is open", () => {
    finishAt(FIRST);
    expect(readTime()).toBe(FIRST);
    const before = statSync(`${file}-wal`).size;
    db.exec("BEGIN");
    finishAt(SECOND);
    // More than SQLite keeps in memory, so that it writes to the log before the end.
    const insert = db.prepare("INSERT INTO state VALUES (?, ?)");
    for (let row = 0; row < 100; row += 1) insert.run(`row ${row}`, JSON.stringify("x".repeat(100_000)));
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(before + 1_000_000);
    expect(readHeaderOf(db, file).finished_at).toBe(SECOND);
    expect(readTime()).toBe(FIRST);
    db.exec("COMMIT");
    expect(readTime()).toBe(SECOND);
  });

  test("is not that which an earlier use of the log has left behind", () => {
    const size = statSync(`${file}-wal`).size;
    db.pragma("wal_checkpoint(RESTART)");
    db.prepare("DELETE FROM state WHERE name = 'row 1'").run();
    finishAt(THIRD);
    expect(statSync(`${file}-wal`).size).toBe(size);
    expect(readTime()).toBe(THIRD);
    db.pragma("wal_checkpoint(TRUNCATE)");
    expect([statSync(`${file}-wal`).size, readTime()]).toEqual([0, THIRD]);
  });

  test.for([
    ["nothing", ""],
    ["a text", "SQLite format 3\0 is what it says"],
    ["noise", "\u0001".repeat(10_000)],
  ] as const)("is none in a file that holds %s", ([, text]) => {
    const other = join(folder.path, "other.journal");
    writeFileSync(other, text);
    writeFileSync(`${other}-wal`, text);
    expect(() => readHeaderUnlocked(other)).toThrow("is not a journal of metasnap");
  });

  test("is not looked for in a folder or in a pipe, which would keep the reader waiting", () => {
    const [inFolder, pipe] = [join(folder.path, "folder.journal"), join(folder.path, "pipe.journal")];
    mkdirSync(inFolder);
    execFileSync("mkfifo", [pipe]);
    for (const other of [inFolder, pipe]) expect(() => readHeaderUnlocked(other)).toThrow("is not a file");
  });

  test("is none in a journal that is cut", () => {
    const other = join(folder.path, "cut.journal");
    writeFileSync(other, readFileSync(file).subarray(0, 4096));
    expect(() => readHeaderUnlocked(other)).toThrow(/is a damaged journal/);
  });
});
