import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/run.ts";

const SCRIPT = join(import.meta.dirname, "..", "..", "scripts", "deploy", "every-night.sh");

/** Begins the nights of a folder; midnight has passed on any day. */
function begin(data: string, command: string[], at = "00:00") {
  const env = { PATH: process.env.PATH, METASNAP_DATA: data, PAUSES: "0 0" };
  const child = spawn(SCRIPT, [at, ...command], { env, cwd: data });
  const said = text(child.stdout);
  const complained = text(child.stderr);
  const ended = once(child, "close");
  return {
    async end() {
      child.kill("SIGTERM");
      const [code] = await ended;
      return [code, await said, await complained];
    },
    ended: async () => [(await ended)[0], await said, await complained],
    /** What it waits for. */
    waitsFor() {
      const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
      return pid ? readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")[0] : undefined;
    },
  };
}

const say = (code: number) => ["sh", "-c", `echo asked; exit ${code}`];

test("a night is asked at the start if it is due, and then not before the next day", async () => {
  using folder = temporaryFolder();
  const note = join(folder.path, ".night");
  const first = begin(folder.path, say(2));
  await expect.poll(() => existsSync(note) && first.waitsFor()).toBe("sleep");
  expect(await first.end()).toEqual([0, "asked\n", ""]);
  const again = begin(folder.path, say(2));
  await expect.poll(again.waitsFor).toBe("sleep");
  expect(await again.end()).toEqual([0, "", ""]);
  const before = Date.now() / 1000 - 25 * 3600;
  utimesSync(note, before, before);
  const later = begin(folder.path, say(64));
  await expect.poll(later.waitsFor).toBe("sleep");
  expect(await later.end()).toEqual([0, "asked\n", ""]);
});

test("a night of a clock that was ahead counts for none", async () => {
  using folder = temporaryFolder();
  const note = join(folder.path, ".night");
  writeFileSync(note, "");
  const ahead = Date.now() / 1000 + 400 * 24 * 3600;
  utimesSync(note, ahead, ahead);
  const nights = begin(folder.path, say(0));
  await expect.poll(() => statSync(note).mtimeMs / 1000 < ahead - 1000 && nights.waitsFor()).toBe("sleep");
  expect(await nights.end()).toEqual([0, "asked\n", ""]);
});

test.for([3, 4])("what ends with %i is asked for again, and not for ever", async (code) => {
  using folder = temporaryFolder();
  const nights = begin(folder.path, say(code));
  await expect.poll(() => existsSync(join(folder.path, ".night")) && nights.waitsFor()).toBe("sleep");
  expect(await nights.end()).toEqual([0, "asked\nasked\nasked\n", ""]);
});

test("a night in which something is newly closed is one line, and done", async () => {
  using folder = temporaryFolder();
  const nights = begin(folder.path, say(7));
  await expect.poll(() => existsSync(join(folder.path, ".night")) && nights.waitsFor()).toBe("sleep");
  const line = "metasnap: the night is published, and something is newly closed or lost: its last line names it\n";
  expect(await nights.end()).toEqual([0, "asked\n", line]);
});

/** Runs a night with a `metasnap` whose crawl and history end with these codes. Tells what it was called with. */
async function foldAfter(script: string, crawl: number, history: number, { isNight = true, log = "" } = {}) {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  mkdirSync(at("bin"));
  if (isNight) writeFileSync(at("latest.json"), "{}");
  writeFileSync(at("log"), log);
  const lines = [
    "#!/bin/sh",
    `echo "$METASNAP_DATA $*" >>'${at("calls")}'`,
    `if [ "$1" = crawl ]; then echo '{"event":"published","newlyClosed":[]}'; exit ${crawl}; fi`,
    `printf '%s\\n' '{"event":"failed","message":"the disk is full\\n(or is it?)","hint":"make room"}'`,
    `exit ${history}`,
  ];
  writeFileSync(at("bin/metasnap"), `${lines.join("\n")}\n`);
  chmodSync(at("bin/metasnap"), 0o755);
  const data = script === "nightly.sh" ? [] : [folder.path];
  const words = script === "nightly.sh" ? [at("log"), "--data", folder.path] : ["00:00", "metasnap", "crawl"];
  const env = { PATH: `${at("bin")}:${process.env.PATH}`, PAUSES: "", ...(data[0] && { METASNAP_DATA: data[0] }) };
  const child = spawn(join(SCRIPT, "..", script), words, { env, cwd: folder.path });
  const said = text(child.stderr);
  const ended = once(child, "close");
  // One ends by itself, the other leaves a note and waits for the next night.
  await expect.poll(() => child.exitCode !== null || existsSync(at(".night"))).toBe(true);
  child.kill("SIGTERM");
  const [code] = await ended;
  return { code, said: await said, calls: readFileSync(at("calls"), "utf8").replaceAll(folder.path, "DATA") };
}

test.for(["nightly.sh", "every-night.sh"])("%s folds what is published into the history", async (script) => {
  const crawl = script === "nightly.sh" ? "DATA crawl --data DATA\n" : "DATA crawl\n";
  const fold = "DATA history --json\n";
  for (const code of [0, 2, 7]) expect((await foldAfter(script, code, 2)).calls).toBe(crawl + fold);
  expect((await foldAfter(script, 64, 0)).calls).toBe(crawl);
  // Of a part alone there is no night.
  expect(await foldAfter(script, 0, 0, { isNight: false })).toEqual({ code: 0, said: "", calls: crawl });
});

test("nightly.sh says in one line that a night is not in the history", async () => {
  const said = "metasnap: the night is published, but not in the history: the disk is full (or is it?); make room\n";
  expect(await foldAfter("nightly.sh", 0, 64)).toMatchObject({ code: 0, said });
});

test("nightly.sh names what is newly closed in this night, and not in one before", async () => {
  const log = '{"event":"published","newlyClosed":["ratings","rating"]}\n';
  const said = "metasnap: the night is published, and newly closed: nothing, but answers are lost\n";
  expect(await foldAfter("nightly.sh", 7, 0, { log })).toMatchObject({ code: 0, said });
});

test("a night that is told to stop ends in order, and is due again", async () => {
  using folder = temporaryFolder();
  const ready = join(folder.path, "ready");
  const waits = `trap 'echo ended; exit 130' TERM; : > ${ready}; while :; do sleep 0.1; done`;
  const nights = begin(folder.path, ["sh", "-c", waits]);
  await expect.poll(() => existsSync(ready)).toBe(true);
  expect(await nights.end()).toEqual([0, "ended\n", ""]);
  expect(existsSync(join(folder.path, ".night"))).toBe(false);
});

test.for([
  ["25:00", say(0)],
  ["crawl", say(0)],
  ["02:17", []],
] as const)("does not begin with %o", async ([at, command]) => {
  using folder = temporaryFolder();
  const complaint = "metasnap: the first word is the time, as 02:17, then comes the command\n";
  expect(await begin(folder.path, [...command], at).ended()).toEqual([64, "", complaint]);
});
