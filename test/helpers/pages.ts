import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

/** What people read, from the project's folder. */
export const PAGES = globSync(["*.md", "{scripts,data,src,.github}/**/*.md"], { cwd: ROOT })
  .map((page) => page.replaceAll("\\", "/"))
  .sort();

/** The index of the commands, their pages, and those by task. */
export const COMMAND_PAGES = PAGES.filter((page) => /^scripts\/[^/]+$/.test(page));

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

export interface Session {
  /** The command line after `$ `. */
  line: string;
  /** What stands below it. */
  shown: string;
  /** What `echo $?` shows after it. */
  code: number;
}

/** The sessions of a shell on a page, one for each command. */
export const sessionsOf = (page: string): Session[] =>
  blocksOf(page, "console").flatMap((block) => {
    const parts = block.split(/^\$ /m).slice(1);
    return parts.flatMap((part, index) => {
      const [line = "", ...shown] = part.split("\n");
      if (line === "echo $?") return [];
      const next = parts[index + 1] ?? "";
      const code = next.startsWith("echo $?\n") ? Number(next.split("\n")[1]) : 0;
      return [{ line, shown: shown.join("\n"), code }];
    });
  });

/** What a page shows, as a pattern: `…` is anything, a line of it any lines; versions and ports are those of the day. */
export function toPattern(shown: string): RegExp {
  const escaped = shown
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    .replaceAll(/\d{8}T\d{6}Z-[\da-f]{8}/g, "\\d{8}T\\d{6}Z-[\\da-f]{8}")
    .replaceAll(/127\\\.0\\\.0\\\.1:\d+/g, "127\\.0\\.0\\.1:\\d+")
    .replaceAll(/^…\n/gm, "(?:.*\\n)*?")
    .replaceAll("…", ".*?");
  return new RegExp(`^${escaped}$`);
}

/** Words that somebody has written: not those from the code, of blocks, of answers below a query and of addresses. */
export function writtenWords(page: string): number {
  const text = readPage(page)
    .replaceAll(/<!-- ([\w-]+) -->\n[\s\S]*?<!-- \/\1 -->/g, "")
    .replaceAll(/^ *```sql\n(?:(?!```)[\s\S])*```\n\n(?: *\|.*\n)+/gm, "")
    .replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "")
    .replaceAll(/\]\([^)]*\)/g, "]");
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
