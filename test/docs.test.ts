import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { BUILD_BUDGETS } from "../scripts/bench/build.ts";
import { CRAWL_BUDGETS } from "../scripts/bench/crawl.ts";
import { SERVER_BUDGETS } from "../scripts/bench/server.ts";
import { renderDictionary } from "../scripts/docs/dictionary.ts";
import { renderReadme } from "../scripts/docs.ts";
import { ENDPOINTS } from "../src/api/endpoints.ts";
import { EXIT } from "../src/api/failure.ts";
import { TABLES } from "../src/snapshot/definitions/all.ts";
import { SCHEMA_VERSION } from "../src/snapshot/tables.ts";
import { VIEWS } from "../src/snapshot/views.ts";
import { runCommand } from "./helpers/run.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

describe("the README", () => {
  test("has the routes, errors, commands and options of the code (`make docs` writes them)", () => {
    expect(renderReadme(readme)).toBe(readme);
    for (const { path } of ENDPOINTS) expect(readme).toContain(`\`${path}\``);
  });

  test("names every command, make target, exit code and library", () => {
    const commands = Object.keys(manifest.scripts).filter(
      (name) => !["docs", "test", "lint", "format", "types"].includes(name),
    );
    for (const name of commands) expect(readme).toContain(`npm run ${name} --`);
    for (const code of Object.values(EXIT))
      if (code !== EXIT.internal) expect(readme).toMatch(new RegExp(`^\\| ${code} \\|`, "m"));
    for (const name of Object.keys(manifest.dependencies)) expect(readme).toMatch(new RegExp(`^\\| ${name} \\|`, "m"));
    for (const name of ["demo", "test"]) expect(readme).toContain(`make ${name}`);
  });

  test("shows what its commands print", async () => {
    const sessions = [...readme.matchAll(/^\$ npm run --silent (\w+) -- (.*)\n([\s\S]*?)^```$/gm)];
    expect(sessions.length).toBeGreaterThan(0);
    for (const [, command = "", line = "", shown = ""] of sessions) {
      const args = line.replace(/https:\/\/upstream\.example/g, inject("upstream")).match(/'[^']*'|\S+/g) ?? [];
      const plain = args.map((word) => word.replaceAll("'", ""));
      const { stdout, code } = await runCommand(command, plain, { METASNAP_DATA: inject("data") });
      expect(code).toBe(0);
      expect(stdout).toBe(shown);
    }
  });
});

describe("the page of the bench", () => {
  const page = readFileSync(join(root, "scripts", "bench", "README.md"), "utf8");
  const lines = [...page.matchAll(/^\| (.+?) \| .+? \| [≥≤] .+? \| (\S*)/gm)];
  const explained = new Map([...page.matchAll(/^\| (.+?) \| .+? \| (.*?) ?\|$/gm)].map(([, name, why]) => [name, why]));

  test("has a line for each budget, and says what it measures", () => {
    const budgets = [...SERVER_BUDGETS, ...CRAWL_BUDGETS, ...BUILD_BUDGETS];
    expect(lines.map(([, name]) => name)).toEqual(budgets.map(({ name }) => name));
    for (const { name } of budgets) expect([...explained.keys()]).toContain(name);
  });

  test("says of each that is missed where the time goes", () => {
    for (const [, name, verdict] of lines) if (verdict === "FAIL") expect(explained.get(name), name).toMatch(/\S\.$/);
  });
});

describe("the data dictionary", () => {
  const page = readFileSync(join(root, "data", "README.md"), "utf8");

  test("has the tables and views of the code, and the first rows of a sample snapshot (`make docs` writes them)", () => {
    expect(renderDictionary(page, inject("snapshot"))).toBe(page);
    for (const { name } of [...TABLES, ...VIEWS]) expect(page).toContain(`### \`${name}\``);
  });

  test("lists the version of the schema", () => {
    expect(page).toContain(`| ${SCHEMA_VERSION} |`);
  });
});
