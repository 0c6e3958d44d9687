import { readdirSync } from "node:fs";
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
