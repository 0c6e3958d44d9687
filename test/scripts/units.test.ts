import { spawn } from "node:child_process";
import { once } from "node:events";
import { fstatSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../../scripts/cli/command-line.cjs";
import { EXIT } from "../../src/api/failure.ts";
import { createLog } from "../../src/server/operate/log.ts";
import { readPage } from "../helpers/pages.ts";
import { temporaryFolder } from "../helpers/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");
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
  const [, promised] = /in about (\d+) MB of memory/.exec(readPage("README.md")) ?? [];
  expect([promised, /and about (\d+) MB after every slice/.exec(page)?.[1]]).toEqual([serve, serve]);
  expect(Number(serve) + Number(proof)).toBeLessThan(Number(limit?.slice(0, -1)));
  for (const name of SERVICES) expect(valuesOf(readUnit(name), "MemoryMax")).toEqual([limit]);
  expect(readPage("scripts/deploy/compose.yaml")).toContain(`mem_limit: ${limit?.toLowerCase()}`);
});

test("a reload makes a server look, and is nothing for a crawl", () => {
  for (const name of SERVICES)
    expect([name, valuesOf(readUnit(name), "ExecReload").join(" ")]).toEqual([
      name,
      name.includes("crawl") ? "" : "kill -HUP $MAINPID",
    ]);
});

test("what may be written and called, and how it is stopped, is the same for all", () => {
  for (const name of SERVICES) expect(valuesOf(readUnit(name), "KillMode")).toEqual(["mixed"]);
  const sandboxes = SERVICES.map((name) =>
    /^# What it may not do[\s\S]*?\n\n|^# What it may not do[\s\S]*$/m.exec(readUnit(name))?.[0].trim(),
  );
  expect(sandboxes[0]).toContain("ProtectSystem=strict");
  // Without it a forbidden call ends the process.
  expect(sandboxes[0]).toContain("\nSystemCallErrorNumber=EPERM\nSystemCallFilter=");
  expect(new Set(sandboxes).size).toBe(1);
});

test("a night has an answer to each exit code", () => {
  const unit = readUnit("metasnap-crawl.service");
  const success = [EXIT.done, ...valuesOf(unit, "SuccessExitStatus").map(Number)];
  const final = valuesOf(unit, "RestartPreventExitStatus").map(Number);
  const again = Object.values(EXIT).filter((code) => !success.includes(code) && !final.includes(code));
  expect(success).toEqual([EXIT.done, EXIT.unchanged, EXIT.newlyClosed, EXIT.interrupted]);
  expect(again).toEqual([EXIT.incomplete, EXIT.unreachable]);
  expect([...success, ...final, ...again].sort()).toEqual(Object.values(EXIT).sort());
});

test("a night is folded into the history, which costs no night", () => {
  expect(valuesOf(readUnit("metasnap-crawl.service"), "ExecStartPost").join(" ")).toBe("-metasnap history --json");
});

test("a journal is told what is an error, and another reader is not", async () => {
  using folder = temporaryFolder();
  const read = async (name: string, isJournal: boolean) => {
    const file = join(folder.path, name);
    const stderr = openSync(file, "w");
    const { dev, ino } = fstatSync(stderr);
    const env = { ...process.env, JOURNAL_STREAM: isJournal ? `${dev}:${ino}` : `${dev}:1` };
    const words = [...commandLine("serve"), "--data", join(folder.path, "none")];
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
