import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };

const ROOT = resolve(import.meta.dirname, "..", "..");

/** Which folder of `src` may import which others. */
const ALLOWED: Record<string, string[]> = {
  base: [],
  api: [],
  journal: ["base", "api"],
  network: ["base", "api"],
  crawl: ["base", "api", "journal", "network"],
  snapshot: ["base", "api", "journal"],
  server: ["base", "api", "network", "snapshot"],
  "extra/nights": ["base", "api", "network", "snapshot"],
  "extra/pages": ["base", "api", "snapshot"],
  "extra/parity": ["base", "api", "network", "snapshot", "server"],
  "extra/sample": ["api"],
};

/** The embedded upstream shares enumerations with us and nothing else, so that it can disagree. */
const SAMPLE_MAY_IMPORT = "src/api/enumerations.ts";

/** A folder that holds more needs rooms with names. Pages and files of words are as many as there are things and languages, and do not count. */
const MAX_FILES = 16;

/** Each command has its entry; the sample and the scripts of pages are programs of their own. */
const NAMES_APART = /^src\/extra\/(?:sample|pages\/browser)\//;
const SHARED_NAMES = ["main"];

/** What starts in production; the sample, the demonstration, the bench and the writer of docs are not of it. */
const PRODUCTION = [
  ...[
    "crawl.ts",
    "build.ts",
    "serve.ts",
    "nights.ts",
    "verify.ts",
    "rollback.ts",
    "keys.ts",
    "diff.ts",
    "history.ts",
    "export.ts",
  ],
  ...["pull.ts", "publish-to.ts", "bin/completion.ts", "bin/metasnap.cjs", "cli/typescript.js"],
];

const LIBRARIES = Object.keys(packageJson.dependencies);

const filesOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));

/** Every program of ours, with its text. */
const programs = new Map(
  ["src", "scripts", "test"]
    .flatMap(filesOf)
    .filter((name) => /\.(?:ts|js|cjs)$/.test(name))
    .map((name) => [name, readFileSync(join(ROOT, name), "utf8")]),
);
const modules = [...programs.keys()].filter((name) => name.endsWith(".ts"));
const sources = modules.filter((name) => name.startsWith("src/"));

const textOf = (module: string) => programs.get(module) ?? "";

const pathFrom = (module: string, path: string) => relative(ROOT, resolve(ROOT, dirname(module), path));

const IMPORTS = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

const importsOf = (module: string): string[] =>
  [...textOf(module).matchAll(IMPORTS)].map(([, path = ""]) => pathFrom(module, path));

const LOADS = /(?:^(?:import|export) (?!type )(?:[^;]*? from )?|(?:import|require)\()"([^"]+)"/gm;

/** What modules load when they run, themselves included: also later, and what they hand on, but no types. */
function loadedBy(...entries: string[]): Set<string> {
  const loaded = new Set(entries);
  for (const module of loaded)
    for (const [, path = ""] of textOf(module).matchAll(LOADS))
      loaded.add(path.startsWith(".") ? pathFrom(module, path) : path);
  return loaded;
}

const isOf = (library: string, name: string) => name === library || name.startsWith(`${library}/`);

const EXPORTS = /^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm;

/** What a module exports by name. */
const exportsOf = (module: string): string[] => [...textOf(module).matchAll(EXPORTS)].map(([, name = ""]) => name);

/** The room of a module: a folder of `src`, or of what is built on the mirror. */
const roomOf = (module: string): string => /^src\/((?:extra\/)?[^/]+)/.exec(module)?.[1] ?? "";

/** Whether a module of `src` may import this one. */
function mayImport(module: string, imported: string): boolean {
  if (!imported.startsWith("src/")) return imported === "package.json";
  const [room, target] = [roomOf(module), roomOf(imported)];
  if (target === room) return true;
  return room === "extra/sample" ? imported === SAMPLE_MAY_IMPORT : (ALLOWED[room]?.includes(target) ?? false);
}

/** The modules of circles of imports and those that lead to them, types included; none when there is no circle. */
function findCircle(graph: ReadonlyMap<string, string[]>): string[] {
  const left = new Map(graph);
  for (;;) {
    const free = [...left].filter(([, imports]) => imports.every((imported) => !left.has(imported)));
    if (free.length === 0) break;
    for (const [module] of free) left.delete(module);
  }
  return [...left.keys()];
}

