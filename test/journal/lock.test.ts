import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockFolder } from "../../src/journal/lock.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const DATA = "folder with --data";

test.for<[words: [command: string, ...words: string[]], other: string]>([
  [["build", "--data"], DATA],
  [["rollback", "--data"], DATA],
  [["pull", "http://127.0.0.1:9", "--data"], DATA],
  [["publish-to", "--data", world.nights.data], "place"],
  [["publish-to", "--data", world.nights.data, ":local:"], "place"],
])("a second writer of a folder says who is at work there: %j", async ([[command, ...words], other]) => {
  using folder = temporaryFolder();
  using _ = lockFolder(folder.path);
  const before = readdirSync(folder.path);
  const last = words.at(-1) === ":local:" ? [...words.slice(0, -1), `:local:${folder.path}`] : [...words, folder.path];
  const { code, stderr } = await runCommand(command, last);
  const said = `${folder.path}: process ${process.pid} has been working in this folder since `;
  expect([code, stderr]).toEqual([64, expect.stringContaining(said)]);
  expect(stderr).toMatch(new RegExp(`; wait until it has ended, or name another ${other}\n$`));
  expect(readdirSync(folder.path)).toEqual(before);
});

const NOISE = "\u0001".repeat(5000);

test.for<[what: string, make: (lock: string, note: string) => void]>([
  ["a lock of noise", (lock) => writeFileSync(lock, NOISE)],
  ["a lock that says it is a database", (lock) => writeFileSync(lock, `SQLite format 3\0${NOISE}`)],
  ["a pipe in the place of the note", (_, note) => execFileSync("mkfifo", [note])],
  ["a folder in the place of the note", (_, note) => mkdirSync(note)],
])("%s keeps nobody out, and nobody in beside the first", ([, make]) => {
  using folder = temporaryFolder();
  make(join(folder.path, ".lock"), join(folder.path, ".lock.pid"));
  using _ = lockFolder(folder.path);
  expect(() => lockFolder(folder.path)).toThrow(/ working in this folder/);
});

test("what a lock links to is not emptied", () => {
  using folder = temporaryFolder();
  const other = join(folder.path, "mine");
  writeFileSync(other, NOISE);
  symlinkSync(other, join(folder.path, ".lock"));
  expect(() => lockFolder(folder.path)).toThrow(/ELOOP/);
  expect(readFileSync(other, "utf8")).toBe(NOISE);
});
