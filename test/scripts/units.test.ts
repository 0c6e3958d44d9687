import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fstatSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { EXIT } from "../../src/api/failure.ts";
import { createLog } from "../../src/server/operate/log.ts";
import { readPage } from "../helpers/pages.ts";
import { temporaryFolder } from "../helpers/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const BIN = join(ROOT, manifest.bin.metasnap);
const FOLDER = join(ROOT, "scripts", "deploy", "systemd");
const UNITS = readdirSync(FOLDER);
const SERVICES = UNITS.filter((name) => name.endsWith(".service"));

const readUnit = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const valuesOf = (unit: string, key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].flatMap(([, value = ""]) => value.split(" "));

test("the page names each unit", () => {
  expect(SERVICES).toHaveLength(3);
  for (const name of UNITS) expect(readPage("scripts/deploy/README.md")).toContain(`(systemd/${name})`);
});

test("the memory of a server is the same on all pages, and fits the limit of its unit", () => {
  const page = readPage("scripts/deploy/README.md");
  const [, serve, proof, limit] = /^\| `serve`, and the proof .* \| (\d+) MB, (\d+) MB \| (\w+) \|$/m.exec(page) ?? [];
  const [, each, ofAll] = /^\| `serve` with `--workers 4` \| (\d+) MB each \| (\d+)M \|$/m.exec(page) ?? [];
  const [, promised] = /in about (\d+) MB of memory/.exec(readPage("README.md")) ?? [];
  expect([each, promised, /and about (\d+) MB after every slice/.exec(page)?.[1]]).toEqual([serve, serve, serve]);
  expect(Number(serve) + Number(proof)).toBeLessThan(Number(limit?.slice(0, -1)));
  expect(5 * Number(serve) + Number(proof)).toBeLessThan(Number(ofAll));
  for (const name of SERVICES) expect(valuesOf(readUnit(name), "MemoryMax")).toEqual([limit]);
  expect(readPage("scripts/deploy/compose.yaml")).toContain(`mem_limit: ${limit?.toLowerCase()}`);
});

test("what may be written and called, and how it is stopped, is the same for all", () => {
  for (const name of SERVICES) expect(valuesOf(readUnit(name), "KillMode")).toEqual(["mixed"]);
  const sandboxes = SERVICES.map((name) =>
    /^# What it may not do[\s\S]*?\n\n|^# What it may not do[\s\S]*$/m.exec(readUnit(name))?.[0].trim(),
  );
  expect(sandboxes[0]).toContain("ProtectSystem=strict");
  expect(new Set(sandboxes).size).toBe(1);
});

test("a night has an answer to each exit code", () => {
  const unit = readUnit("metasnap-crawl.service");
  const success = [EXIT.done, ...valuesOf(unit, "SuccessExitStatus").map(Number)];
  const final = valuesOf(unit, "RestartPreventExitStatus").map(Number);
  const again = Object.values(EXIT).filter((code) => !success.includes(code) && !final.includes(code));
  expect(success).toEqual([EXIT.done, EXIT.unchanged, EXIT.newlyRefused, EXIT.interrupted]);
  expect(again).toEqual([EXIT.incomplete, EXIT.unreachable]);
  expect([...success, ...final, ...again].sort()).toEqual(Object.values(EXIT).sort());
});

test("a journal is told what is an error, and another reader is not", async () => {
  using folder = temporaryFolder();
  const read = async (name: string, isJournal: boolean) => {
    const file = join(folder.path, name);
    const stderr = openSync(file, "w");
    const { dev, ino } = fstatSync(stderr);
    const env = { ...process.env, JOURNAL_STREAM: isJournal ? `${dev}:${ino}` : `${dev}:1` };
    const words = [...commandLine("serve"), "--data", folder.path];
    await once(spawn(process.execPath, words, { stdio: ["ignore", "ignore", stderr], env }), "close");
    return readFileSync(file, "utf8");
  };
  const [told, plain] = await Promise.all([read("journal", true), read("file", false)]);
  expect(plain).toMatch(/^\/[^\n]* does not exist; [^\n]*\n$/);
  expect(told).toBe(`<3>${plain}`);
});

test.for([
  ["error", "<3>"],
  ["info", "<6>"],
] as const)("a line of the server at %s begins with %s for a journal", async ([level, begin]) => {
  using folder = temporaryFolder();
  const file = join(folder.path, "log");
  const fd = openSync(file, "w");
  const { dev, ino } = fstatSync(fd);
  process.env.JOURNAL_STREAM = `${dev}:${ino}`;
  const log = createLog("info", fd);
  delete process.env.JOURNAL_STREAM;
  log[level]?.("one", {});
  await expect.poll(() => readFileSync(file, "utf8")).toMatch(/\n$/);
  expect(readFileSync(file, "utf8")).toMatch(new RegExp(`^${begin}\\{.*"level":"${level}","event":"one"\\}\n$`));
});

const absent = spawnSync("systemd-analyze", ["--version"]).status !== 0;
if (absent) process.stderr.write("what is about systemd in units.test.ts is skipped: there is no systemd-analyze\n");

describe.skipIf(absent)("systemd-analyze", () => {
  /** The units with the command of this checkout, and what it says of them. */
  function analyze(words: string[], names: string[], change = (unit: string) => unit) {
    using folder = temporaryFolder();
    for (const name of UNITS)
      writeFileSync(join(folder.path, name), change(readUnit(name)).replace("=metasnap ", `=${BIN} `));
    const { status, stdout, stderr } = spawnSync("systemd-analyze", [...words, ...names], {
      cwd: folder.path,
      encoding: "utf8",
    });
    return { status, said: stdout + stderr };
  }

  const verify = ["verify", "--recursive-errors=no", "--man=no"];
  const security = ["security", "--offline=true", "--threshold=20", "--no-pager"];

  test("knows every word of them", () => {
    const names = UNITS.map((name) => `./${name}`);
    expect(analyze(verify, names)).toEqual({ status: 0, said: "" });
    const misspelt = analyze(verify, names, (unit) => unit.replace("PrivateTmp=", "PrivateTemp="));
    expect(misspelt.said).toContain("'PrivateTemp'");
  });

  test.for(SERVICES)("finds %s exposed by 2.0 of 10 at most", (name) => {
    expect(analyze(security, [`./${name}`])).toMatchObject({ status: 0 });
    const open = analyze(security, [`./${name}`], (unit) => unit.replace(/^(Cap|Protect|Private|SystemCall).*$/gm, ""));
    expect(open).toMatchObject({ status: 1 });
  });
});
