import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { temporaryFolder } from "./run.ts";

const HOME = join(import.meta.dirname, "..");
const BUNDLE = "node_modules/.cache/metasnap/serve.cjs";
const SOURCE = "scripts/serve-options.ts";
const WORDS = "Answer /api from the latest snapshot.";

const folder = temporaryFolder();
let project = join(folder.path, "project");

beforeAll(() => {
  for (const part of ["package.json", "src", "scripts"])
    cpSync(join(HOME, part), join(project, part), { recursive: true, preserveTimestamps: true });
  mkdirSync(join(project, "node_modules"));
  for (const name of readdirSync(join(HOME, "node_modules")).filter((name) => name !== ".cache"))
    symlinkSync(join(HOME, "node_modules", name), join(project, "node_modules", name));
});
afterAll(() => folder[Symbol.dispose]());

const run = (line: string) =>
  execFileSync("sh", ["-c", line.replaceAll("node ", `${process.execPath} `)], { cwd: project, encoding: "utf8" });
const help = () => run(`${manifest.scripts.serve} --help`);
const bundle = () => run(manifest.scripts.bundle);

function edit(file: string, before: string, after: string) {
  const text = readFileSync(join(project, file), "utf8");
  expect(text).toContain(before);
  writeFileSync(join(project, file), text.replace(before, after));
}

test("a server starts from its sources, and from the bundle as long as that is what they are", () => {
  expect(help()).toContain(WORDS);
  bundle();
  edit(BUNDLE, WORDS, "bundled words");
  expect(help()).toContain("bundled words");
  edit(SOURCE, WORDS, "newer words");
  expect(help()).toContain("newer words");
  bundle();
  expect(readFileSync(join(project, BUNDLE), "utf8")).toContain("newer words");
  edit(BUNDLE, "newer words", "bundled again");
  expect(help()).toContain("bundled again");
});

test("a project that is moved takes its bundle along", () => {
  bundle();
  edit(BUNDLE, "newer words", "moved words");
  const elsewhere = join(folder.path, "elsewhere");
  renameSync(project, elsewhere);
  project = elsewhere;
  expect(help()).toContain("moved words");
  expect(readFileSync(join(project, BUNDLE), "utf8")).not.toContain(folder.path);
});

test("a damaged list of its sources is no list", () => {
  edit(BUNDLE, "moved words", "unused words");
  writeFileSync(join(project, BUNDLE.replace(".cjs", ".json")), '{"src');
  expect(help()).toContain("newer words");
});
