import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileMemory } from "../../src/base/file-memory.ts";
import { fileIdentity } from "../../src/base/files.ts";
import { temporaryFolder } from "../helpers/run.ts";

test("a file is read once for as long as it does not change", async () => {
  using folder = temporaryFolder();
  const { identify, write, readTimes, read } = watched(folder.path);
  const memory = createFileMemory<string>();
  write("a");
  expect([await memory.find(identify, read), memory.findNow(identify, () => "not asked"), readTimes()]).toEqual([
    "a",
    "a",
    1,
  ]);
  write("longer");
  expect([memory.known(identify()), await memory.find(identify, read), readTimes()]).toEqual([undefined, "longer", 2]);
  memory.forget(identify());
  expect([await memory.find(identify, read), readTimes()]).toEqual(["longer", 3]);
});

test("nothing is remembered of a file that changes while it is read: it is read again, three times in all", async () => {
  using folder = temporaryFolder();
  const { identify, write, readTimes, read } = watched(folder.path);
  const memory = createFileMemory<string>();
  const readChanging = (changes: number) => async () => {
    const text = await read();
    if (readTimes() <= changes) write(`${text}.`);
    return text;
  };
  write("a");
  expect([await memory.find(identify, readChanging(2)), readTimes()]).toEqual(["a..", 3]);
  write("another");
  expect([await memory.find(identify, readChanging(100)), readTimes()]).toEqual([undefined, 6]);
  const lookAndWrite = () => {
    write("now");
    return "another";
  };
  expect(memory.findNow(identify, lookAndWrite)).toBeUndefined();
  expect(memory.known(identify())).toBeUndefined();
});

test("what is not found is looked for again", async () => {
  using folder = temporaryFolder();
  const { identify, write, readTimes, read } = watched(folder.path);
  const memory = createFileMemory<string>();
  expect([await memory.find(identify, async () => (await read()) || undefined), readTimes()]).toEqual([undefined, 1]);
  write("here");
  expect([await memory.find(identify, read), readTimes()]).toEqual(["here", 2]);
});

/** A file whose readings are counted; "" if it is not there. */
function watched(folder: string) {
  const file = join(folder, "file");
  let times = 0;
  return {
    identify: () => fileIdentity(file),
    write: (text: string) => writeFileSync(file, text),
    readTimes: () => times,
    async read() {
      times += 1;
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    },
  };
}
