import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { wordsOf } from "../scripts/words-of.ts";
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

/** What the server says of itself, from wherever it was started. */
const help = () => execFileSync(process.execPath, [...wordsOf("serve"), "--help"], { cwd: project, encoding: "utf8" });

function edit(file: string, before: string, after: string) {
  const text = readFileSync(join(project, file), "utf8");
  expect(text).toContain(before);
  writeFileSync(join(project, file), text.replace(before, after));
}

test("a server starts from the bundle that the first start makes", () => {
  expect(help()).toContain(WORDS);
  edit(BUNDLE, WORDS, "bundled words");
  expect(help()).toContain("bundled words");
});

test("a source that has changed is what runs, and a new bundle is made of it", () => {
  edit(SOURCE, WORDS, "newer words");
  expect(help()).toContain("newer words");
  edit(BUNDLE, "newer words", "bundled again");
  expect(help()).toContain("bundled again");
});

test("a project that is moved takes its bundle along", () => {
  const elsewhere = join(folder.path, "elsewhere");
  renameSync(project, elsewhere);
  project = elsewhere;
  expect(help()).toContain("bundled again");
  expect(readFileSync(join(project, BUNDLE), "utf8")).not.toContain(folder.path);
});

test("another way of making it makes it anew", () => {
  edit("scripts/bundle.ts", '"node22"', '"node24"');
  expect(help()).toContain("newer words");
});

test("a bundle that is gone is made again", () => {
  rmSync(join(project, BUNDLE));
  expect(help()).toContain("newer words");
  expect(existsSync(join(project, BUNDLE))).toBe(true);
});

test("a damaged list of its sources is no list", () => {
  edit(BUNDLE, "newer words", "unused words");
  writeFileSync(join(project, BUNDLE.replace(".cjs", ".json")), '{"src');
  expect(help()).toContain("newer words");
});

test("where no bundle can be written the sources run", () => {
  const cache = join(project, dirname(BUNDLE));
  rmSync(cache, { recursive: true });
  writeFileSync(cache, "in the way");
  expect(help()).toContain("newer words");
  expect(readFileSync(cache, "utf8")).toBe("in the way");
});
