import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** The pages that people read, from the project's folder. */
export const PAGES = globSync(["*.md", "{scripts,data,src,.github}/**/*.md"], { cwd: ROOT })
  .map((page) => page.replaceAll("\\", "/"))
  .sort();

/** The index of the commands, their pages, and those by task. */
export const SCRIPT_PAGES = PAGES.filter((page) => /^scripts\/[^/]+$/.test(page));

export const readPage = (page: string) => readFileSync(join(ROOT, page), "utf8");

/** The fenced blocks in these words, without what they are indented by. */
export const blocksOf = (page: string, language: string): string[] =>
  [...readPage(page).matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm)]
    .filter(([, , said]) => said === language)
    .map(([, indent = "", , block = ""]) => block.replaceAll(new RegExp(`^${indent}`, "gm"), ""));

/** The SQL of a page, one statement each. */
export const sqlOf = (page: string) => blocksOf(page, "sql").map((sql) => sql.trim().replace(/;$/, ""));

/**
 * The command lines of a page, without comments and where their output goes: of a shell, of cron and within sentences. Those of
 * npm are written as those of the one command.
 */
export const commandsOf = (page: string) =>
  linesOf(page).map((line) => line.replace(/^npm run (?:--silent )?(\S+)(?: --(?= |$))?/, "metasnap $1"));

const linesOf = (page: string) => [
  ...[...blocksOf(page, "sh"), ...blocksOf(page, "cron")].flatMap((block) =>
    block
      .trim()
      .split("\n")
      .map((line) => line.replace(/ +# .*$/, "").replace(/^.* && (.*?) >> .*$/, "$1")),
  ),
  ...[...readPage(page).matchAll(/`((?:npm run|metasnap) [a-z][^`<>\n]*)/g)].map(([, line = ""]) => line.trim()),
];

/** Makes a pattern of the output on a page: `…` is anything, a line of it any lines; versions and ports are those of the day. */
export function toPattern(shown: string): RegExp {
  const escaped = shown
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replaceAll(/\d{8}T\d{6}Z-[\da-f]{8}/g, "\\d{8}T\\d{6}Z-[\\da-f]{8}")
    .replaceAll(/127\\\.0\\\.0\\\.1:\d+/g, "127\\.0\\.0\\.1:\\d+")
    .replaceAll(/^…\n/gm, "(?:.*\\n)*?")
    .replaceAll("…", ".*?");
  return new RegExp(`^${escaped}$`);
}