describe("module boundaries", () => {
  test("there are modules to look at", () => {
    expect(sources.length).toBeGreaterThan(30);
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(60);
  });

  test("a module imports only what its folder may", () => {
    const wrong = sources.flatMap((module) =>
      importsOf(module).flatMap((one) => (mayImport(module, one) ? [] : [`${module} imports ${one}`])),
    );
    expect(wrong).toEqual([]);
    expect(mayImport("src/base/files.ts", "src/api/errors.ts")).toBe(false);
    expect(mayImport("src/server/compose.ts", "src/extra/pages/pages.ts")).toBe(false);
  });

  test("no circle of imports, types included", () => {
    expect(findCircle(new Map(modules.map((module) => [module, importsOf(module)])))).toEqual([]);
    expect(findCircle(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["b"], d: [] })))).toEqual(["a", "b", "c"]);
  });

  test.for([
    ["src/snapshot/verify/verify-main.ts", ["better-sqlite3"]],
    ["src/extra/nights/changes/compare-main.ts", ["better-sqlite3", "diff/lib/diff/array.js", "fastest-levenshtein"]],
  ] as const)("a process that each night starts loads few libraries (%s)", ([program, few]) => {
    const libraries = [...loadedBy(program)].filter((name) => !/^(?:src\/|node:|package\.json$)/.test(name));
    expect(libraries.sort()).toEqual(few);
  });

  test("an exported name belongs to one module", () => {
    const named = modules.filter((name) => !name.startsWith("test/") && !NAMES_APART.test(name));
    const owners = Map.groupBy(
      named.flatMap((module) => [...new Set(exportsOf(module))].map((name) => ({ name, module }))),
      ({ name }) => name,
    );
    expect(owners.size).toBeGreaterThan(1000);
    const repeated = [...owners].filter(([name, { length }]) => length > 1 && !SHARED_NAMES.includes(name));
    expect(repeated.map(([name]) => name)).toEqual([]);
  });

  test("each library of production is one that a command of production loads", () => {
    const loaded = loadedBy(...PRODUCTION.map((name) => `scripts/${name}`));
    expect(loaded.size).toBeGreaterThan(300);
    const libraries = [...loaded].map((name) => LIBRARIES.find((library) => isOf(library, name)));
    expect(new Set(libraries.filter((library) => library !== undefined))).toEqual(new Set(LIBRARIES));
  });

  test("no module is longer than 250 lines, and no test or proof than 500", () => {
    const linesIn = (module: string) => textOf(module).split("\n").length - 1;
    expect(sources.filter((module) => linesIn(module) > 250)).toEqual([]);
    const tests = modules.filter((name) => /\.(?:test|proof)\.ts$/.test(name));
    expect(tests.filter((module) => linesIn(module) > 500)).toEqual([]);
  });

  test(`no folder holds more than ${MAX_FILES} files`, () => {
    const code = ["src", "scripts"]
      .flatMap(filesOf)
      .filter((name) => !/\.md$|^src\/extra\/pages\/words\/.*\.json$/.test(name));
    const full = [...Map.groupBy(code, dirname)].filter(([, { length }]) => length > MAX_FILES);
    expect(full.map(([folder]) => folder)).toEqual([]);
  });
});

describe("the map of the sources", () => {
  const map = readFileSync(join(ROOT, "src", "README.md"), "utf8");

  test("is of a page, and names only what is there", () => {
    expect(map.split("\n").length).toBeLessThanOrEqual(101);
    const named = [...map.matchAll(/`([\w./-]+)`/g)].map(([, path = ""]) => path);
    const paths = named.filter((path) => path.includes("/") || path.endsWith(".ts"));
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths)
      expect(existsSync(join(ROOT, "src", path)) || existsSync(join(ROOT, path)), path).toBe(true);
  });

  test("says who may import whom", () => {
    for (const [folder, allowed] of Object.entries(ALLOWED)) {
      const [, cell = ""] = new RegExp(`^\\| \`${folder}\` \\| (.*) \\|$`, "m").exec(map) ?? [];
      const named = [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
      expect(named, folder).toEqual(allowed);
    }
  });
});
