import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { programOf } from "../../scripts/cli/command-line.cjs";
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { startSample } from "../../src/sample/service/server.ts";
import { published } from "../helpers/data-folder.ts";
import { FULL } from "../helpers/draw.ts";
import { installPackage, NAME, pack, run } from "../helpers/package.ts";
import { PAGES, readPage } from "../helpers/pages.ts";
import { LITTLE, RATES, readUrl, temporaryFolder } from "../helpers/run.ts";

const ROOT = join(import.meta.dirname, "..", "..");

let files: string[];
beforeAll(async () => {
  const [packed] = JSON.parse((await pack("--dry-run")).stdout) as { files: { path: string }[] }[];
  files = (packed?.files ?? []).map(({ path }) => path);
});

/** What processes and threads of our own begin with. */
const PROGRAMS = /\b(?:join\(import\.meta\.dirname, |new Worker\(new URL\()"([^"]+\.ts)"/g;

/** For people, and for pages. */
const PAPERS = [
  ".assets/*",
  "data/*.md",
  "scripts/deploy/**",
  "{src,scripts,scripts/bench,.github}/*.md",
  ".github/pictures/*",
  "{README,CHANGELOG}.md",
  "LICENSE",
];

/** What the dictionary says of fields without a column. */
const FOR_DOCS = "src/snapshot/schema/unmapped.ts";

test("the package has what the commands load, what pages and people read, and nothing else", () => {
  const programs = COMMANDS.filter((name) => name !== "bench").map((name) => relative(ROOT, programOf(name)));
  const loaded = new Set([manifest.bin.metasnap, "scripts/cli/typescript.js", "package.json", ...programs]);
  for (const file of loaded) {
    const source = readFileSync(join(ROOT, file), "utf8");
    const imports = source.matchAll(/(?:\bfrom |\bimport |\bimport\(|\brequire\()"(\.[^"]+)"/g);
    for (const [, path = ""] of [...imports, ...source.matchAll(PROGRAMS)])
      loaded.add(resolve("/", dirname(file), path).slice(1));
  }
  expect(loaded.size).toBeGreaterThan(300);
  const papers = globSync(PAPERS, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)));
  expect(papers).toContain(".assets/meta.json");
  expect(files.toSorted()).toEqual([...new Set([...loaded, ...papers, FOR_DOCS])].sort());
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

/** Ours, and Debian's, which is often older than what we need. */
const NODES = [process.execPath, "/usr/bin/node"].filter((node) => existsSync(node));

if (FULL)
  describe("installed in an empty folder", () => {
    test.for(NODES)("it crawls, compares, proves and serves, started with %s", async (node) => {
      using folder = temporaryFolder();
      await installPackage(folder.path);
      const bin = join(folder.path, "bin", "metasnap");
      expect(existsSync(join(folder.path, "linked/scripts/deploy/nightly.sh"))).toBe(true);
      // Of whoever calls it; tsx would read it.
      writeFileSync(join(folder.path, "tsconfig.json"), "{");
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
      const server = start("serve", "--port", "0", "--workers", "2");
      const url = await readUrl(server);
      expect((await fetch(`${url}/api/heroes/miya`)).status).toBe(503);
      expect((await fetch(`${url}/api/heroes`)).status).toBe(200);
      expect(await (await fetch(`${url}/changes`)).text()).toMatch(/<script type="module" src="\/assets\/page\./);
      server.child.kill("SIGTERM");
      expect(await server.ended).toEqual({ code: 0, stderr: "" });
    });

    test("npx runs it, and its sample needs nothing of development", async () => {
      using folder = temporaryFolder();
      await pack("--pack-destination", folder.path);
      const options = ["--yes", "--prefer-offline", "--ignore-scripts", "--package", `./${NAME}`];
      const { stdout } = await run("npx", [...options, "--", "metasnap", "sample", "--help"], { cwd: folder.path });
      expect(stdout).toMatch(/^Usage: metasnap sample \[options\]\n/);
    });
  });
