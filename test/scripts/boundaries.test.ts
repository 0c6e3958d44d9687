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
  nights: ["base", "api", "network", "snapshot"],
  pages: ["base", "api", "snapshot"],
  server: ["base", "api", "network", "snapshot", "pages", "nights"],
  parity: ["base", "api", "network", "snapshot", "server"],
  sample: ["api"],
};

/** The embedded upstream shares enumerations with us and nothing else, so that it can disagree. */
const SAMPLE_MAY_IMPORT = ["enumerations.ts"];

/** Of the nights the server needs only to follow another mirror. */
const SERVER_MAY_IMPORT = ["pull"];

/** Pages have one way in. */
const PAGES_HAND_OUT = "pages.ts";

/** A folder that holds more needs rooms with names. Pages lie beside what they are about, and do not count. */
const MAX_FILES = 16;

/** Each command has its entry; the sample and the scripts of pages are programs of their own. */
const NAMES_APART = /^src\/(?:sample|pages\/browser)\//;
const SHARED_NAMES = ["main"];

/** What starts in production; the sample, the demonstration, the bench and the writer of docs are not of it. */
const PRODUCTION = [
  ...["crawl.ts", "build.ts", "serve.ts", "verify.ts", "rollback.ts", "keys.ts", "diff.ts", "history.ts", "export.ts"],
  ...["pull.ts", "publish-to.ts", "bin/completion.ts", "bin/metasnap.cjs", "cli/typescript.js"],
];

const LIBRARIES = Object.keys(packageJson.dependencies);

const filesOf = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));

const programs = ["src", "scripts", "test"].flatMap(filesOf).filter((name) => /\.(?:ts|js|cjs)$/.test(name));
const modules = programs.filter((name) => name.endsWith(".ts"));
const sources = modules.filter((name) => name.startsWith("src/"));

function importsOf(module: string): string[] {
  const text = readFileSync(join(ROOT, module), "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
    relative(ROOT, resolve(ROOT, dirname(module), path)),
  );
}

/** What a module loads when it runs: its imports, also later ones, and what it hands on, without those of types only. */
function loadsOf(module: string): string[] {
  if (!programs.includes(module)) return [];
  const text = readFileSync(join(ROOT, module), "utf8");
  return [...text.matchAll(LOADS)].map(([, path = ""]) =>
    path.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(module), path)) : path,
  );
}

const LOADS = /(?:^(?:import|export) (?!type )(?:[^;]*? from )?|(?:import|require)\()"([^"]+)"/gm;

const isOf = (library: string, name: string) => name === library || name.startsWith(`${library}/`);

/** What a module exports by name. */
function exportsOf(module: string): string[] {
  const text = readFileSync(join(ROOT, module), "utf8");
  return [...text.matchAll(/^export (?:async )?(?:const|let|function\*?|class|interface|type) (\w+)/gm)].map(
    ([, name = ""]) => name,
  );
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

  test.for(sources)("%s imports only what its folder may", (module) => {
    const [, folder = ""] = module.split("/");
    for (const imported of importsOf(module)) {
      if (!imported.startsWith("src/")) {
        expect(imported).toBe("package.json");
        continue;
      }
      const [, target = "", name = ""] = imported.split("/");
      if (target === folder) continue;
      expect(ALLOWED[folder], `${module} imports ${imported}`).toContain(target);
      if (folder === "server" && target === "nights") expect(SERVER_MAY_IMPORT).toContain(name);
      if (folder === "server" && target === "pages") expect(name).toBe(PAGES_HAND_OUT);
      if (folder === "sample") expect(SAMPLE_MAY_IMPORT).toContain(name);
    }
  });

  test("no circle of imports, types included", () => {
    expect(findCircle(new Map(modules.map((module) => [module, importsOf(module)])))).toEqual([]);
    expect(findCircle(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["b"], d: [] })))).toEqual(["a", "b", "c"]);
  });

  test("of the libraries, a verification loads only SQLite", () => {
    const loaded = new Set(["src/snapshot/verify/verify-main.ts"]);
    for (const module of loaded) for (const imported of loadsOf(module)) loaded.add(imported);
    const libraries = [...loaded].filter((name) => !/^(?:src\/|node:|package\.json$)/.test(name));
    expect(libraries).toEqual(["better-sqlite3"]);
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
    const commands = PRODUCTION.map((name) => `scripts/${name}`);
    const loaded = new Set(commands);
    for (const module of loaded) for (const imported of loadsOf(module)) loaded.add(imported);
    expect(loaded.size).toBeGreaterThan(300);
    const libraries = [...loaded].map((name) => LIBRARIES.find((library) => isOf(library, name)));
    expect(new Set(libraries.filter((library) => library !== undefined))).toEqual(new Set(LIBRARIES));
  });

  test.for(sources)("%s is not longer than 250 lines", (module) => {
    expect(readFileSync(join(ROOT, module), "utf8").split("\n").length).toBeLessThanOrEqual(251);
  });

  test(`no folder holds more than ${MAX_FILES} files`, () => {
    const code = ["src", "scripts"].flatMap(filesOf).filter((name) => !name.endsWith(".md"));
    const counts = Map.groupBy(code, dirname);
    for (const [folder, files] of counts) expect(files.length, folder).toBeLessThanOrEqual(MAX_FILES);
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
      expect(named, folder).toEqual([...allowed, ...(folder === "server" ? SERVER_MAY_IMPORT : [])]);
    }
  });
});
