import SQLite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { BUDGETS } from "../../scripts/bench.ts";
import { COMMANDS } from "../../scripts/docs/endings.ts";
import { headed } from "../../scripts/docs/page.ts";
import { GENERATED_PAGES } from "../../scripts/docs.ts";
import { ENDPOINTS } from "../../src/api/endpoints.ts";
import { EXIT } from "../../src/api/failure.ts";
import { DOCUMENTS } from "../../src/server/routes/documents.ts";
import { TABLES } from "../../src/snapshot/schema/tables/all.ts";
import { SCHEMA_VERSION } from "../../src/snapshot/schema/version.ts";
import { VIEWS } from "../../src/snapshot/schema/views/all.ts";
import { blocksOf, PAGES as PEOPLES_PAGES, readPage, sqlOf } from "../helpers/pages.ts";
import { runCommand } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

/** Written by hand, on all pages together. */
const MAX_WORDS = 11_000;

describe("the pages", () => {
  test.for(Object.entries(GENERATED_PAGES))(
    "%s has what comes from the code (`make docs` writes it)",
    async ([page, render]) => {
      expect(await render(readPage(page))).toBe(readPage(page));
      expect(await render(readPage(page), world.snapshot)).toBe(readPage(page));
    },
  );

  test("name every route, command, make target, exit code and library", () => {
    const pages = ["README.md", "scripts/README.md", "scripts/serve.md", ".github/CONTRIBUTING.md"];
    const [readme, index, serve, contributing] = pages.map(readPage) as [string, string, string, string];
    for (const { path } of ENDPOINTS) expect(serve).toContain(`\`${path}\``);
    for (const { route } of DOCUMENTS) expect(serve).toContain(route);
    for (const name of COMMANDS) expect(readPage(`scripts/${name}.md`)).toContain(`npm run ${name} --`);
    for (const code of Object.values(EXIT)) expect(index).toMatch(new RegExp(`^\\| ${code} \\|`, "m"));
    for (const name of Object.keys(manifest.dependencies))
      expect(contributing).toMatch(new RegExp(`^\\| ${name} \\|`, "m"));
    for (const name of ["demo", "test"]) expect(readme).toContain(`make ${name}`);
  });

  test("are short where a stranger begins", () => {
    expect(readPage("README.md").split("\n").length).toBeLessThanOrEqual(131);
    expect(readPage("scripts/README.md").split("\n").length).toBeLessThanOrEqual(151);
  });

  test("can be read in an hour", () => {
    // What changed is read when it matters, and who may be hostile is a table for tests.
    const read = PEOPLES_PAGES.filter((page) => page !== "CHANGELOG.md" && page !== ".github/SECURITY.md");
    expect(read.reduce((sum, page) => sum + writtenWords(page), 0)).toBeLessThanOrEqual(MAX_WORDS);
  });

  test("show what a command prints", async () => {
    const sessions = blocksOf("README.md", "console").flatMap((block) => [
      ...block.matchAll(/^\$ npm run --silent (\w+) -- (.*)\n([\s\S]*)$/g),
    ]);
    expect(sessions.length).toBeGreaterThan(0);
    for (const [, command = "", line = "", shown = ""] of sessions) {
      const words = (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ""));
      const args = words.map((word) => (word === ".demo" ? world.data : word));
      const { stdout, code } = await runCommand(command, args);
      expect(code).toBe(0);
      expect(stdout).toBe(shown);
    }
  });
});

describe("SQL on a page", () => {
  test.for(["README.md", "scripts/missing.md", "data/README.md"])(
    "has an answer, and the one that is shown (%s)",
    (page) => {
      const db = new SQLite(world.snapshot, { readonly: true });
      for (const sql of sqlOf(page)) {
        const statement = db.prepare(sql);
        const names = statement.columns().map(({ name }) => name);
        const rows = statement.raw().all() as unknown[][];
        if (!/FROM (coverage_hole|misfit)/.test(sql)) expect(rows.length, sql).toBeGreaterThan(0);
        const after = readPage(page).replaceAll(/^ +/gm, "").split(sql.replaceAll(/^ +/gm, ""))[1] ?? "";
        if (/^;\n```\n\n\|/.test(after))
          expect(after).toContain(
            headed(
              names,
              rows.map((row) => row.map(String)),
            ),
          );
      }
      db.close();
    },
  );
});

test("each of the sixteen questions on data/QUESTIONS.md has an answer", () => {
  const answers = readPage("data/QUESTIONS.md")
    .split(/^### \d+\. /m)
    .slice(1)
    .map((section) => /```sql\n[\s\S]*?;\n```\n\n\|.*\n\| ---.*\n((?:\|.*\n)+)/.exec(section)?.[1] ?? "");
  expect(answers).toHaveLength(16);
  for (const rows of answers) expect(rows).not.toBe("");
});

describe("the page of the bench", () => {
  const page = readPage("scripts/bench/README.md");
  const lines = [...page.matchAll(/^\| (.+?) \| .+? \| [≥≤] .+? \| (\S*)/gm)];
  const budgets = new Map(BUDGETS.map((budget) => [budget.name, budget]));

  test("has the lines of the budgets that were measured last", () => {
    const measured = lines.map(([, name = ""]) => name);
    expect(measured.length).toBeGreaterThan(10);
    // A budget that is new has no line until `make bench` writes the table again.
    expect(measured).toEqual([...budgets.keys()].filter((name) => measured.includes(name)));
  });

  test("says of each that is missed where the time goes", () => {
    for (const [, name = "", verdict] of lines)
      if (verdict === "FAIL") expect(budgets.get(name)?.cost, name).toMatch(/\S\.$/);
  });
});

describe("the data dictionary", () => {
  const page = readPage("data/README.md");

  test("has the tables and views of the code", () => {
    for (const { name } of [...TABLES, ...VIEWS]) expect(page).toContain(`### \`${name}\``);
  });

  test("lists the version of the schema", () => {
    expect(page).toContain(`| ${SCHEMA_VERSION} |`);
  });
});

/** Words that somebody has written: not those from the code, of blocks, of answers below a query and of addresses. */
function writtenWords(page: string): number {
  const text = readPage(page)
    .replaceAll(/<!-- ([\w-]+) -->\n[\s\S]*?<!-- \/\1 -->/g, "")
    .replaceAll(/^ *```sql\n(?:(?!```)[\s\S])*```\n\n(?: *\|.*\n)+/gm, "")
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "")
    .replaceAll(/\]\([^)]*\)/g, "]");
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
